#ifndef MEMPLAN_PROOFS_CHECKER_INPUT_H
#define MEMPLAN_PROOFS_CHECKER_INPUT_H

#include <zlib.h>

#include "proofs/checker/fault.h"

/* Numbers are nearer to 0 than this, so that the sum of two of them fits 64 bits. */
#define INPUT_MOST (INT64_C(1) << 62)

/* A file that is read from its begin to its end; one that gzip has compressed is read as what it
   holds. Zeroed before it is opened. */
struct input {
    gzFile file;
    char *text; /* what was read last; ends in a 0 */
    size_t length, room;
    bool ended; /* the file ends behind the text */
};

bool check_input_open(const char *path, struct input *input, struct fault *fault);
void check_input_close(struct input *input);

/* The next byte, -1 at the end of the file. */
bool check_input_byte(struct input *input, int *byte, struct fault *fault);

/* Reads the text before the next byte `end`, or the rest of the file. fault->line counts along. A
   byte 0 is a fault. */
bool check_input_text(struct input *input, int end, struct fault *fault);

/* Reads the number at *text, digits, maybe behind a minus, and goes behind it. */
bool check_input_number(const char **text, int64_t *number, struct fault *fault);

/* Goes behind the byte at *text if it is this one. */
bool check_input_take(const char **text, char wanted);

#endif
