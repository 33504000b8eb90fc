#ifndef MEMPLAN_DMA_MOVES_PLANNER_H
#define MEMPLAN_DMA_MOVES_PLANNER_H

#include "core/known_names.h"
#include "dma/moves/draft.h"

/* Everything that plans moves. */

struct move_task {
    const struct move_problem *problem;
    const struct move_plan *still; /* a plan in which nothing moves; without stays: none is known */
    uint64_t deadline_ns;          /* of clock_monotonic_ns; UINT64_MAX: none */
};

struct move_planner {
    const char *name, *title, *source; /* as in struct planner */

    /* Fills the plan of the draft, which has none, and its time. *found: there is one. */
    enum status (*plan)(const struct move_task *task, struct move_draft *draft, bool *found,
                        struct error *error);
};

uint32_t move_planner_count(void);
const struct move_planner *move_planner_at(uint32_t index);
const struct move_planner *move_planner_find(const char *name); /* NULL if there is none */
enum status move_planner_refuse(const char *name, size_t length, struct error *error);

#endif
