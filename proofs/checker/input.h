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
    char *line; /* the last one */
    size_t room;
};

bool check_input_open(const char *path, struct input *input, struct fault *fault);
void check_input_close(struct input *input);

/* The next byte, -1 at the end of the file. */
bool check_input_byte(struct input *input, int *byte, struct fault *fault);

/* *line is the next line without its end, and stays valid until the next call; NULL at the end of
   the file. fault->line counts along. A last line without an end is a fault where `whole`. */
bool check_input_line(struct input *input, bool whole, char **line, struct fault *fault);

/* The number that the text from `begin` to before `end` is: digits, maybe behind a minus. */
bool check_input_number(const char *begin, const char *end, int64_t *number, struct fault *fault);

#endif
