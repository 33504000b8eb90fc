#ifndef MEMPLAN_TESTS_DMA_RANDOM_TRANSFERS_H
#define MEMPLAN_TESTS_DMA_RANDOM_TRANSFERS_H

#include "core/random.h"
#include "dma/planned/front.h"

/* Random graphs whose operators have weights and times, on a random chip. */
struct random_transfers_kind {
    uint32_t operators; /* about so many */
    uint32_t depth;     /* of regions in regions */
    bool loops;
    uint32_t most_weighted; /* at most so many weighted operators */
    bool start_costs;       /* start-up, instructions and contention cost something */
};

struct random_transfers {
    struct graph *graph;
    struct hardware hardware;
    struct transfer_regions *regions;
    struct transfer_costs *costs;
};

/* Anything that fails ends the test case. The struct stays where it is until it is cleared. */
void random_transfers_create(struct random_state *random, const struct random_transfers_kind *kind,
                             struct random_transfers *transfers);
/* The same where loops have trip counts and branches probabilities. */
void random_transfers_create_with_turns(struct random_state *random,
                                        const struct random_transfers_kind *kind,
                                        struct random_transfers *transfers);
void random_transfers_clear(struct random_transfers *transfers);

/* A task on them without limits, whose planner gives each buffer, in the order of the problem, the
   lowest offset that is free. */
struct planned_task random_transfers_task(const struct random_transfers *transfers);

#endif
