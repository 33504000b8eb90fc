#include "results/store/rows_file.h"

#include <assert.h>
#include <string.h>

#include "core/file.h"
#include "core/gzip.h"
#include "core/names.h"
#include "results/store/columns.h"
#include "results/store/runs.h"
#include "results/store/store.h"

enum { MOST_COLUMNS = 128 };

struct rows_file {
    const char *path;
    char *at; /* in the text, which is cut into fields in place */
    unsigned line;
    const struct column *column[MOST_COLUMNS]; /* [columns] of the heading */
    unsigned columns;
};

/* Whether a line ends here, by a line feed or, as spreadsheets write it,
   a carriage return and one. */
static bool is_line_end(const char *at)
{
    return *at == '\n' || (*at == '\r' && at[1] == '\n');
}

/* Cuts the next field out of the line, without its quotes; *more tells whether another follows. */
static char *cut_field(struct rows_file *file, bool *more)
{
    char *field = file->at, *to = file->at, *from = file->at;
    bool is_quoted = *from == '"';
    for (from += is_quoted;
         *from && (is_quoted ? *from != '"' || from[1] == '"' : *from != ',' && !is_line_end(from));
         from++) {
        from += is_quoted && *from == '"';
        *to++ = *from;
    }
    from += is_quoted && *from == '"';
    *more = *from == ',';
    from += *from == '\r';
    file->at = from + (*from != 0);
    *to = 0;
    return field;
}

static enum status read_heading(struct rows_file *file, struct error *error)
{
    const struct column_table *known = &columns_of_results;
    for (bool more = true; more;) {
        const char *name = cut_field(file, &more);
        unsigned c = 0;
        while (c < known->columns && strcmp(known->column[c].name, name) != 0)
            c++;
        if (c == known->columns || file->columns == MOST_COLUMNS)
            return error_set_at(error, STATUS_BAD_INPUT, file->path, 1,
                                "found column '%.60s', expected those of memplan table rows", name);
        file->column[file->columns++] = &known->column[c];
    }
    return STATUS_OK;
}

static enum status read_row(struct rows_file *file, struct result_row *row, struct error *error)
{
    bool more = true;
    *row = (struct result_row){0};
    for (unsigned c = 0; c < columns_of_results.columns; c++)
        if (columns_of_results.column[c].kind == COLUMN_TEXT)
            *(const char **)((char *)row + columns_of_results.column[c].offset) = "";
    for (unsigned c = 0; c < file->columns; c++) {
        const struct column *column = file->column[c];
        char *place = (char *)row + column->offset;
        if (!more)
            return error_set_at(error, STATUS_BAD_INPUT, file->path, file->line,
                                "found %u fields, expected %u as in the heading", c, file->columns);
        const char *field = cut_field(file, &more);
        if (column->kind == COLUMN_TEXT)
            *(const char **)place = field;
        else if (*field && !text_parse_u64(field, strlen(field), (uint64_t *)place))
            return error_set_at(error, STATUS_BAD_INPUT, file->path, file->line,
                                "found '%.40s' as %s, expected a number", field, column->name);
    }
    if (more || !*row->run || !*row->digest || !*row->planner)
        return error_set_at(error, STATUS_BAD_INPUT, file->path, file->line,
                            more ? "found more fields than the heading has, expected as many"
                                 : "found no run, digest or planner, expected all three");
    return STATUS_OK;
}

static enum status write_row(struct store *store, const struct result_row *row, struct names *runs,
                             struct error *error)
{
    if (names_find(runs, row->run) == NAMES_NONE) {
        const struct run_row run = {.label = row->run,
                                    .started = row->started,
                                    .ended = row->started,
                                    .command = "",
                                    .build = row->build,
                                    .source_commit = "",
                                    .host = row->host,
                                    .cpu = "",
                                    .kernel = "",
                                    .governor = "",
                                    .turbo = "",
                                    .throttled = "",
                                    .noise = ""};
        TRY(runs_write(store, &run, error));
        TRY(names_add(runs, row->run, error));
    }
    return store_write(store, row, NULL, 0, error);
}

enum status rows_file_import(struct store *store, const char *path, struct merge_transferred *done,
                             struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    SCOPED(names_free) struct names runs = {0};
    struct rows_file file = {.path = path, .line = 1};
    assert(store && done);
    TRY(file_name_has_extension(path, ".gz") ? gzip_read_file(path, &text, error)
                                             : text_read_file(path, &text, error));
    *done = (struct merge_transferred){0};
    file.at = text.bytes;
    TRY(read_heading(&file, error));
    while (*file.at) {
        struct result_row row;
        file.line++;
        TRY(read_row(&file, &row, error));
        TRY(write_row(store, &row, &runs, error));
        done->rows++;
    }
    done->runs = runs.count;
    return STATUS_OK;
}
