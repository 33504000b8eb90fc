#ifndef MEMPLAN_RESULTS_STORE_FAILURE_H
#define MEMPLAN_RESULTS_STORE_FAILURE_H

#include "core/text.h"
#include "results/store/row.h"

/* Jobs that have no plan that counts: what kind of failure, why, and how to see it again. */

/* The kinds of failures, the gravest first; FAILURE_KINDS stands for none. */
enum { FAILURE_REFUSED, FAILURE_DAMAGED, FAILURE_FIRST_STATUS, FAILURE_KINDS = 7 };

/* The kind of failure of a row; FAILURE_KINDS where it has a plan that counts, or proves that there
   is none. */
unsigned failure_kind(const struct result_row *row);
const char *failure_name(unsigned kind); /* kind < FAILURE_KINDS */

/* What was found wrong with the plan, or why there is none; "" where that is not known. */
const char *failure_reason(const struct result_row *row);

/* Appends the command line that plans the job of a row again. command: the one that made its run,
   which says where plug-ins and programs come from; "" where it is not known. */
void failure_repeat(const struct result_row *row, const char *command, struct text *line);

/* Appends the last part of that command line, which follows the instance, the policy and the
   planner. */
void failure_repeat_options(const struct result_row *row, const char *command, struct text *line);

#endif
