#ifndef MEMPLAN_DMA_MOVES_PLANNER_H
#define MEMPLAN_DMA_MOVES_PLANNER_H

#include "dma/moves/draft.h"

/* The interface of everything that plans moves. */

struct move_task {
    const struct move_problem *problem;
    const struct move_plan *still; /* a plan in which nothing moves; without stays: none is known */
    const struct move_plan *known; /* a plan that may be improved, with its time; without stays:
                                      none */
    uint64_t seed;
    uint64_t deadline_ns; /* of clock_monotonic_ns; UINT64_MAX: none */
};

struct move_planner {
    const char *name, *title, *source; /* as in struct planner */

    unsigned rule; /* private to plan */

    /* Fills the empty plan of the draft, and its time. *found says whether there is a plan. */
    enum status (*plan)(const struct move_planner *planner, const struct move_task *task,
                        struct move_draft *draft, bool *found, struct error *error);
};

#endif
