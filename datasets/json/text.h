#ifndef MEMPLAN_DATASETS_JSON_TEXT_H
#define MEMPLAN_DATASETS_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/text.h"

/* Writing JSON by hand, so that its layout is ours: one line per tensor, operator or buffer. */

/* A quoted string; bytes are expected to be UTF-8 and are written as they are. */
void json_text_string(struct text *text, const char *string);

/* The shortest decimal number that reads back as the same double. */
void json_text_double(struct text *text, double number);

#endif
