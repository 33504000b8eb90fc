#ifndef MEMPLAN_RESULTS_STORE_OPTIONS_H
#define MEMPLAN_RESULTS_STORE_OPTIONS_H

#include <stdbool.h>

#include "core/text.h"

/* The column options of a row: what a job was told beyond its policy and planner, as "name=value"
   separated by blanks; "" for nothing. Names are lower-case letters and underscores. */

#define OPTIONS_CAPACITY "capacity" /* bytes */
#define OPTIONS_ALIGNMENT "alignment"
#define OPTIONS_INPLACE "inplace"
#define OPTIONS_DISABLE_INPLACE "disable_inplace"

/* Appends one option. */
void options_add(struct text *options, const char *name, const char *value);

/* The value of the option with that name: *length bytes of the text. */
bool options_find(const char *options, const char *name, const char **value, size_t *length);

/* Appends those that change the problem: all but the capacity, which a plan of the problem may have
   or not. */
void options_add_of_problem(struct text *text, const char *options);

#endif
