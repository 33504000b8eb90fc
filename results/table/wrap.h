#ifndef MEMPLAN_RESULTS_TABLE_WRAP_H
#define MEMPLAN_RESULTS_TABLE_WRAP_H

#include "core/text.h"

/* Text that is broken into lines of a given width in letters, between words where that is
   possible. */

/* The number of bytes that go on a line of `width` letters: up to the last blank, else up to the
   last place where a word may be broken, or as many as fit. */
size_t wrap_find_break(const char *text, size_t width);

/* The width of the longest piece of a text that is never broken. */
size_t wrap_longest_piece(const char *text);

/* Appends a text on as many lines as it needs. The first begins with `before`, the others with as
   many blanks. */
void wrap_append(struct text *text, const char *before, const char *raw, size_t width);

/* Does the same with a command for a shell: a line that is broken ends in a backslash. */
void wrap_append_command(struct text *text, const char *before, const char *raw, size_t width);

/* Appends a line whose last column begins behind the first two blanks that follow a word. What does
   not fit goes on below that column, or, where a word of it is too long for that, near the line's
   beginning. */
void wrap_append_row(struct text *text, const char *line, size_t length, size_t width);

#endif
