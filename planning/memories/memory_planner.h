#ifndef MEMPLAN_PLANNING_MEMORIES_MEMORY_PLANNER_H
#define MEMPLAN_PLANNING_MEMORIES_MEMORY_PLANNER_H

#include "core/scratch.h"
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

    /* Set by memory_planner_plan: memory that is freed when the planner is done, and what its row
       says. */
    struct scratch *scratch;
    const void *rule;
};

enum memory_planner_flag {
    MEMORY_PLANNER_EXACT = 1,       /* may say optimal or infeasible */
    MEMORY_PLANNER_SEARCHES = 2,    /* makes many plans; stops at the deadline */
    MEMORY_PLANNER_WANTS_START = 4, /* is given the best plan of others */
    MEMORY_PLANNER_NO_PINS = 8,     /* plans no problems with pins or reserved ranges */
    MEMORY_PLANNER_NO_CHUNKS = 16,  /* plans no problems with chunks */
    MEMORY_PLANNER_NEEDS_BEST = 32, /* plans nothing where the task names no `best` */
};

struct memory_planner {
    const char *name, *title, *source; /* as in struct planner */
    unsigned flags;                    /* of memory_planner_flag */
    const void *rule;                  /* private to plan */

    /* Fills *plan, whose status is PLAN_GAVE_UP at first: it found no plan, and nothing is proved.
       Returns STATUS_OK whenever plan->status says how it ended. */
    enum status (*plan)(const struct memory_task *task, struct memory_plan *plan,
                        struct error *error);
};

/* Asks a planner for a plan, which was created for the problem. The status is PLAN_UNSUPPORTED
   where the flags say that this is no problem for it. */
enum status memory_planner_plan(const struct memory_planner *planner,
                                const struct memory_task *task, struct memory_plan *plan,
                                struct error *error);

#endif
