#include "datasets/csv/rows.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "core/memory.h"
#include "core/utf8.h"

enum { SHOWN = 60 };

int csv_field_shown(struct csv_field field)
{
    return field.length < SHOWN ? (int)field.length : SHOWN;
}

enum status csv_fields_fail(const struct csv_rows *rows, struct error *error, const char *format,
                            ...)
{
    char message[sizeof error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return error_set_at(error, STATUS_BAD_INPUT, rows->file, rows->line.number, "%s", message);
}

struct csv_field csv_field_trim(const char *start, size_t length)
{
    while (length && (*start == ' ' || *start == '\t')) {
        start++;
        length--;
    }
    while (length && (start[length - 1] == ' ' || start[length - 1] == '\t'))
        length--;
    return (struct csv_field){start, length};
}

enum status csv_field_number(const struct csv_rows *rows, struct csv_field field,
                             struct csv_range range, uint64_t *number, struct error *error)
{
    if (text_parse_u64(field.start, field.length, number) && *number >= range.least &&
        *number <= range.most)
        return STATUS_OK;
    return csv_fields_fail(
        rows, error, "found '%.*s' as %s, expected an integer from %" PRIu64 " to %" PRIu64,
        csv_field_shown(field), field.start, range.what, range.least, range.most);
}

bool csv_field_cut(struct csv_field *rest, char separator, struct csv_field *part)
{
    if (!rest->start)
        return false;
    const char *found = memchr(rest->start, separator, rest->length);
    *part = (struct csv_field){rest->start, found ? (size_t)(found - rest->start) : rest->length};
    *rest = found ? (struct csv_field){found + 1, rest->length - part->length - 1}
                  : (struct csv_field){NULL, 0};
    return true;
}

/* All names that a column may have in the header. The first one is used in messages. */
enum { MOST_NAMES = 3 };
static const char *const headings[CSV_COLUMNS][MOST_NAMES] = {
    [CSV_ID] = {"id", "buffer", "buffer_id"},
    [CSV_LOWER] = {"lower", "start", "begin"},
    [CSV_UPPER] = {"upper", "end"},
    [CSV_SIZE] = {"size"},
    [CSV_ALIGNMENT] = {"alignment"},
    [CSV_HINT] = {"hint"},
    [CSV_GAPS] = {"gaps"},
    [CSV_OFFSET] = {"offset"},
    [CSV_EXTENTS] = {"extents"},
    [CSV_STORAGE_ID] = {"storage_id"}};

#define KNOWN_COLUMNS                                                                              \
    "id|buffer|buffer_id, lower|start|begin, upper|end, size, alignment, hint, gaps, offset, "     \
    "extents, storage_id"

enum status csv_rows_place(const struct csv_rows *rows, enum status status, struct error *error)
{
    if (status != STATUS_BAD_INPUT)
        return status;
    error_name_file(error, rows->file);
    error->line = rows->line.number;
    return status;
}

enum status csv_rows_note_buffer(struct csv_rows *rows, struct error *error)
{
    TRY(memory_reserve(&rows->buffer_line, &rows->line_capacity, (size_t)rows->buffers + 1,
                       sizeof *rows->buffer_line, error));
    rows->buffer_line[rows->buffers++] = rows->line.number;
    return STATUS_OK;
}

enum status csv_rows_finish(const struct csv_rows *rows, struct problem *problem,
                            struct error *error)
{
    assert(rows->buffers == problem->buffers);
    enum status status = csv_rows_place(rows, problem_finish(problem, error), error);
    if (status == STATUS_BAD_INPUT)
        error->line = rows->buffer_line[problem_find_fault(problem)];
    return status;
}

bool csv_rows_next_line(struct csv_rows *rows)
{
    while (text_next_line(rows->text, &rows->line))
        if (csv_field_trim(rows->line.start, rows->line.length).length)
            return true;
    return false;
}

/* How many brackets are open at the end of a field. */
static int count_open(struct csv_field field)
{
    int open = 0;
    for (size_t i = 0; i < field.length; i++)
        open += (field.start[i] == '(') - (field.start[i] == ')');
    return open;
}

static enum status split_line(struct csv_rows *rows, uint32_t *count, struct error *error)
{
    struct csv_field rest = {rows->line.start, rows->line.length}, part;
    *count = 0;
    if (memchr(rest.start, '\0', rest.length))
        return csv_fields_fail(rows, error, "found a zero byte, expected text");
    if (!utf8_is_valid(rest.start, rest.length))
        return csv_fields_fail(rows, error, "found bytes that are not UTF-8, expected text");
    while (csv_field_cut(&rest, ',', &part)) {
        /* Commas within the brackets of an expression, as of max(a, b), do not end it. */
        while (rows->parameters.length && (int32_t)*count == rows->column[CSV_SIZE] && rest.start &&
               count_open(part) > 0) {
            struct csv_field more;
            csv_field_cut(&rest, ',', &more);
            part.length = (size_t)(more.start + more.length - part.start);
        }
        TRY(memory_reserve(&rows->field, &rows->field_capacity, (size_t)*count + 1,
                           sizeof *rows->field, error));
        rows->field[(*count)++] = csv_field_trim(part.start, part.length);
    }
    return STATUS_OK;
}

static enum status read_header(const struct text *text, const char *file, struct csv_rows *rows,
                               struct error *error)
{
    static const char mark[] = "\xef\xbb\xbf";
    *rows = (struct csv_rows){.text = text, .file = file};
    for (int i = 0; i < CSV_COLUMNS; i++)
        rows->column[i] = -1;
    bool found = csv_rows_next_line(rows);
    struct csv_field line = csv_field_trim(rows->line.start, rows->line.length);
    if (found && line.length >= 2 && memcmp(line.start, "# ", 2) == 0) {
        rows->note = csv_field_trim(line.start + 2, line.length - 2);
        found = csv_rows_next_line(rows);
    }
    if (!found)
        return error_set_at(error, STATUS_BAD_INPUT, file, 1,
                            "found an empty file, expected a header with some of %s",
                            KNOWN_COLUMNS);
    TRY(split_line(rows, &rows->fields, error));
    /* Spreadsheets write a byte order mark before the first field. */
    struct csv_field *first = &rows->field[0];
    if (first->length >= 3 && memcmp(first->start, mark, 3) == 0)
        *first = csv_field_trim(first->start + 3, first->length - 3);
    return STATUS_OK;
}

void csv_rows_set_lifetimes(struct csv_rows *rows, enum csv_lifetimes lifetimes)
{
    if (lifetimes == CSV_LIFETIMES_BY_HEADER)
        return;
    rows->inclusive = lifetimes == CSV_LIFETIMES_INCLUSIVE;
    rows->open = lifetimes == CSV_LIFETIMES_OPEN;
}

/* Opens a file whose columns are in a fixed order. Tools that read such files skip the first line
   without looking at it; if it holds a buffer, that buffer would be lost, so it is refused. */
enum status csv_rows_open_positional(const struct text *text, const char *file,
                                     enum csv_lifetimes lifetimes, struct csv_rows *rows,
                                     struct error *error)
{
    uint64_t number;
    TRY(read_header(text, file, rows, error));
    if (rows->fields != CSV_SIZE + 1)
        return csv_fields_fail(
            rows, error, "found %u columns, expected 4: id, lower, upper and size", rows->fields);
    if (text_parse_u64(rows->field[CSV_SIZE].start, rows->field[CSV_SIZE].length, &number))
        return csv_fields_fail(rows, error, "found a buffer in the first line, expected a header");
    for (int i = CSV_ID; i <= CSV_SIZE; i++)
        rows->column[i] = i;
    csv_rows_set_lifetimes(rows, lifetimes);
    return STATUS_OK;
}

enum status csv_rows_open(const struct text *text, const char *file, struct csv_rows *rows,
                          struct error *error)
{
    TRY(read_header(text, file, rows, error));
    for (uint32_t f = 0; f < rows->fields; f++) {
        struct csv_field field = rows->field[f];
        const char *name = NULL;
        int32_t *column = NULL;
        size_t heading = strlen(headings[CSV_SIZE][0]);
        if (field.length > heading && field.start[heading] == ' ' &&
            memcmp(field.start, headings[CSV_SIZE][0], heading) == 0) {
            rows->parameters = csv_field_trim(field.start + heading, field.length - heading);
            field.length = heading;
        }
        for (int c = 0; c < CSV_COLUMNS; c++)
            for (int n = 0; n < MOST_NAMES && headings[c][n]; n++)
                if (strlen(headings[c][n]) == field.length &&
                    memcmp(headings[c][n], field.start, field.length) == 0) {
                    name = headings[c][n];
                    column = &rows->column[c];
                }
        if (!column)
            return csv_fields_fail(rows, error, "found unknown column '%.*s', expected some of %s",
                                   csv_field_shown(field), field.start, KNOWN_COLUMNS);
        if (*column >= 0) {
            struct csv_field first = rows->field[*column];
            return csv_fields_fail(rows, error,
                                   "found the columns '%.*s' and '%s', expected only one of them",
                                   csv_field_shown(first), first.start, name);
        }
        *column = (int32_t)f;
        rows->inclusive = rows->inclusive || strcmp(name, "end") == 0;
    }
    for (int i = CSV_ID; i <= CSV_SIZE; i++)
        if (rows->column[i] < 0)
            return csv_fields_fail(rows, error, "found no column '%s', expected one (known: %s)",
                                   headings[i][0], KNOWN_COLUMNS);
    return STATUS_OK;
}

void csv_rows_free(struct csv_rows *rows)
{
    memory_free_all(rows->field, rows->row.id, rows->row.gap, rows->row.extent, rows->row.clock,
                    rows->buffer_line);
}

static bool has_column(const struct csv_rows *rows, enum csv_column column)
{
    return rows->column[column] >= 0;
}

static struct csv_field get_field(const struct csv_rows *rows, enum csv_column column)
{
    return rows->field[rows->column[column]];
}

static enum status read_number(const struct csv_rows *rows, enum csv_column column,
                               uint64_t *number, struct error *error)
{
    static const struct {
        uint64_t least, most;
    } limits[CSV_COLUMNS] = {
        [CSV_LOWER] = {0, UINT32_MAX - 1},
        [CSV_SIZE] = {1, INT64_MAX},
        [CSV_ALIGNMENT] = {1, INT64_MAX},
        [CSV_OFFSET] = {0, INT64_MAX},
        [CSV_STORAGE_ID] = {0, STORAGE_IDS_NONE - 1},
    };
    struct csv_range range = {headings[column][0], limits[column].least, limits[column].most};
    return csv_field_number(rows, get_field(rows, column), range, number, error);
}

static bool is_clock(struct csv_field field)
{
    return memchr(field.start, ':', field.length) != NULL;
}

static enum status read_lifetime(struct csv_rows *rows, struct error *error)
{
    uint64_t lower, upper;
    rows->row.streams = 0;
    if (is_clock(get_field(rows, CSV_LOWER)) || is_clock(get_field(rows, CSV_UPPER)))
        return csv_rows_read_clock(rows, get_field(rows, CSV_LOWER), get_field(rows, CSV_UPPER),
                                   error);
    TRY(read_number(rows, CSV_LOWER, &lower, error));
    struct csv_range range = {rows->inclusive ? "end" : "upper", 0, UINT32_MAX - rows->inclusive};
    TRY(csv_field_number(rows, get_field(rows, CSV_UPPER), range, &upper, error));
    upper += rows->inclusive;
    rows->row.lower = (uint32_t)lower;
    rows->row.upper = (uint32_t)upper;
    if (lower + rows->open < upper)
        return STATUS_OK;
    if (rows->open)
        return csv_fields_fail(rows, error,
                               "found lower %" PRIu64 " and upper %" PRIu64
                               ", expected lower + 2 <= upper between open ends",
                               lower, upper);
    return csv_fields_fail(rows, error, "found lower %" PRIu64 " and %s %" PRIu64 ", expected %s",
                           lower, rows->inclusive ? "end" : "upper", upper - rows->inclusive,
                           rows->inclusive ? "lower <= end" : "lower < upper");
}

static enum status read_optional(struct csv_rows *rows, struct error *error)
{
    struct csv_row *row = &rows->row;
    row->alignment = 1;
    row->hint = -1;
    row->gaps = 0;
    row->extents = 0;
    row->has_offset = has_column(rows, CSV_OFFSET) && get_field(rows, CSV_OFFSET).length;
    if (has_column(rows, CSV_ALIGNMENT))
        TRY(read_number(rows, CSV_ALIGNMENT, &row->alignment, error));
    if (has_column(rows, CSV_HINT)) {
        struct csv_field field = get_field(rows, CSV_HINT);
        if (!text_parse_i64(field.start, field.length, &row->hint))
            return csv_fields_fail(rows, error,
                                   "found '%.*s' as hint, expected an integer, negative for none",
                                   csv_field_shown(field), field.start);
        row->hint = row->hint < 0 ? -1 : row->hint;
    }
    if (row->has_offset)
        TRY(read_number(rows, CSV_OFFSET, &row->offset, error));
    if (has_column(rows, CSV_EXTENTS))
        TRY(csv_rows_read_extents(rows, get_field(rows, CSV_EXTENTS), error));
    row->storage_id = STORAGE_IDS_NONE;
    if (has_column(rows, CSV_STORAGE_ID) && get_field(rows, CSV_STORAGE_ID).length)
        TRY(read_number(rows, CSV_STORAGE_ID, &row->storage_id, error));
    if (has_column(rows, CSV_GAPS) && row->streams && get_field(rows, CSV_GAPS).length)
        return csv_fields_fail(rows, error, "found gaps of a buffer with a clock, expected none");
    if (has_column(rows, CSV_GAPS) && !row->streams)
        TRY(csv_rows_read_gaps(rows, get_field(rows, CSV_GAPS), error));
    return STATUS_OK;
}

enum status csv_rows_next(struct csv_rows *rows, bool *found, struct error *error)
{
    struct csv_row *row = &rows->row;
    uint32_t count;
    *found = csv_rows_next_line(rows);
    if (!*found)
        return STATUS_OK;
    TRY(split_line(rows, &count, error));
    if (count != rows->fields)
        return csv_fields_fail(rows, error, "found %u fields, expected %u as in the header", count,
                               rows->fields);
    row->line = rows->line.number;
    struct csv_field id = get_field(rows, CSV_ID);
    if (!id.length)
        return csv_fields_fail(rows, error, "found an empty id, expected a name");
    TRY(memory_reserve(&row->id, &rows->id_capacity, id.length + 1, 1, error));
    memcpy(row->id, id.start, id.length);
    row->id[id.length] = '\0';
    TRY(read_lifetime(rows, error));
    row->size = 0;
    if (rows->parameters.length)
        row->expression = get_field(rows, CSV_SIZE);
    else
        TRY(read_number(rows, CSV_SIZE, &row->size, error));
    return read_optional(rows, error);
}
