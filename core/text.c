#include "core/text.h"

#include <errno.h>

#include <stdarg.h>
#include <string.h>

#include "core/checked.h"
#include "core/file.h"
#include "core/memory.h"

static bool reserve_text(struct text *text, size_t more)
{
    struct error ignored;
    if (text->failed)
        return false;
    if (memory_reserve(&text->bytes, &text->capacity, text->length + more + 1, 1, &ignored))
        text->failed = true;
    return !text->failed;
}

void text_append_bytes(struct text *text, const char *bytes, size_t length)
{
    if (!reserve_text(text, length))
        return;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

void text_append(struct text *text, const char *format, ...)
{
    va_list arguments;
    size_t room = text->capacity - text->length;
    if (text->failed)
        return;
    va_start(arguments, format);
    int length = vsnprintf(room ? text->bytes + text->length : NULL, room, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length >= room && reserve_text(text, (size_t)length)) {
        va_start(arguments, format);
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, arguments);
        va_end(arguments);
    }
    if (length > 0 && !text->failed)
        text->length += (size_t)length;
    else if (text->bytes)
        text->bytes[text->length] = '\0';
}

enum status text_check(const struct text *text, struct error *error)
{
    return text->failed ? error_no_memory(error) : STATUS_OK;
}

void text_free(struct text *text)
{
    memory_free(text->bytes);
    *text = (struct text){0};
}

enum status text_read_file(const char *path, struct text *text, struct error *error)
{
    static const size_t most_bytes = (size_t)2 << 30;
    char block[65536];
    size_t length;
    enum status status = STATUS_OK;
    *text = (struct text){0};
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0, "cannot open: %s", strerror(errno));
    while (!status && (length = fread(block, 1, sizeof block, stream)) > 0) {
        if (text->length + length > most_bytes)
            status = error_set_at(error, STATUS_BAD_INPUT, path, 0,
                                  "file is larger than 2 GiB, expected less");
        else
            text_append_bytes(text, block, length);
    }
    if (!status && ferror(stream))
        status = error_set_at(error, STATUS_BAD_INPUT, path, 0, "cannot read: %s", strerror(errno));
    fclose(stream);
    text_append_bytes(text, "", 0);
    if (!status)
        status = text_check(text, error);
    if (status)
        text_free(text);
    return status;
}

enum status text_write_file(const char *path, const struct text *text, struct error *error)
{
    struct file_replace replace;
    TRY(text_check(text, error));
    enum status status = file_replace_open(&replace, path, error);
    if (!status)
        status = file_replace_write(&replace, text->bytes, text->length, error);
    return file_replace_close(&replace, status, error);
}

bool text_next_line(const struct text *text, struct text_line *line)
{
    const char *end = text->bytes + text->length;
    const char *start = text->bytes;
    if (line->number) {
        start = line->start + line->length;
        start += start < end && *start == '\r';
        start += start < end && *start == '\n';
    }
    if (!text->bytes || start >= end)
        return false;
    const char *newline = memchr(start, '\n', (size_t)(end - start));
    const char *stop = newline ? newline : end;
    line->start = start;
    line->length = (size_t)(stop - start);
    if (line->length && start[line->length - 1] == '\r')
        line->length--;
    line->number++;
    return true;
}

bool text_parse_u64(const char *start, size_t length, uint64_t *value)
{
    uint64_t parsed = 0;
    for (size_t i = 0; i < length; i++) {
        if (start[i] < '0' || start[i] > '9')
            return false;
        if (!checked_multiply(parsed, 10, &parsed) ||
            !checked_add(parsed, (uint64_t)(start[i] - '0'), &parsed))
            return false;
    }
    *value = parsed;
    return length > 0;
}

bool text_parse_i64(const char *start, size_t length, int64_t *value)
{
    bool negative = length && *start == '-';
    uint64_t magnitude;
    if (!text_parse_u64(start + negative, length - negative, &magnitude) ||
        magnitude > (uint64_t)INT64_MAX + negative)
        return false;
    *value = (int64_t)(negative ? 0 - magnitude : magnitude);
    return true;
}

bool text_parse_bytes(const char *input, uint64_t *bytes)
{
    static const struct {
        const char *suffix;
        uint64_t factor;
    } factors[] = {{"", 1},           {"B", 1},          {"k", 1000},       {"kB", 1000},
                   {"M", 1000000},    {"MB", 1000000},   {"G", 1000000000}, {"GB", 1000000000},
                   {"KiB", 1u << 10}, {"MiB", 1u << 20}, {"GiB", 1u << 30}};
    size_t digits = strspn(input, "0123456789");
    uint64_t value;
    if (!text_parse_u64(input, digits, &value))
        return false;
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
        if (strcmp(input + digits, factors[i].suffix) == 0)
            return checked_multiply(value, factors[i].factor, bytes);
    return false;
}

bool text_repeats_name(const char *list, const char *item, char separator)
{
    const char ends[] = {'=', separator, '\0'};
    size_t length = strcspn(item, ends);
    for (const char *earlier = list; earlier < item; earlier = strchr(earlier, separator) + 1)
        if (strcspn(earlier, ends) == length && memcmp(earlier, item, length) == 0)
            return true;
    return false;
}

unsigned text_distance(const char *left, const char *right)
{
    unsigned rows[3][TEXT_MOST_COMPARED + 1]; /* of the last, this and the next character of left */
    unsigned *before = rows[0], *row = rows[1], *next = rows[2];
    size_t width = strlen(right);
    for (unsigned i = 0; i <= width; i++)
        row[i] = i;
    for (unsigned i = 0; left[i]; i++) {
        next[0] = i + 1;
        for (size_t k = 0; k < width; k++) {
            unsigned least = row[k] + (left[i] != right[k]);
            least = least < next[k] + 1 ? least : next[k] + 1;
            least = least < row[k + 1] + 1 ? least : row[k + 1] + 1;
            if (i && k && left[i] == right[k - 1] && left[i - 1] == right[k])
                least = least < before[k - 1] + 1 ? least : before[k - 1] + 1;
            next[k + 1] = least;
        }
        unsigned *last = before;
        before = row;
        row = next;
        next = last;
    }
    return row[width];
}
