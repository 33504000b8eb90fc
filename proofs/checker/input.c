#include "proofs/checker/input.h"

#include <assert.h>
#include <stdlib.h>

bool check_input_open(const char *path, struct input *input, struct fault *fault)
{
    assert(!input->file && !input->text);
    fault->file = path;
    fault->line = 0;
    input->file = gzopen(path, "rb");
    return input->file || UNREADABLE(fault, "cannot be opened");
}

void check_input_close(struct input *input)
{
    if (input->file)
        gzclose_r(input->file);
    free(input->text);
}

bool check_input_byte(struct input *input, int *byte, struct fault *fault)
{
    *byte = gzgetc(input->file);
    return *byte >= 0 || gzeof(input->file) || UNREADABLE(fault, "cannot be read");
}

bool check_input_text(struct input *input, int end, struct fault *fault)
{
    int byte;
    fault->line++;
    for (input->length = 0;; input->length++) {
        NEED(check_input_byte(input, &byte, fault));
        NEED(check_grow((void **)&input->text, &input->room, input->length, 1, fault));
        if (!byte)
            return UNREADABLE(fault, "found a byte 0, expected text");
        input->ended = byte < 0;
        input->text[input->length] = (char)byte;
        if (byte < 0 || byte == end)
            break;
    }
    input->text[input->length] = 0;
    return true;
}

bool check_input_number(const char **text, int64_t *number, struct fault *fault)
{
    const char *at = *text + (**text == '-');
    int64_t value = 0;
    if (*at < '0' || *at > '9')
        return UNREADABLE(fault, "found '%.40s', expected a whole number", *text);
    for (; *at >= '0' && *at <= '9'; at++) {
        if (value > (INPUT_MOST - 1 - (*at - '0')) / 10)
            return UNREADABLE(fault, "found '%.40s', expected a number below 2^62", *text);
        value = 10 * value + (*at - '0');
    }
    *number = **text == '-' ? -value : value;
    *text = at;
    return true;
}

bool check_input_take(const char **text, char wanted)
{
    bool found = **text == wanted;
    *text += found;
    return found;
}
