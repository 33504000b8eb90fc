#ifndef MEMPLAN_HEURISTICS_COMMON_ORDER_FACTS_H
#define MEMPLAN_HEURISTICS_COMMON_ORDER_FACTS_H

#include "planning/problem/problem.h"

/* What orders of buffers look at besides the problem itself. */

enum order_fact {
    ORDER_CONFLICTS = 1, /* how many buffers conflict with each */
    ORDER_BREADTH = 2,   /* the most bytes live at any of its steps, windows where it has them */
    ORDER_NAMES = 4,     /* the rank of its name */
    ORDER_SPAN = 8,      /* first and last step of all */
};

struct order_facts {
    const struct problem *problem;
    uint32_t *conflicts;    /* [buffers] or NULL where it was not asked for; so are the others */
    uint64_t *breadth;      /* [buffers] bytes */
    uint32_t *breadth_step; /* [buffers] the first step of its own with that many */
    uint32_t *name_rank;    /* [buffers] equal names have equal ranks */
    uint32_t first_step, end_step;
};

/* O(segments log segments); with holes, conflicts are counted by listing them. Leaves *facts fit
   for order_facts_clear. */
enum status order_facts_fill(struct order_facts *facts, const struct problem *problem,
                             unsigned wanted, struct error *error);
void order_facts_clear(struct order_facts *facts);

#endif
