#ifndef MEMPLAN_TESTS_RANDOM_PROBLEM_H
#define MEMPLAN_TESTS_RANDOM_PROBLEM_H

#include "core/random.h"
#include "planning/plan/plan.h"

/* Small random problems, the same for a seed. */
struct random_problem {
    uint32_t most_buffers; /* 1 .. most_buffers */
    uint32_t steps;
    uint64_t most_size;
    bool holes, windows, alignment, fixed;
    bool many_holes; /* of any number, instead of one at most */
    bool conflicts;  /* pairs beside those of the segments */
    bool filled;     /* whole buffers would fill every step to exactly 3 / 2 of most_size, so that
                        often none of the plans is as low; at most 16 buffers */
};

struct problem *random_problem_create(const struct random_problem *kind,
                                      struct random_state *random);

/* The same problem with all bytes of its buffers in use wherever they are live; the same without
   holes, live from the first step to the last. */
struct problem *random_problem_widen(const struct problem *problem);
struct problem *random_problem_fill(const struct problem *problem);

/* The least peak of any plan, by trying every offset below a bound that grows from the load; only
   for very few very small buffers. UINT64_MAX where nothing up to most_bytes fits. */
uint64_t brute_force_peak(const struct problem *problem, uint64_t most_bytes);

/* The least peak by placing the buffers in every order, each at the lowest offset, which reaches an
   optimum; for problems without windows and fixed offsets and up to 8 buffers of any size. */
uint64_t every_order_peak(const struct problem *problem);

#endif
