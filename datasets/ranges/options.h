#ifndef MEMPLAN_DATASETS_RANGES_OPTIONS_H
#define MEMPLAN_DATASETS_RANGES_OPTIONS_H

#include "planning/sizes/sizes.h"

/* Options behind the ? of an instance's name, some of which are ranges:
   sequence=16..1024&batch=8. */

/* The most points of the box: the graph is built at each, to see that its operators are the same
   and that each tensor has the bytes that its expression says. */
enum { RANGES_MOST_POINTS = 16384 };

/* Whether the options, which may be NULL, have a range. */
bool ranges_are_in(const char *options);

/* Makes a parameter of each option with a range. allowed[] are the options that may have one, up to
   a NULL; where it is NULL itself, each option is one, and one value is a range too. STATUS_USAGE
   where a range is not written so, STATUS_BAD_INPUT where it is empty and where the box has too
   many points. */
enum status ranges_read(const char *options, const char *const *allowed,
                        struct symbolic_sizes *sizes, struct error *error);

/* Appends the options with the values of one point in place of the ranges. */
void ranges_write_point(const char *options, const struct symbolic_sizes *sizes,
                        const uint64_t *point, struct text *text);

#endif
