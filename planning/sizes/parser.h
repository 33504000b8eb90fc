#ifndef MEMPLAN_PLANNING_SIZES_PARSER_H
#define MEMPLAN_PLANNING_SIZES_PARSER_H

#include "planning/sizes/sizes.h"

/* Appends the steps of the expression in the text to those of sizes, behind the last expression,
   and sets *end to the number of all steps. STATUS_BAD_INPUT with the column, counted from 1, of
   what was found, and what was expected. O(length). */
enum status sizes_parse(struct symbolic_sizes *sizes, const char *text, size_t *end,
                        struct error *error);

#endif
