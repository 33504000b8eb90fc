#ifndef MEMPLAN_HEURISTICS_COMMON_ORDER_H
#define MEMPLAN_HEURISTICS_COMMON_ORDER_H

#include "core/sort.h"
#include "heuristics/common/order_facts.h"

/* An order in which buffers are placed: sorted by the first key, ties by the next key, then by
   position in the problem. */

/* What buffers are sorted by. In a problem with clocks, LOWER, UPPER and DURATION are defined by
   the clocks, and the other values of steps must not be used. */
enum order_value {
    ORDER_BY_NOTHING,
    ORDER_BY_SIZE,       /* bytes */
    ORDER_BY_FIRST_STEP, /* of all its segments */
    ORDER_BY_END_STEP,   /* one past its last step */
    ORDER_BY_SPAN,       /* steps from the first to the last with the holes */
    ORDER_BY_SPAN_AREA,  /* bytes times the span */
    ORDER_BY_POSITION,   /* in the problem */
    ORDER_BY_LOWER,      /* first step, or how far all streams have come, added up */
    ORDER_BY_UPPER,    /* last step, or the same sum: lower where a buffer is over before another */
    ORDER_BY_DURATION, /* live steps, on the stream where these are most, as in OmniMalloc */
    ORDER_BY_AREA,     /* bytes times the duration */
    ORDER_BY_CONFLICTS,      /* how many buffers conflict with it */
    ORDER_BY_CONFLICTS_SIZE, /* that number times bytes */
    ORDER_BY_BREADTH,        /* the most bytes that are live at any of its steps */
    ORDER_BY_BREADTH_STEP,   /* the first step at which that is so */
    ORDER_BY_NAME,
    ORDER_BY_PRESERVED, /* 1 if live from the problem's first step to its last; 0 with clocks */
    ORDER_BY_SIZE_IF_NOT_PRESERVED,
    ORDER_VALUES
};

struct order {
    const char *name;
    const char *title;
    struct order_key {
        enum order_value value;
        bool descending;
    } key[SORT_MOST_KEYS];
    bool random; /* a random order that depends on the seed alone */
};

uint32_t order_count(void);
const struct order *order_at(uint32_t index);
const struct order *order_find(const char *name); /* NULL if there is none */

/* a * b, or UINT64_MAX where the product is larger than that. */
uint64_t order_product(uint64_t a, uint64_t b);

/* Fills sorted[problem->buffers] with the buffers in the order. O(n), and the cost of finding the
   facts that its keys read. */
enum status order_sort(const struct order *order, const struct problem *problem, uint64_t seed,
                       uint32_t *sorted, struct error *error);

/* Takes the fixed buffers out of sorted[problem->buffers]; returns how many others are left. */
uint32_t order_drop_fixed(const struct problem *problem, uint32_t *sorted);

#endif
