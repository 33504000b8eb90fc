#ifndef MEMPLAN_HEURISTICS_COMMON_ORDER_FACTS_H
#define MEMPLAN_HEURISTICS_COMMON_ORDER_FACTS_H

#include "core/scratch.h"
#include "planning/problem/problem.h"

/* Facts about buffers that orders look at besides the problem itself. */

enum order_fact {
    ORDER_CONFLICTS = 1, /* with how many buffers each one conflicts */
    /* The most bytes that are live at any of a buffer's steps; of a buffer with a window only the
       window counts. */
    ORDER_BREADTH = 2,
    ORDER_NAMES = 4, /* the rank of each name in alphabetical order */
    ORDER_SPAN = 8,  /* the first and the last step of the whole problem */
};

struct order_facts {
    const struct problem *problem;
    uint32_t *conflicts;    /* [buffers]; each of these arrays is NULL unless it was asked for */
    uint64_t *breadth;      /* [buffers] bytes */
    uint32_t *breadth_step; /* [buffers] the first of its steps at which these bytes are live */
    uint32_t *name_rank;    /* [buffers] equal names have equal ranks */
    uint32_t first_step, end_step;
};

/* Finds the facts in the bit set `wanted`. O(segments log segments); where buffers have holes,
   conflicts are counted by listing them. */
enum status order_facts_fill(struct order_facts *facts, const struct problem *problem,
                             unsigned wanted, struct scratch *scratch, struct error *error);

#endif
