#ifndef MEMPLAN_SOLVERS_BEST_STATE_H
#define MEMPLAN_SOLVERS_BEST_STATE_H

#include "solvers/exact/incumbent.h"

/* The searches that take part in `best`. */
enum best_part_name {
    BEST_EXACT,
    BEST_WINDOWS,
    BEST_MIRRORED,
    BEST_SMALL_LAST,
    BEST_TILES,
    BEST_SQUEEZE,
    BEST_QUICK,
    BEST_DESCENTS,
    BEST_PARTS
};

/* Problems of at most BEST_FEW_BUFFERS; of many; of many whose peak few hot windows decide; of many
   that overlap few others; of many that are full; and of any number that became few tiles. */
enum best_kind {
    BEST_FEW,
    BEST_MANY,
    BEST_MANY_WITH_WINDOWS,
    BEST_MANY_IN_CHAINS,
    BEST_MANY_AND_FULL,
    BEST_OF_TILES,
    BEST_KINDS
};
enum { BEST_FEW_BUFFERS = 900 };

/* In which order quick rules come first in problems of many buffers: as a rule, where there are few
   sizes, and where the plan along the steps is near the bound. */
enum best_rule_order { BEST_BY_AREA, BEST_BY_SIZES, BEST_ALONG_STEPS, BEST_RULE_ORDERS };

/* What one search has cost so far, in ns. */
struct best_part {
    uint64_t used_ns, charged_ns;
    uint64_t next_ns; /* what its next step is expected to take */
    bool is_over;     /* has nothing left to do */
    bool is_fertile;  /* made a better plan at least once */
};

/* One run of `best`. What is NULL at first is made by the search that needs it. */
struct best {
    const struct planner_task *task;
    struct exact_incumbent incumbent, mirrored_incumbent;
    struct planner_task mirrored_task;
    struct problem *mirrored;
    struct exact_solve *exact, *mirrored_exact;
    struct window_search *windows;
    struct squeeze *squeeze;
    struct small_last *small_last;
    struct tile_search *tiles;
    struct planner *descents; /* the helper with only its descents */
    bool is_local;            /* few windows decide the peak */
    bool are_hot_few;         /* the windows have so few buffers that an attempt may be quicker than
                                 all quick plans */
    bool are_few;             /* BEST_FEW_BUFFERS or less */
    bool is_steep;            /* the load, where there are many buffers */
    double free_percent;      /* of the bytes below the lower bound, averaged over all steps */
    enum best_kind kind;
    struct best_part part[BEST_PARTS];
    uint64_t first_plan_ns; /* what the first plan took */
    enum best_rule_order rule_order;
    uint32_t quick_rules; /* tried so far, one by one */
    uint32_t slices;      /* of descents so far */
    uint64_t deadline_ns; /* UINT64_MAX for none */
    struct error *error;
};

#endif
