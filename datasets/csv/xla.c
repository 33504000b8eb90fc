#include "datasets/csv/xla.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "datasets/csv/rows.h"

enum { MOST_FIELDS = 8 };

struct reader {
    struct csv_rows rows; /* used for the position in the text and for reading numbers */
    struct csv_field field[MOST_FIELDS];
    uint32_t fields;
    bool allocations;
    enum csv_lifetimes lifetimes;
    enum fixed_offsets offsets;
    struct problem *problem;
};

struct row {
    uint64_t size, offset, lower, last;
};

enum { BUFFER_ID, BUFFER_SIZE = 3, BUFFER_DEFINITION, BUFFER_USES };
enum { ALLOCATION_ID, ALLOCATION_SIZE, ALLOCATION_OFFSET, ALLOCATION_START, ALLOCATION_END };

static const char buffer_header[] =
    "buffer_id,buffer_name,alt_mem_benefit,size,definition_time,use_times,use_names";
static const char allocation_header[] = "buffer_id,size,offset,start_time,end_time";

static bool has_header(const struct reader *reader, const char *header, const char *more)
{
    struct csv_field line = csv_field_trim(reader->rows.line.start, reader->rows.line.length);
    size_t length = strlen(header);
    if (line.length < length || memcmp(line.start, header, length) != 0)
        return false;
    return line.length == length || (line.length == length + strlen(more) &&
                                     memcmp(line.start + length, more, strlen(more)) == 0);
}

/* Cuts a line into fields, which may be in quotes with commas inside. */
static enum status split_line(struct reader *reader, struct error *error)
{
    const char *at = reader->rows.line.start, *end = at + reader->rows.line.length;
    uint32_t least = reader->allocations ? 5 : 7, most = reader->allocations ? 5 : 8;
    uint32_t count = 0;
    for (; at; count++) {
        bool quoted = at < end && *at == '"';
        const char *stop = quoted ? memchr(at + 1, '"', (size_t)(end - at - 1)) : NULL;
        const char *from = stop ? stop : at, *comma = memchr(from, ',', (size_t)(end - from));
        if (count < MOST_FIELDS)
            reader->field[count] = stop ? (struct csv_field){at + 1, (size_t)(stop - at - 1)}
                                        : csv_field_trim(at, (size_t)((comma ? comma : end) - at));
        at = comma ? comma + 1 : NULL;
    }
    reader->fields = count;
    if (count >= least && count <= most)
        return STATUS_OK;
    return csv_fields_fail(&reader->rows, error, "found %u fields, expected %u as in the header",
                           count, most);
}

static const struct csv_range sizes = {"size", 1, INT64_MAX};

static enum status read_time(const struct reader *reader, struct csv_field field, const char *what,
                             uint64_t *time, struct error *error)
{
    const struct csv_range range = {what, 0, UINT32_MAX - 2};
    return csv_field_number(&reader->rows, field, range, time, error);
}

static enum status read_buffer(const struct reader *reader, struct row *row, struct error *error)
{
    struct csv_field uses = reader->field[BUFFER_USES], use;
    row->offset = PROBLEM_FREE;
    TRY(csv_field_number(&reader->rows, reader->field[BUFFER_SIZE], sizes, &row->size, error));
    TRY(read_time(reader, reader->field[BUFFER_DEFINITION], "definition time", &row->lower, error));
    /* The last step is the greatest of several uses like "3;7;7", or the definition where there are
       none. */
    row->last = row->lower + (reader->lifetimes != CSV_LIFETIMES_INCLUSIVE);
    for (bool any = uses.length; any && csv_field_cut(&uses, ';', &use);) {
        uint64_t time;
        TRY(read_time(reader, use, "use time", &time, error));
        if (time > row->last)
            row->last = time;
    }
    return STATUS_OK;
}

/* Makes the name of a buffer from its id. Ids are integers, negative ones for scoped allocations,
   and one id may occur several times. */
static enum status make_name(const struct reader *reader, char *name, size_t bytes,
                             struct error *error)
{
    struct csv_field field = reader->field[BUFFER_ID];
    int64_t id;
    if (!text_parse_i64(field.start, field.length, &id))
        return csv_fields_fail(&reader->rows, error, "found '%.*s' as id, expected an integer",
                               csv_field_shown(field), field.start);
    snprintf(name, bytes, "%" PRId64, id);
    for (unsigned n = 2; names_find(&reader->problem->names, name) != NAMES_NONE; n++) {
        if (!reader->allocations)
            return csv_fields_fail(&reader->rows, error, "found id %s again, expected each once",
                                   name);
        snprintf(name, bytes, "%" PRId64 ":%u", id, n);
    }
    return STATUS_OK;
}

