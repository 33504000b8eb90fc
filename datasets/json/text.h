#ifndef MEMPLAN_DATASETS_JSON_TEXT_H
#define MEMPLAN_DATASETS_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/text.h"

/* Writing JSON by hand, so that its layout is ours: one line per tensor, operator or buffer. */

/* A quoted string; bytes are expected to be UTF-8 and are written as they are. */
void json_text_string(struct text *text, const char *string);
/* The same behind what comes before it: a comma, a key. */
void json_text_after(struct text *text, const char *before, const char *string);

/* The shortest decimal number that reads back as the same double. */
void json_text_double(struct text *text, double number);

/* Fails unless all of the text from start on is there and is UTF-8, in which only names can be
   something else; `what` and `name` say whose. */
enum status json_text_check(const struct text *text, size_t start, const char *what,
                            const char *name, struct error *error);

#endif
