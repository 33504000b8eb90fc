#ifndef MEMPLAN_PROOFS_CHECKER_INPUT_H
#define MEMPLAN_PROOFS_CHECKER_INPUT_H

#include "proofs/checker/fault.h"

/* Numbers are at most this far from 0, so that the sum of two of them fits 64 bits. */
#define INPUT_MOST (INT64_C(1) << 62)

/* A file that is read line by line; one that gzip has compressed is read as what it holds. */
struct input;

bool check_input_open(const char *path, struct input **input, struct fault *fault);
void check_input_close(struct input *input); /* NULL is fine */

/* *line is the next line without its end, and stays valid until the next call; NULL at the end of
   the file. fault->line counts along. A last line without an end is a fault where `whole`. */
bool check_input_line(struct input *input, bool whole, char **line, struct fault *fault);

/* All of a file, ending in a 0 that is not counted in the length. The caller frees it. */
bool check_input_text(const char *path, char **text, size_t *length, struct fault *fault);

/* The number that the text from `begin` to before `end` is: digits, maybe behind a minus. */
bool check_input_number(const char *begin, const char *end, int64_t *number, struct fault *fault);

#endif
