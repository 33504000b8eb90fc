/* MiniMalloc's CSV, and memplan-problem/1 and memplan-plan/1 in JSON, as docs/formats.md
   has them. */
#include "proofs/checker/problem_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What columns of CSV say; of them, HINT and STORAGE say nothing here. Then what only keys of JSON
   say. */
enum { SIZE, ALIGNMENT, OFFSET, LOWER, UPPER, LAST, ID, GAPS, HINT, STORAGE, COLUMNS };
enum { SEGMENTS = COLUMNS, CLOCK, FORMAT, BUFFERS, CONFLICTS, PARAMETERS, FIELDS };

/* The names of each field, with a blank behind each. */
static const char *const CSV[FIELDS] = {"size ",
                                        "alignment ",
                                        "offset ",
                                        "lower start begin ",
                                        "upper ",
                                        "end ",
                                        "id buffer buffer_id ",
                                        "gaps ",
                                        "hint ",
                                        "storage_id "};
static const char *const JSON[FIELDS] = {[SIZE] = "size ",           [ALIGNMENT] = "alignment ",
                                         [OFFSET] = "offset ",       [ID] = "name ",
                                         [SEGMENTS] = "segments ",   [CLOCK] = "clock ",
                                         [FORMAT] = "format ",       [BUFFERS] = "buffers ",
                                         [CONFLICTS] = "conflicts ", [PARAMETERS] = "parameters "};

/* Where the values of a line of CSV or of an object of JSON stand; NULL where there is none. */
struct row {
    char *at[FIELDS];
    uint64_t line[FIELDS];
};

/* What is being read of a file: a text that ends in a 0, from here on. */
struct reader {
    char *at;
    const char *ends; /* the bytes that may stand behind a number, beside the 0 */
    struct problem *problem;
};

static int find_field(const char *const *names, const char *name)
{
    size_t length = strlen(name);
    for (int field = 0; field < FIELDS; field++)
        for (const char *at = names[field]; at && *at; at = strchr(at, ' ') + 1)
            if (strncmp(at, name, length) == 0 && at[length] == ' ')
                return field;
    return FIELDS;
}

static int64_t get_number(const struct reader *reader, const char *text)
{
    const char *at = text;
    int64_t number = check_input_number(&at);
    if (!strchr(reader->ends, *at) || number < 0)
        UNREADABLE("found '%.40s', expected a whole number of at least 0", text);
    return number;
}

/* Adds a buffer, whose segments are those added next, and returns it. */
static struct buffer *add_buffer(const struct reader *reader, const char *name,
                                 const struct row *row)
{
    struct problem *problem = reader->problem;
    struct buffer buffer = {name, 0, 1, BUFFER_FREE, problem->segments, problem->segments, false};
    if (row->at[SIZE])
        buffer.size = get_number(reader, row->at[SIZE]);
    if (row->at[ALIGNMENT])
        buffer.alignment = get_number(reader, row->at[ALIGNMENT]);
    if (row->at[OFFSET] && *row->at[OFFSET])
        buffer.fixed = get_number(reader, row->at[OFFSET]);
    if (buffer.size < 1 || buffer.alignment < 1)
        UNREADABLE("expected a size and an alignment of at least 1");
    if (problem->buffers == UINT32_MAX - 1)
        UNREADABLE("found more than 2^32 - 2 buffers");
    CHECK_APPEND(problem->buffer, problem->buffers, buffer);
    return &problem->buffer[problem->buffers - 1];
}

/* Adds a segment to the last buffer. One that adjoins the segment before and uses the same bytes
   makes that longer. */
static void add_segment(const struct reader *reader, struct segment segment)
{
    struct problem *problem = reader->problem;
    struct buffer *buffer = &problem->buffer[problem->buffers - 1];
    struct segment *last = buffer->end > buffer->first ? &problem->segment[buffer->end - 1] : NULL;
    if (segment.lower < (last ? last->upper : 0) || segment.lower >= segment.upper ||
        segment.upper >= UINT32_MAX)
        UNREADABLE("expected segments that ascend and do not overlap");
    if (segment.begin < 0 || segment.begin >= segment.end || segment.end > buffer->size)
        UNREADABLE("expected a window inside the buffer");
    if (last && last->upper == segment.lower && last->begin == segment.begin &&
        last->end == segment.end) {
        last->upper = segment.upper;
        return;
    }
    segment.buffer = problem->buffers - 1;
    CHECK_APPEND(problem->segment, problem->segments, segment);
    buffer->end = problem->segments;
}

/* Cuts the first field off a line, and blanks around it; *line is NULL behind the last one. */
static char *cut_field(char **line)
{
    static const char blanks[] = " \t\r\v\f";
    char *field = *line + strspn(*line, blanks), *end = field + strcspn(field, ",");
    *line = *end ? end + 1 : NULL;
    while (end > field && strchr(blanks, end[-1]))
        end--;
    *end = 0;
    return field;
}

/* The columns of a table of CSV. */
struct columns {
    int field[COLUMNS];
    int count;
    bool has[COLUMNS];
};

