#ifndef MEMPLAN_RESULTS_COMPARE_VERDICT_H
#define MEMPLAN_RESULTS_COMPARE_VERDICT_H

#include "core/text.h"
#include "results/compare/comparison.h"

/* What a comparison comes to, in words: for mail, for a page and for standard error. */

/* Appends one sentence: which side is better, how many planners changed and which, how many of
   their jobs are worse and by how much, and the failures by kind. */
enum status verdict_append(const struct comparison *comparison, struct text *text,
                           struct error *error);

/* Appends up to VERDICT_WORST jobs that are worse, each in two lines: planner, instance, policy,
   the figures of both sides, why a plan is missing; and the command that plans it again. Where
   there are failures and worse peaks, each has at least half of the places, if it has that many.
   command: the one that made the second side, "" where that is not known. O(pairs log pairs). */
enum { VERDICT_WORST = 10 };
enum status verdict_append_worst(const struct comparison *comparison, const char *command,
                                 struct text *text, struct error *error);

#endif
