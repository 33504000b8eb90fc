#ifndef MEMPLAN_SOLVERS_WINDOW_HOT_H
#define MEMPLAN_SOLVERS_WINDOW_HOT_H

#include "planning/plan/planner.h"
#include "solvers/window/draft.h"

/* The buffers that come first: those live in hot windows, runs of steps in which the live bytes are
   more than a share of the capacity. Together they are a problem of their own, mostly a small part
   of the whole, which the exact search solves; a bound that is proved for it holds for the
   whole. */
struct hot {
    const struct problem *problem;
    uint8_t *chosen;  /* [buffers] 1 for those in the list */
    uint32_t *buffer; /* [buffers] the list */
    uint32_t count;
};

/* Creates a list of the fixed buffers only. The problem must outlive it. O(buffers). */
enum status hot_create(const struct problem *problem, struct hot **hot, struct error *error);
void hot_free(struct hot *hot); /* NULL is fine */
SCOPED_POINTER(struct hot, hot_release, hot_free);

/* Empties the list except for the fixed buffers. O(buffers). */
void hot_clear(struct hot *hot);

/* Adds a buffer, unless it is there already. O(1). */
void hot_add(struct hot *hot, uint32_t buffer);

/* Adds all buffers that are live in windows in which at least limit_bytes are live. O(segments +
   answer). */
void hot_add_windows(struct hot *hot, struct draft *draft, uint64_t limit_bytes);

struct hot_limits {
    uint64_t most_pairs, deadline_ns;
};

/* *can: whether the chosen buffers have so few conflicts that they keep to the limits and the exact
   search can begin before the deadline. O(chosen * log). */
enum status hot_can_solve(const struct hot *hot, const struct hot_limits *limits, bool *can,
                          struct error *error);

struct hot_effort {
    uint32_t rounds; /* of the exact search, see solvers/exact/component.h */
    uint32_t threads;
    uint64_t deadline_ns;
};

/* What the exact search of the chosen buffers found. */
struct hot_answer {
    bool found;           /* the draft has offsets of all chosen buffers */
    uint64_t bound_bytes; /* no plan of the whole has a lower peak */
    uint64_t nodes;
};

/* Looks for offsets of the chosen buffers below the draft's capacity; the draft is clear. Costs
   what the exact search costs; does nothing where there are too many conflicts for it. */
enum status hot_solve(const struct hot *hot, struct draft *draft, const struct hot_effort *effort,
                      struct hot_answer *answer, struct error *error);

#endif