static void read_header(char *line, struct columns *columns)
{
    while (line) {
        const char *name = cut_field(&line);
        int field = find_field(CSV, name);
        if (field == FIELDS || columns->has[field])
            UNREADABLE("found the column '%.40s'%s", name, field == FIELDS ? "" : " twice");
        columns->field[columns->count++] = field;
        columns->has[field] = true;
    }
    const bool *has = columns->has;
    if (!has[ID] || !has[LOWER] || !has[SIZE] || has[UPPER] == has[LAST])
        UNREADABLE("expected the columns id, lower, upper or end, size");
}

/* A gap `4-6`: not live there; or `5-7@0:8`: only these bytes are in use. */
static struct segment read_gap(const char **at, bool inclusive)
{
    const char *begin = *at;
    struct segment gap = {.lower = check_input_number(at)};
    bool fine = check_input_take(at, '-');
    gap.upper = fine ? check_input_number(at) + inclusive : 0;
    if (fine && check_input_take(at, '@')) {
        gap.begin = check_input_number(at);
        fine = check_input_take(at, ':');
        gap.end = fine ? check_input_number(at) : 0;
    }
    if (!fine || (**at && **at != ' '))
        UNREADABLE("found the gaps '%.40s', expected BEGIN-END or BEGIN-END@FIRST:LAST", begin);
    return gap;
}

/* A line of CSV: a buffer, and its segments, which are between and in the gaps. */
static void read_row(const struct reader *reader, char *line, const struct columns *columns)
{
    struct row row = {0};
    int fields = 0;
    for (; line && fields < columns->count; fields++)
        row.at[columns->field[fields]] = cut_field(&line);
    if (line || fields < columns->count)
        UNREADABLE("expected %d fields", columns->count);
    bool inclusive = row.at[LAST];
    int64_t size = add_buffer(reader, row.at[ID], &row)->size;
    int64_t end = get_number(reader, row.at[inclusive ? LAST : UPPER]) + inclusive;
    struct segment left = {get_number(reader, row.at[LOWER]), end, 0, size, 0}, gap;
    for (const char *at = row.at[GAPS] ? row.at[GAPS] : ""; *at; at += strspn(at, " ")) {
        gap = read_gap(&at, inclusive);
        if (gap.lower < left.lower || gap.upper <= gap.lower || gap.upper > end)
            UNREADABLE("expected gaps that ascend inside the lifetime");
        left.upper = gap.lower;
        if (left.lower < left.upper)
            add_segment(reader, left);
        if (gap.end)
            add_segment(reader, gap);
        left.lower = gap.upper;
    }
    left.upper = end;
    if (left.lower != left.upper)
        add_segment(reader, left);
}

static void read_csv(struct reader *reader)
{
    struct columns columns = {.count = 0};
    bool is_first = true;
    check_fault.line = 0;
    for (char *line = reader->at, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        check_fault.line++;
        bool is_blank = !line[strspn(line, " \t\r")], is_note = is_first && *line == '#';
        is_first &= is_blank;
        if (is_blank || is_note)
            continue;
        if (columns.count)
            read_row(reader, line, &columns);
        else
            read_header(line, &columns);
    }
    check_problem_sort(reader->problem);
}

static void refuse(const struct reader *reader, const char *expected)
{
    UNREADABLE("found '%.20s', expected %s", reader->at, expected);
}

/* The first byte of the next value of JSON. */
static char peek(struct reader *reader)
{
    for (; *reader->at && strchr(" \t\r\n", *reader->at); reader->at++)
        check_fault.line += *reader->at == '\n';
    return *reader->at;
}

/* Goes behind this bracket, quote or sign. */
static void take(struct reader *reader, char wanted, const char *expected)
{
    if (peek(reader) != wanted)
        refuse(reader, expected);
    reader->at++;
}

/* Whether an array or object that ends in this bracket has another item, to which, or else behind
   the bracket, it goes. */
static bool has_more(struct reader *reader, char closing, bool is_first)
{
    bool more = peek(reader) != closing;
    if (more && !is_first)
        take(reader, ',', closing == ']' ? "',' or ']'" : "',' or '}'");
    reader->at += !more;
    return more;
}

/* Goes behind a text, whose begin it returns. Its escapes are left as they stand there. */
static char *pass_text(struct reader *reader)
{
    take(reader, '"', "a text");
    char *text = reader->at;
    for (; *reader->at != '"'; reader->at++) {
        reader->at += *reader->at == '\\' && reader->at[1];
        if ((unsigned char)*reader->at < ' ')
            refuse(reader, "the end of a text");
    }
    reader->at++;
    return text;
}

/* Reads a text. It ends in a 0 in the place of the quote, so that it cannot be read again. */
static char *read_text(struct reader *reader)
{
    char *text = pass_text(reader);
    reader->at[-1] = 0;
    return text;
}

