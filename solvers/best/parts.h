#ifndef MEMPLAN_SOLVERS_BEST_PARTS_H
#define MEMPLAN_SOLVERS_BEST_PARTS_H

#include "solvers/best/state.h"

/* A search that takes turns with others. */
struct best_row {
    /* Makes one step, which may take about step_ns; quick plans, windows, squeezing and descents
       have limits of their own. Sets *advanced where another step may find out more. */
    enum status (*advance)(struct best *best, uint64_t step_ns, bool *advanced);
    void (*rest)(struct best *best); /* frees what it can make again while others go on; or NULL */
    uint32_t share[BEST_KINDS];      /* of the time; 0 where it takes no part */
    bool pauses;                     /* anywhere, and loses nothing by it */
    /* The time of its first step, roughly, is a sum: pair_ns for each overlapping pair,
       plan_quarters quarters of the time of the first plan, and fixed_ns, or few_ns where there are
       few buffers. */
    uint64_t pair_ns, plan_quarters, fixed_ns, few_ns;
    /* Where there are few buffers its first step comes at the latest when the exact search has had
       about 1 / few_part of the time limit; 0: there is no latest time. */
    uint32_t few_part;
};
extern const struct best_row best_rows[BEST_PARTS];

/* A first slice where nothing says how long it should be, in ns. */
enum { BEST_FIRST_SLICE_NS = 5000000 };

/* The time that an attempt of the windows takes, roughly, in multiples of the time of the first
   plan; and what it gets before other searches where the load is not steep. */
enum { BEST_WINDOWS_PLANS = 12, BEST_EARLY_PLANS = 7 };

/* The number of quick rules that come first in problems of many buffers. */
enum { BEST_FIRST_RULES = 5 };

/* Whether the quick rule that is tried next in a problem of many buffers may take three times as
   long as the first plan. */
bool best_is_next_rule_slow(const struct best *best);

/* Frees what the searches hold and counts what the exact ones did in the plan's search record. */
void best_parts_free(struct best *best);

#endif
