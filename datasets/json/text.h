#ifndef MEMPLAN_DATASETS_JSON_TEXT_H
#define MEMPLAN_DATASETS_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/text.h"

/* Writing JSON by hand, so that its layout is ours: one line per tensor, operator or buffer. */

/* A quoted string; bytes are expected to be UTF-8 and are written as they are. */
void json_text_string(struct text *text, const char *string);
/* Appends `before` (a comma, a key), then the string in quotes. */
void json_text_after(struct text *text, const char *before, const char *string);

/* The shortest decimal number that reads back as the same double. */
void json_text_double(struct text *text, double number);

/* Fails where something could not be appended, or where the text from `start` on is not UTF-8. Only
   a name can make it so; the message says that it is a name in the `what` (a graph, say) called
   `name`. */
enum status json_text_check(const struct text *text, size_t start, const char *what,
                            const char *name, struct error *error);

#endif