/* Goes behind a value, of which only brackets and quotes are looked at. */
static void pass_value(struct reader *reader)
{
    size_t depth = 0;
    do {
        char found = peek(reader);
        if (!found || (!depth && strchr(",:]}", found)))
            refuse(reader, "a value");
        depth += found == '{' || found == '[';
        depth -= found == '}' || found == ']';
        size_t length = strcspn(reader->at, " \t\r\n,:]}[{\"");
        if (found == '"')
            pass_text(reader);
        else
            reader->at += length ? length : 1;
    } while (depth);
}

/* Notes where the values stand in an object, and goes behind it. */
static void read_object(struct reader *reader, struct row *row)
{
    *row = (struct row){0};
    take(reader, '{', "an object");
    for (bool is_first = true; has_more(reader, '}', is_first); is_first = false) {
        int field = find_field(JSON, read_text(reader));
        take(reader, ':', "':'");
        peek(reader);
        if (field < FIELDS && row->at[field])
            refuse(reader, "each key once");
        if (field < FIELDS) {
            row->at[field] = reader->at;
            row->line[field] = check_fault.line;
        }
        pass_value(reader);
    }
}

/* Calls `read` for each item of an array that stands in an object, if it does. */
static void read_array(struct reader *reader, const struct row *row, int field,
                       void (*read)(struct reader *))
{
    if (!row->at[field])
        return;
    reader->at = row->at[field];
    check_fault.line = row->line[field];
    take(reader, '[', "a list");
    for (bool is_first = true; has_more(reader, ']', is_first); is_first = false)
        read(reader);
}

static int64_t read_number(struct reader *reader)
{
    peek(reader);
    int64_t number = get_number(reader, reader->at);
    reader->at += strspn(reader->at, "0123456789");
    return number;
}

static void read_segment(struct reader *reader)
{
    const struct problem *problem = reader->problem;
    int64_t number[5] = {0, 0, 0, problem->buffer[problem->buffers - 1].size};
    int count = 0;
    take(reader, '[', "a list");
    while (count < 5 && has_more(reader, ']', !count))
        number[count++] = read_number(reader);
    if (count != 2 && count != 4)
        refuse(reader, "[lower, upper] or four numbers before it");
    add_segment(reader, (struct segment){number[0], number[1], number[2], number[3], 0});
}

static void read_buffer(struct reader *reader)
{
    struct row row;
    read_object(reader, &row);
    struct reader behind = *reader;
    uint64_t line = check_fault.line;
    if (!row.at[ID] || row.at[CLOCK])
        refuse(reader, "a buffer with a name, and without a clock before it");
    reader->at = row.at[ID];
    add_buffer(reader, read_text(reader), &row);
    read_array(reader, &row, SEGMENTS, read_segment);
    *reader = behind;
    check_fault.line = line;
}

/* One of a pair: a name, or a position from 0. */
static uint32_t read_partner(struct reader *reader)
{
    const struct problem *problem = reader->problem;
    const struct buffer *named = NULL;
    int64_t position = -1;
    if (peek(reader) != '"')
        position = read_number(reader);
    else if ((named = check_problem_find(problem, read_text(reader))))
        position = named - problem->buffer;
    if (position < 0 || position >= problem->buffers)
        refuse(reader, "the name or position of a buffer before it");
    return (uint32_t)position;
}

static void read_pair(struct reader *reader)
{
    struct problem *problem = reader->problem;
    take(reader, '[', "a pair of buffers");
    uint32_t i = read_partner(reader);
    take(reader, ',', "a pair of buffers");
    uint32_t j = read_partner(reader);
    take(reader, ']', "the end of a pair of buffers");
    if (check_problem_overlaps(problem, i, j))
        return;
    CHECK_APPEND(problem->pair, problem->pairs, check_problem_pair(i, j));
    problem->buffer[i].paired = problem->buffer[j].paired = true;
}

static void read_json(struct reader *reader, const char *format)
{
    struct problem *problem = reader->problem;
    struct row row;
    read_object(reader, &row);
    if (peek(reader))
        refuse(reader, "the end of the file");
    if (!row.at[FORMAT] || !row.at[BUFFERS] || row.at[PARAMETERS])
        UNREADABLE("expected a format, buffers, and no parameters");
    reader->at = row.at[FORMAT];
    if (strcmp(read_text(reader), format) != 0)
        UNREADABLE("expected the format %s", format);
    read_array(reader, &row, BUFFERS, read_buffer);
    check_problem_sort(problem);
    read_array(reader, &row, CONFLICTS, read_pair);
    if (problem->pairs)
        qsort(problem->pair, problem->pairs, sizeof *problem->pair, check_problem_compare_pairs);
}

void check_problem_read(const char *path, bool is_plan, struct problem *problem)
{
    size_t length = strlen(path);
    /* A plan may also be compressed, with a name that ends in .json.gz. */
    bool is_json = (length > 5 && strcmp(path + length - 5, ".json") == 0) ||
                   (is_plan && strstr(path, ".json"));
    check_input_open(path, &problem->input);
    check_input_text(&problem->input, EOF);
    struct reader reader = {problem->input.text, is_json ? " \t\r\n,]}" : "", problem};
    if (is_json)
        read_json(&reader, is_plan ? "memplan-plan/1" : "memplan-problem/1");
    else
        read_csv(&reader);
}
