#ifndef MEMPLAN_PLANNING_PLANNER_H
#define MEMPLAN_PLANNING_PLANNER_H

#include "planning/plan.h"

/* The one interface of everything that turns a problem into a plan. */

enum planner_flag {
    PLANNER_EXACT = 1,       /* may say optimal or infeasible */
    PLANNER_NO_WINDOWS = 2,  /* takes a buffer's whole size where only a window is used */
    PLANNER_WANTS_START = 4, /* gets better with task->start */
};

struct planner_task {
    const struct problem *problem; /* verify_fixed has found its fixed buffers in order */
    uint64_t capacity_bytes;       /* UINT64_MAX: only minimise */
    uint64_t time_limit_ns;        /* UINT64_MAX: none */
    uint64_t seed;
    const struct plan
        *start; /* a plan that another planner found, or NULL; may be worse than load */
};

struct planner {
    const char *name;   /* id: lower case, digits and underscores */
    const char *family; /* group in lists */
    const char *title;  /* one line */
    const char *source; /* paper, file or document the rule comes from */
    unsigned flags;     /* of planner_flag */
    const void *rule;   /* what the rows of a family differ in; private to plan */

    /* Fills *plan, created for the problem by the caller. A heuristic ignores the capacity. Returns
       STATUS_OK whenever plan->status says how it ended. */
    enum status (*plan)(const struct planner *planner, const struct planner_task *task,
                        struct plan *plan, struct error *error);
};

#endif
