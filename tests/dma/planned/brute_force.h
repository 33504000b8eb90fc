#ifndef MEMPLAN_TESTS_DMA_PLANNED_BRUTE_FORCE_H
#define MEMPLAN_TESTS_DMA_PLANNED_BRUTE_FORCE_H

#include "dma/planned/schedule.h"

/* An oracle for schedules of small graphs. It knows the regions of a graph and the borders between
   them, what operators and transfers cost, and what the tensors take; of schedules, programs,
   clocks and searches it knows nothing. It writes every list of starts that there is: each transfer
   once in its own region or, on every way into that region, once in the region before; before an
   operator waits for its weights or after that, in every order. Each it runs along every path. */

enum { BRUTE_MOST_WEIGHTS = 6 };

/* The fastest run that was found with at most so much load. */
struct brute_point {
    double expected_ns;
    uint64_t load_bytes;
};

/* What no other run beats in both, from the fastest. */
struct brute_front {
    struct brute_point point[256]; /* [count] */
    uint32_t count;
};

struct brute_answer {
    struct brute_front any;      /* of all runs */
    struct brute_front in_order; /* of those whose own transfers start in the order of need */
    uint64_t runs;
};

/* False where there are more than most_runs. The graph has at most BRUTE_MOST_WEIGHTS weighted
   operators. */
bool brute_force(const struct schedule_space *space, uint64_t most_runs,
                 struct brute_answer *answer);

/* The least time at which a run has at most so much load, -1 where there is none. */
double brute_fastest(const struct brute_front *front, uint64_t load_bytes);

#endif
