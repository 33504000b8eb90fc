#include "results/published/published.h"

#include <stdio.h>
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

static bool field_is(const struct text_line *line, unsigned index, const char *wanted)
{
    const char *start;
    size_t length;
    return find_field(line, index, &start, &length) && strlen(wanted) == length &&
           memcmp(start, wanted, length) == 0;
}

/* Finds a column of a source: leaves the cursor at the heading and *index at the column. */
static bool open_column(const char *source, const char *column, struct cursor *cursor,
                        unsigned *index)
{
    const char *start;
    size_t length;
    if (!open_source(source, cursor) || !next_line(cursor))
        return false;
    for (*index = 0; find_field(&cursor->line, *index, &start, &length); ++*index)
        if (field_is(&cursor->line, *index, column))
            return true;
    return false;
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

bool published_find(const char *source, const char *const *keys, unsigned key_count,
                    const char *column, struct published_value *value)
{
    struct cursor cursor;
    unsigned index;
    if (!open_column(source, column, &cursor, &index))
        return false;
    while (next_line(&cursor)) {
        unsigned same = 0;
        while (same < key_count && field_is(&cursor.line, same, keys[same]))
            same++;
        if (same == key_count)
            return take_field(&cursor.line, index, value);
    }
    return false;
}

bool published_of(const char *source, const char *place, const char *what, const char *how,
                  struct published_value *printed)
{
    char figure[sizeof printed->text];
    const char *const keys[] = {place, figure};
    snprintf(figure, sizeof figure, "%s: %s", what, how);
    return published_find(source, keys, 2, "printed", printed);
}

bool published_find_bytes(const char *source, const char *const *keys, unsigned key_count,
                          const char *column, uint64_t *bytes)
{
    struct published_value value;
    return published_find(source, keys, key_count, column, &value) &&
           text_parse_u64(value.text, strlen(value.text), bytes);
}
