#include "results/published/published.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "core/embedded.h"
#include "core/text.h"

extern const struct embedded_file published_files[];
extern const unsigned published_files_count;

static const char extension[] = ".csv";

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

static bool is_field(const struct text_line *line, unsigned index, const char *wanted)
{
    const char *start;
    size_t length;
    return find_field(line, index, &start, &length) && strlen(wanted) == length &&
           memcmp(start, wanted, length) == 0;
}

/* The value of the column in line number `row` of those that begin with the keys. The sources are
   searched from the beginning each time, since they are short. */
static bool find_value(const char *source, const char *const *keys, unsigned key_count,
                       unsigned row, const char *column, struct published_value *value)
{
    const struct embedded_file *file =
        embedded_find(published_files, published_files_count, "", source, extension);
    struct text_line line = {0};
    unsigned index = UINT_MAX; /* of the column, once the heading was read */
    const char *start;
    size_t length;
    if (!file)
        return false;
    const struct text text = {.bytes = (char *)file->bytes, .length = file->length};
    while (text_next_line(&text, &line)) {
        unsigned same = 0;
        if (!line.length || *line.start == '#')
            continue;
        if (index == UINT_MAX) {
            for (index = 0; !is_field(&line, index, column); index++)
                if (!find_field(&line, index, &start, &length))
                    return false;
            continue;
        }
        while (same < key_count && is_field(&line, same, keys[same]))
            same++;
        if (same < key_count || row--)
            continue;
        if (!find_field(&line, index, &start, &length) || !length || length >= sizeof value->text)
            return false;
        memcpy(value->text, start, length);
        value->text[length] = '\0';
        return true;
    }
    return false;
}

bool published_cell(const char *source, unsigned row, const char *column,
                    struct published_value *value)
{
    return find_value(source, NULL, 0, row, column, value);
}

bool published_find(const char *source, const char *const *keys, unsigned key_count,
                    const char *column, struct published_value *value)
{
    return find_value(source, keys, key_count, 0, column, value);
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

/* The unit of a printed figure, and its size in the units of measures (bytes, nanoseconds,
   millionths). */
static const struct {
    const char *name;
    double measures;
} units[] = {{"KB", 1e3},      {"MB", 1e6},    {"MiB", 1048576}, {"GB", 1e9},
             {"million", 1e6}, {"G", 1e9},     {"ms", 1e6},      {"s", 1e9},
             {"%", 1e4},       {"times", 1e6}, {"1/s", 1e6}};

double published_unit(const char *unit)
{
    for (unsigned i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, unit) == 0)
            return units[i].measures;
    return 1;
}
