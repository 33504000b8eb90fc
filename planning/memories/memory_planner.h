#ifndef MEMPLAN_PLANNING_MEMORIES_MEMORY_PLANNER_H
#define MEMPLAN_PLANNING_MEMORIES_MEMORY_PLANNER_H

#include "planning/memories/model.h"
#include "planning/plan/planner.h"

/* The one interface of everything that turns a problem with several memories into a plan. */

struct memory_task {
    const struct memory_model *model;
    uint64_t deadline_ns; /* of clock_monotonic_ns; UINT64_MAX: none */
    uint64_t seed;
    uint64_t rounds; /* a search that goes by rounds stops after this number; 0: at the deadline */
    const struct memory_plan *start; /* a plan that another planner found, or NULL */
    const struct planner *exact;     /* an ordinary planner with PLANNER_EXACT, which is asked what
                                        fits into one arena */
    const struct planner *best;      /* an ordinary planner that lowers peaks, or NULL */
};

enum memory_planner_flag {
    MEMORY_PLANNER_EXACT = 1,       /* may say optimal or infeasible */
    MEMORY_PLANNER_SEARCHES = 2,    /* makes many plans; stops at the deadline */
    MEMORY_PLANNER_WANTS_START = 4, /* is given the best plan of others */
};

struct memory_planner {
    const char *name, *title, *source; /* as in struct planner */
    unsigned flags;                    /* of memory_planner_flag */

    /* Fills *plan, created for the problem by the caller. PLAN_GAVE_UP where it found none and
       nothing is proved. Returns STATUS_OK whenever plan->status says how it ended. */
    enum status (*plan)(const struct memory_planner *planner, const struct memory_task *task,
                        struct memory_plan *plan, struct error *error);
};

#endif