static enum status add_row(struct reader *reader, struct error *error)
{
    static const struct csv_range offsets = {"offset", 0, INT64_MAX};
    const struct csv_field *field = reader->field;
    char name[48];
    struct row row = {.offset = PROBLEM_FREE};
    uint64_t upper;
    TRY(split_line(reader, error));
    TRY(make_name(reader, name, sizeof name, error));
    if (reader->allocations) {
        TRY(csv_field_number(&reader->rows, field[ALLOCATION_SIZE], sizes, &row.size, error));
        TRY(csv_field_number(&reader->rows, field[ALLOCATION_OFFSET], offsets, &row.offset, error));
        TRY(read_time(reader, field[ALLOCATION_START], "start time", &row.lower, error));
        TRY(read_time(reader, field[ALLOCATION_END], "end time", &row.last, error));
    } else {
        TRY(read_buffer(reader, &row, error));
    }
    if (!csv_lifetimes_upper(reader->lifetimes, row.lower, row.last, &upper))
        return csv_fields_fail(&reader->rows, error,
                               "found times %" PRIu64 " and %" PRIu64 ", expected a lifetime "
                               "that is not empty",
                               row.lower, row.last);
    const struct problem_buffer buffer = {
        .name = name,
        .size = row.size,
        .alignment = 1,
        .fixed_offset = reader->offsets == FIXED_OFFSETS_IGNORED ? PROBLEM_FREE : row.offset,
        .hint = -1};
    const struct problem_segment segment = {(uint32_t)row.lower, (uint32_t)upper, 0, row.size};
    enum status status = problem_add_buffer(reader->problem, &buffer, error);
    if (!status)
        status = problem_add_segment(reader->problem, segment, error);
    TRY(csv_rows_place(&reader->rows, status, error));
    return csv_rows_note_buffer(&reader->rows, error);
}

static void free_reader(struct reader *reader)
{
    csv_rows_free(&reader->rows);
    problem_free(reader->problem);
}

enum status xla_csv_read(const struct text *text, const char *file,
                         const struct problem_csv_options *options, struct problem **problem,
                         struct error *error)
{
    SCOPED(free_reader)
    struct reader reader = {.rows = {.text = text, .file = file},
                            .lifetimes =
                                csv_dialect_lifetimes(options->dialect, options->lifetimes),
                            .offsets = options->offsets};
    SCOPED(memory_release) char *name = file_name_stem(file);
    if (!name)
        return error_no_memory(error);
    TRY(problem_create(&reader.problem, name, error));
    if (!csv_rows_next_line(&reader.rows))
        return error_set_at(error, STATUS_BAD_INPUT, file, 1,
                            "found an empty file, expected XLA's bufferinfo or allocinfo");
    reader.allocations = has_header(&reader, allocation_header, "");
    if (!reader.allocations && !has_header(&reader, buffer_header, ",is_scoped"))
        return csv_fields_fail(&reader.rows, error,
                               "found another header, expected %s[,is_scoped] or %s", buffer_header,
                               allocation_header);
    while (csv_rows_next_line(&reader.rows))
        TRY(add_row(&reader, error));
    if (!reader.problem->buffers)
        return csv_fields_fail(&reader.rows, error, "found no buffers, expected a row for each");
    TRY(csv_rows_finish(&reader.rows, reader.problem, error));
    HAND_OVER(reader.problem, problem);
}

enum status xla_csv_write_plan(const struct problem *problem, const struct plan *plan,
                               struct text *text, struct error *error)
{
    text_append(text, "%s\n", allocation_header);
    for (uint32_t b = 0; b < problem->buffers; b++) {
        if (extents_count(plan->extents, b))
            return error_set(error, STATUS_BAD_INPUT,
                             "found buffer '%s' in several pieces, expected one place for each",
                             names_get(&problem->names, b));
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++) {
            uint64_t from = problem_window_lower(problem, s);
            if (problem->lower[s] >= problem->line_end)
                continue; /* a conflict step, where nothing runs */
            text_append(text, "%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",%" PRIu32 "\n", b,
                        problem_window_upper(problem, s) - from, plan->offset[b] + from,
                        problem->lower[s], problem->upper[s] - 1);
        }
    }
    return text_check(text, error);
}
