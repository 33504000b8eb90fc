#ifndef MEMPLAN_CORE_PROCESS_SHELL_H
#define MEMPLAN_CORE_PROCESS_SHELL_H

#include "core/text.h"

/* Appends a word so that a shell reads it as that word, in quotes where it needs them. */
void shell_append_word(struct text *text, const char *word);

#endif
