#ifndef MEMPLAN_DMA_MOVES_ROWS_H
#define MEMPLAN_DMA_MOVES_ROWS_H

#include "dma/moves/planner.h"

/* The planners of moves. To add one: such a struct in a source file here, a declaration here, and a
   row in planners.c. */
extern const struct move_planner move_planner_best, move_planner_still, move_planner_lru,
    move_planner_farthest_use, move_planner_prefetch, move_planner_xla_prefetch;

/* Which item leaves the first memory: the one whose last use is longest ago or, with this flag, the
   one whose next use is farthest away; and whether transfers then start as early as saves time. */
enum cache_flag { CACHE_FARTHEST_USE = 1, CACHE_PREFETCH = 2 };

/* Fills the plan of the draft by a walk over the steps. What a step reads comes into the first
   memory, what it writes is written there. Where there is no room, items leave by the rule: they
   are copied into the largest other memory, unless a copy of them is somewhere else or they are not
   needed again. What has no room at all is read and written elsewhere. Every step waits for its own
   transfers. *found: there is a plan. O(steps * stays log stays). */
enum status cache_fill(struct move_draft *draft, unsigned flags, bool *found, struct error *error);

/* The largest memory but the first one; the first one where it is alone. */
uint32_t cache_backing(const struct move_problem *problem);

/* Makes the plan faster until the deadline, or until many tries in a row have failed. Transfers
   start earlier and are waited for later; copies are made, for one use or several, or left out; at
   times most copies of some steps are left out at once and items written elsewhere, before copies
   are made again. The time never grows. */
enum status improve(struct move_draft *draft, const struct move_task *task, uint64_t deadline_ns,
                    struct error *error);
/* Uses only the first of these changes: transfers start earlier and are waited for later. */
enum status improve_starts(struct move_draft *draft, uint64_t deadline_ns, struct error *error);

#endif
