#ifndef MEMPLAN_HARNESS_MOVES_PLAN_JSON_H
#define MEMPLAN_HARNESS_MOVES_PLAN_JSON_H

#include "core/text.h"
#include "planning/moves/plan.h"

/* Files of plans with moves: memplan-moves-plan/1, see docs/memories.md. */
#define MOVES_JSON_FORMAT "memplan-moves-plan/1"

/* Appends a plan, a line for each stay. */
enum status move_plan_write(const struct move_problem *problem, const struct move_plan *plan,
                            struct text *text, struct error *error);

/* Whether a text may be such a plan: the name of the format is in it. */
bool move_plan_is_likely(const struct text *text);
/* Reads one, without its time. Fails with STATUS_BAD_INPUT, the line, what was found and what was
   expected. The caller clears the plan, also after an error. */
enum status move_plan_read(const struct move_problem *problem, const struct text *text,
                           const char *path, struct move_plan *plan, struct error *error);

#endif
