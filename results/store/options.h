#ifndef MEMPLAN_RESULTS_STORE_OPTIONS_H
#define MEMPLAN_RESULTS_STORE_OPTIONS_H

#include <stdbool.h>

#include "core/text.h"

/* The column `options` of a row: the settings of a job beside its policy and planner, as
   "name=value" separated by blanks; "" for none. Names are lower-case letters and underscores. */

#define OPTIONS_CAPACITY "capacity" /* bytes */
#define OPTIONS_ALIGNMENT "alignment"
#define OPTIONS_INPLACE "inplace"
#define OPTIONS_DISABLE_INPLACE "disable_inplace"
#define OPTIONS_PIN_IO "pin_io"

/* Appends one option. */
void options_add(struct text *options, const char *name, const char *value);

/* Finds the value of an option: *value and its *length in bytes. False where the option is not
   there. */
bool options_find(const char *options, const char *name, const char **value, size_t *length);

/* Appends the options that change the problem. These are all except the capacity, which a plan of
   the problem may or may not fit. */
void options_add_of_problem(struct text *text, const char *options);

#endif
