#ifndef MEMPLAN_CLI_RESULTS_COMPARE_H
#define MEMPLAN_CLI_RESULTS_COMPARE_H

#include "cli/arguments/arguments.h"
#include "results/compare/comparison.h"

/* What counts as worse, by the options of the command line; the sides are not filled in. */
struct comparison_sides compare_rules(const struct arguments *arguments);

#endif
