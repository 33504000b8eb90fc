#include "datasets/csv/rows.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
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

static enum status split_line(struct csv_rows *rows, uint32_t *count, struct error *error)
{
    struct csv_field rest = {rows->line.start, rows->line.length}, part;
    *count = 0;
    if (memchr(rest.start, '\0', rest.length))
        return csv_fields_fail(rows, error, "found a zero byte, expected text");
    if (!utf8_is_valid(rest.start, rest.length))
        return csv_fields_fail(rows, error, "found bytes that are not UTF-8, expected text");
    while (csv_field_cut(&rest, ',', &part)) {
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
    memory_free(rows->field);
    memory_free(rows->row.id);
    memory_free(rows->row.gap);
    memory_free(rows->row.extent);
    memory_free(rows->row.clock);
    memory_free(rows->buffer_line);
}

/* Clocks: the times of a row as "3:0:7", a component for each stream, as OmniMalloc writes them. */

static bool is_clock(struct csv_field field)
{
    return memchr(field.start, ':', field.length) != NULL;
}

static enum status read_components(const struct csv_rows *rows, struct csv_field field,
                                   uint32_t *component, struct error *error)
{
    const struct csv_range range = {"component of a clock", 0, UINT32_MAX};
    struct csv_field part;
    while (csv_field_cut(&field, ':', &part)) {
        uint64_t number;
        TRY(csv_field_number(rows, part, range, &number, error));
        *component++ = (uint32_t)number;
    }
    return STATUS_OK;
}

static enum status read_clock(struct csv_rows *rows, struct csv_field lower, struct csv_field upper,
                              struct error *error)
{
    struct csv_row *row = &rows->row;
    uint32_t streams = 1, other = 1;
    for (size_t i = 0; i < lower.length; i++)
        streams += lower.start[i] == ':';
    for (size_t i = 0; i < upper.length; i++)
        other += upper.start[i] == ':';
    if (rows->inclusive || rows->open)
        return csv_fields_fail(rows, error,
                               "found a clock, expected numbers where times are %s: clocks are "
                               "half-open",
                               rows->open ? "open" : "inclusive");
    if (streams != other)
        return csv_fields_fail(
            rows, error,
            "found clocks of %u and of %u streams, expected as many in lower and upper", streams,
            other);
    TRY(memory_reserve(&row->clock, &rows->clock_capacity, 2 * (size_t)streams, sizeof *row->clock,
                       error));
    row->streams = streams;
    TRY(read_components(rows, lower, row->clock, error));
    return read_components(rows, upper, row->clock + streams, error);
}

/* Extents: "offset+length;offset+length", where a split buffer lies. */

static enum status read_extents(struct csv_rows *rows, struct csv_field field, struct error *error)
{
    static const struct csv_range offsets = {"offset of an extent", 0, INT64_MAX},
                                  lengths = {"length of an extent", 1, INT64_MAX};
    struct csv_row *row = &rows->row;
    struct csv_field item, offset;
    row->extents = 0;
    while (field.length + row->extents && csv_field_cut(&field, ';', &item)) {
        TRY(memory_reserve(&row->extent, &rows->extent_capacity, (size_t)row->extents + 1,
                           sizeof *row->extent, error));
        struct extent *extent = &row->extent[row->extents];
        item = csv_field_trim(item.start, item.length);
        struct csv_field bytes = item;
        csv_field_cut(&bytes, '+', &offset);
        if (!bytes.start)
            return csv_fields_fail(rows, error, "found extent '%.*s', expected offset+length",
                                   csv_field_shown(item), item.start);
        offset = csv_field_trim(offset.start, offset.length);
        bytes = csv_field_trim(bytes.start, bytes.length);
        TRY(csv_field_number(rows, offset, offsets, &extent->offset, error));
        TRY(csv_field_number(rows, bytes, lengths, &extent->bytes, error));
        row->extents++;
    }
    return STATUS_OK;
}

/* Gaps: when a buffer is not used during its lifetime, or which of its bytes only. Gaps are
   separated by blanks, each is "lower-upper" or "lower-upper@low:high". */

static enum status fail_gap(const struct csv_rows *rows, struct csv_field gap, const char *expected,
                            struct error *error)
{
    return csv_fields_fail(rows, error, "found gap '%.*s', expected %s", csv_field_shown(gap),
                           gap.start, expected);
}

static enum status read_gap(const struct csv_rows *rows, struct csv_field field,
                            struct csv_gap *gap, struct error *error)
{
    const struct csv_range begins = {"begin of a gap", 0, UINT32_MAX - 1};
    const struct csv_range ends = {"end of a gap", 0, UINT32_MAX - rows->inclusive};
    struct csv_field window = field, times = {0}, lower_text, low;
    uint64_t lower, upper;
    *gap = (struct csv_gap){0};
    csv_field_cut(&window, '@', &times);
    struct csv_field upper_text = times;
    csv_field_cut(&upper_text, '-', &lower_text);
    if (!upper_text.start)
        return fail_gap(rows, field, "lower-upper or lower-upper@low:high", error);
    TRY(csv_field_number(rows, lower_text, begins, &lower, error));
    TRY(csv_field_number(rows, upper_text, ends, &upper, error));
    upper += rows->inclusive;
    gap->lower = (uint32_t)lower;
    gap->upper = (uint32_t)upper;
    if (lower >= upper)
        return fail_gap(rows, field, "one that ends after it begins", error);
    if (lower < rows->row.lower || upper > rows->row.upper)
        return fail_gap(rows, field, "one inside the lifetime", error);
    if (!window.start)
        return STATUS_OK;
    struct csv_field high = window; /* bytes from the beginning of the buffer */
    csv_field_cut(&high, ':', &low);
    if (!high.start)
        return fail_gap(rows, window, "low:high after the @", error);
    struct csv_range range = {"first byte of a gap's window", 0, rows->row.size - 1};
    TRY(csv_field_number(rows, low, range, &gap->window_lower, error));
    gap->window = true;
    range = (struct csv_range){"end of a gap's window", gap->window_lower + 1, rows->row.size};
    return csv_field_number(rows, high, range, &gap->window_upper, error);
}

static int compare_gaps(const void *left, const void *right)
{
    const struct csv_gap *a = left, *b = right;
    return compare_numbers(a->lower, b->lower);
}

static enum status read_gaps(struct csv_rows *rows, struct csv_field field, struct error *error)
{
    struct csv_row *row = &rows->row;
    const char *end = field.start + field.length;
    row->gaps = 0;
    for (const char *at = field.start; at < end; at++) {
        const char *start = at;
        while (at < end && *at != ' ' && *at != '\t')
            at++;
        if (at == start)
            continue;
        struct csv_field token = {start, (size_t)(at - start)};
        TRY(memory_reserve(&row->gap, &rows->gap_capacity, (size_t)row->gaps + 1, sizeof *row->gap,
                           error));
        TRY(read_gap(rows, token, &row->gap[row->gaps], error));
        row->gaps++;
    }
    if (row->gaps)
        qsort(row->gap, row->gaps, sizeof *row->gap, compare_gaps);
    uint32_t live_from = row->lower;
    bool live = false;
    for (uint32_t i = 0; i < row->gaps; i++) {
        const struct csv_gap *gap = &row->gap[i];
        if (i && gap->lower < gap[-1].upper)
            return csv_fields_fail(rows, error,
                                   "found gaps [%u, %u) and [%u, %u), expected gaps that do not "
                                   "overlap",
                                   gap[-1].lower, gap[-1].upper, gap->lower, gap->upper);
        live = live || gap->window || gap->lower > live_from;
        live_from = gap->upper;
    }
    if (live || live_from < row->upper)
        return STATUS_OK;
    return csv_fields_fail(rows, error,
                           "found gaps all through the lifetime, expected a step with the buffer");
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

static enum status read_lifetime(struct csv_rows *rows, struct error *error)
{
    uint64_t lower, upper;
    rows->row.streams = 0;
    if (is_clock(get_field(rows, CSV_LOWER)) || is_clock(get_field(rows, CSV_UPPER)))
        return read_clock(rows, get_field(rows, CSV_LOWER), get_field(rows, CSV_UPPER), error);
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
        TRY(read_extents(rows, get_field(rows, CSV_EXTENTS), error));
    row->storage_id = STORAGE_IDS_NONE;
    if (has_column(rows, CSV_STORAGE_ID) && get_field(rows, CSV_STORAGE_ID).length)
        TRY(read_number(rows, CSV_STORAGE_ID, &row->storage_id, error));
    if (has_column(rows, CSV_GAPS) && row->streams && get_field(rows, CSV_GAPS).length)
        return csv_fields_fail(rows, error, "found gaps of a buffer with a clock, expected none");
    if (has_column(rows, CSV_GAPS) && !row->streams)
        TRY(read_gaps(rows, get_field(rows, CSV_GAPS), error));
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
    TRY(read_number(rows, CSV_SIZE, &row->size, error));
    return read_optional(rows, error);
}
