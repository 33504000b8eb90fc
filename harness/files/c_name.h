#ifndef MEMPLAN_HARNESS_FILES_C_NAME_H
#define MEMPLAN_HARNESS_FILES_C_NAME_H

#include <stdbool.h>

#include "core/text.h"

/* Names of instances and buffers in C headers. */

/* Appends a name, in upper or lower case, and replaces every byte that cannot be part of an
   identifier by _. The name may begin with a digit, since another word always stands before it. */
void c_name_append_identifier(struct text *text, const char *name, bool upper);

/* Appends a name as the inside of a C string, or of a comment, in letters of ASCII: compilers warn
   of others that change the direction of writing, of trigraphs ("??/"), and of comments in
   comments. */
void c_name_append_text(struct text *text, const char *name);

#endif
