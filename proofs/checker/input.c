#include "proofs/checker/input.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct fault check_fault;

void check_fail(enum fault_kind kind, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(check_fault.text, sizeof check_fault.text, format, values);
    va_end(values);
    check_fault.kind = kind;
    longjmp(check_fault.end, 1);
}

/* There is room for a power of two of items, and for 16 at least. */
void *check_grow(void *items, size_t count, size_t bytes)
{
    size_t room = count < 16 ? 16 : 2 * count;
    if (count & (count - 1) || (count && count < 16))
        return items;
    void *grown = room <= SIZE_MAX / bytes ? realloc(items, room * bytes) : NULL;
    if (!grown)
        check_fail(FAULT_INTERNAL, "no memory is left");
    return grown;
}

void *check_create(size_t count, size_t bytes)
{
    void *created = calloc(count ? count : 1, bytes);
    if (!created)
        check_fail(FAULT_INTERNAL, "no memory is left");
    return created;
}

void check_input_open(const char *path, struct input *input)
{
    check_fault.file = path;
    check_fault.line = 0;
    input->file = gzopen(path, "rb");
    if (!input->file)
        UNREADABLE("cannot be opened");
}

void check_input_close(struct input *input)
{
    if (input->file)
        gzclose_r(input->file);
    free(input->text);
}

int check_input_byte(struct input *input)
{
    int byte = gzgetc(input->file);
    if (byte < 0 && !gzeof(input->file))
        UNREADABLE("cannot be read");
    return byte;
}

void check_input_text(struct input *input, int end)
{
    int byte = 0;
    check_fault.line++;
    for (input->length = 0;; input->length++) {
        byte = check_input_byte(input);
        input->text = check_grow(input->text, input->length, 1);
        if (!byte)
            UNREADABLE("found a byte 0, expected text");
        if (byte < 0 || byte == end)
            break;
        input->text[input->length] = (char)byte;
    }
    input->ended = byte < 0;
    input->text[input->length] = 0;
}

int64_t check_input_number(const char **text)
{
    const char *begin = *text, *at = begin + (*begin == '-');
    int64_t value = 0;
    if (*at < '0' || *at > '9')
        UNREADABLE("found '%.40s', expected a whole number", begin);
    for (; *at >= '0' && *at <= '9'; at++) {
        if (value > (INPUT_MOST - 1 - (*at - '0')) / 10)
            UNREADABLE("found '%.40s', expected a number below 2^62", begin);
        value = 10 * value + (*at - '0');
    }
    *text = at;
    return *begin == '-' ? -value : value;
}

bool check_input_take(const char **text, char wanted)
{
    bool found = **text == wanted;
    *text += found;
    return found;
}
