#include "proofs/checker/input.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { PIECE_BYTES = 1 << 16 };

struct input {
    gzFile file;
    char *buffer;
    size_t room;
    size_t begin, end; /* of what is read and not handed out */
};

bool check_input_open(const char *path, struct input **opened, struct fault *fault)
{
    fault->file = path;
    fault->line = 0;
    struct input *input = calloc(1, sizeof *input);
    if (!input)
        return check_fault_memory(fault);
    input->file = gzopen(path, "rb");
    if (!input->file) {
        free(input);
        return check_fault_unreadable(fault, "cannot be opened");
    }
    *opened = input;
    return true;
}

void check_input_close(struct input *input)
{
    if (!input)
        return;
    gzclose_r(input->file);
    free(input->buffer);
    free(input);
}

/* Reads one piece more behind what is there; *got is 0 at the end of the file. */
static bool read_piece(struct input *input, int *got, struct fault *fault)
{
    if (input->begin) {
        memmove(input->buffer, input->buffer + input->begin, input->end - input->begin);
        input->end -= input->begin;
        input->begin = 0;
    }
    if (input->room < input->end + PIECE_BYTES + 1) {
        char *grown = realloc(input->buffer, 2 * input->room + PIECE_BYTES + 1);
        if (!grown)
            return check_fault_memory(fault);
        input->buffer = grown;
        input->room = 2 * input->room + PIECE_BYTES + 1;
    }
    *got = gzread(input->file, input->buffer + input->end, PIECE_BYTES);
    if (*got < 0)
        return check_fault_unreadable(fault, "cannot be read");
    input->end += (size_t)*got;
    return true;
}

bool check_input_line(struct input *input, bool whole, char **line, struct fault *fault)
{
    size_t seen = 0;
    char *end = NULL;
    int got = 1;
    *line = NULL;
    while (!end && got) {
        size_t waiting = input->end - input->begin;
        end = waiting > seen ? memchr(input->buffer + input->begin + seen, '\n', waiting - seen)
                             : NULL;
        seen = waiting;
        if (!end)
            FAULT_TRY(read_piece(input, &got, fault));
    }
    if (input->begin == input->end)
        return true;
    fault->line++;
    if (!end && whole)
        return check_fault_unreadable(fault, "found a line without an end: the file is cut off");
    if (!end)
        end = input->buffer + input->end;
    *line = input->buffer + input->begin;
    input->begin = (size_t)(end - input->buffer) + (end < input->buffer + input->end);
    if (memchr(*line, 0, (size_t)(end - *line)))
        return check_fault_unreadable(fault, "found a byte 0, expected text");
    *end = 0;
    return true;
}

bool check_input_text(const char *path, char **text, size_t *length, struct fault *fault)
{
    struct input *input = NULL;
    FAULT_TRY(check_input_open(path, &input, fault));
    int got = 1;
    bool fine = true;
    while (fine && got)
        fine = read_piece(input, &got, fault);
    if (fine) {
        input->buffer[input->end] = 0;
        *text = input->buffer;
        *length = input->end;
        input->buffer = NULL;
    }
    check_input_close(input);
    return fine;
}

bool check_input_number(const char *begin, const char *end, int64_t *number, struct fault *fault)
{
    const char *at = begin + (begin < end && *begin == '-');
    int64_t value = 0;
    bool digits = at < end, fits = true;
    for (; at < end && digits; at++) {
        digits = *at >= '0' && *at <= '9';
        fits = fits && (!digits || value <= (INPUT_MOST - 1 - (*at - '0')) / 10);
        if (digits && fits)
            value = 10 * value + (*at - '0');
    }
    int shown = end - begin < 40 ? (int)(end - begin) : 40;
    if (!digits)
        return check_fault_unreadable(fault, "found '%.*s', expected a whole number", shown, begin);
    if (!fits)
        return check_fault_unreadable(fault, "found '%.*s', expected a number below 2^62", shown,
                                      begin);
    *number = *begin == '-' ? -value : value;
    return true;
}
