#include "proofs/checker/input.h"

#include <assert.h>
#include <stdlib.h>

bool check_input_open(const char *path, struct input *input, struct fault *fault)
{
    assert(!input->file && !input->line);
    fault->file = path;
    fault->line = 0;
    input->file = gzopen(path, "rb");
    return input->file || UNREADABLE(fault, "cannot be opened");
}

void check_input_close(struct input *input)
{
    if (input->file)
        gzclose_r(input->file);
    free(input->line);
}

bool check_input_byte(struct input *input, int *byte, struct fault *fault)
{
    *byte = gzgetc(input->file);
    return *byte >= 0 || gzeof(input->file) || UNREADABLE(fault, "cannot be read");
}

bool check_input_line(struct input *input, bool whole, char **line, struct fault *fault)
{
    size_t length = 0;
    int byte;
    *line = NULL;
    fault->line++;
    for (;;) {
        NEED(check_input_byte(input, &byte, fault));
        NEED(check_grow((void **)&input->line, &input->room, length, 1, fault));
        if (byte < 0 || byte == '\n')
            break;
        if (!byte)
            return UNREADABLE(fault, "found a byte 0, expected text");
        input->line[length++] = (char)byte;
    }
    if (byte < 0 && length && whole)
        return UNREADABLE(fault, "found a line without an end: the file is cut off");
    input->line[length] = 0;
    *line = byte < 0 && !length ? NULL : input->line;
    return true;
}

bool check_input_number(const char *begin, const char *end, int64_t *number, struct fault *fault)
{
    assert(begin <= end);
    const char *at = begin + (begin < end && *begin == '-');
    int64_t value = 0;
    bool digits = at < end, fits = true;
    for (; at < end && digits; at++) {
        digits = *at >= '0' && *at <= '9';
        fits = fits && (!digits || value <= (INPUT_MOST - 1 - (*at - '0')) / 10);
        if (digits && fits)
            value = 10 * value + (*at - '0');
    }
    *number = *begin == '-' ? -value : value;
    return (digits && fits) || UNREADABLE(fault, "found '%.*s', expected a %s",
                                          (int)(end - begin < 40 ? end - begin : 40), begin,
                                          digits ? "number below 2^62" : "whole number");
}
