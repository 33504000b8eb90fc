#include "results/published/published.h"

#include <string.h>

#include "core/embedded.h"
#include "core/text.h"

extern const struct embedded_file published_files[];
extern const unsigned published_files_count;

static const char extension[] = ".csv";

/* A place in the text of a source: the line with its heading, or row `row` behind it. The sources
   are searched from the beginning each time, since they are short. */
struct cursor {
    struct text text;
    struct text_line line;
};

static bool open_source(const char *source, struct cursor *cursor)
{
    const struct embedded_file *file =
        embedded_find(published_files, published_files_count, "", source, extension);
    *cursor = (struct cursor){0};
    if (!file)
        return false;
    cursor->text.bytes = (char *)file->bytes;
    cursor->text.length = file->length;
    return true;
}

static bool next_line(struct cursor *cursor)
{
    while (text_next_line(&cursor->text, &cursor->line))
        if (cursor->line.length && *cursor->line.start != '#')
            return true;
    return false;
}

/* Field `index` of a line; false when the line has fewer. */
static bool find_field(const struct text_line *line, unsigned index, const char **start,
                       size_t *length)
{
    const char *end = line->start + line->length;
    *start = line->start;
    for (;;) {
        const char *comma = memchr(*start, ',', (size_t)(end - *start));
        *length = (size_t)((comma ? comma : end) - *start);
        if (!index--)
            return true;
        if (!comma)
            return false;
        *start = comma + 1;
    }
}

static unsigned count_fields(const struct text_line *line)
{
    const char *start;
    size_t length;
    unsigned count = 0;
    while (find_field(line, count, &start, &length))
        count++;
    return count;
}

static bool field_is(const struct text_line *line, unsigned index, const char *wanted)
{
    const char *start;
    size_t length;
    return find_field(line, index, &start, &length) && strlen(wanted) == length &&
           memcmp(start, wanted, length) == 0;
}

static bool find_column(const struct text_line *heading, const char *name, unsigned *index)
{
    unsigned count = count_fields(heading);
    for (*index = 0; *index < count; ++*index)
        if (field_is(heading, *index, name))
            return true;
    return false;
}

/* Finds a column of a source: leaves the cursor at the heading and *index at the column. */
static bool open_column(const char *source, const char *column, struct cursor *cursor,
                        unsigned *index)
{
    return open_source(source, cursor) && next_line(cursor) &&
           find_column(&cursor->line, column, index);
}

static bool take_field(const struct text_line *line, unsigned index, struct published_value *value)
{
    const char *start;
    size_t length;
    if (!find_field(line, index, &start, &length) || !length || length >= sizeof value->text)
        return false;
    memcpy(value->text, start, length);
    value->text[length] = '\0';
    return true;
}

bool published_cell(const char *source, unsigned row, const char *column,
                    struct published_value *value)
{
    struct cursor cursor;
    unsigned index;
    if (!open_column(source, column, &cursor, &index))
        return false;
    do
        if (!next_line(&cursor))
            return false;
    while (row--);
    return take_field(&cursor.line, index, value);
}

static bool keys_match(const struct text_line *line, const char *const *keys, unsigned key_count)
{
    for (unsigned i = 0; i < key_count; i++)
        if (!field_is(line, i, keys[i]))
            return false;
    return true;
}

bool published_find(const char *source, const char *const *keys, unsigned key_count,
                    const char *column, struct published_value *value)
{
    struct cursor cursor;
    unsigned index;
    if (!open_column(source, column, &cursor, &index))
        return false;
    while (next_line(&cursor))
        if (keys_match(&cursor.line, keys, key_count))
            return take_field(&cursor.line, index, value);
    return false;
}

bool published_find_bytes(const char *source, const char *const *keys, unsigned key_count,
                          const char *column, uint64_t *bytes)
{
    struct published_value value;
    return published_find(source, keys, key_count, column, &value) &&
           text_parse_u64(value.text, strlen(value.text), bytes);
}
