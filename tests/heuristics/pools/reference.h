#ifndef MEMPLAN_TESTS_HEURISTICS_POOLS_REFERENCE_H
#define MEMPLAN_TESTS_HEURISTICS_POOLS_REFERENCE_H

#include "planning/lowering/level.h"
#include "planning/plan/planner.h"
#include "rule_test.h"

/* The pool planners once more, as plainly as their rules can be said, for small problems. */

enum { REFERENCE_MOST = 64, REFERENCE_NONE = 255 };

struct reference {
    const struct problem *problem;
    uint32_t objects;
    uint64_t bytes[REFERENCE_MOST];    /* [objects] as the planner counts them */
    uint32_t object[REFERENCE_MOST];   /* [buffers] or REFERENCE_NONE where fixed */
    uint64_t inside[REFERENCE_MOST];   /* [buffers] */
    uint64_t released[REFERENCE_MOST]; /* [objects] when, counted from 1; 0 while in use */
    uint32_t ends[REFERENCE_MOST];     /* [objects] step after its last buffer */
    uint64_t releases;
};

bool reference_overlap(const struct problem *problem, uint32_t a, uint32_t b);

/* A free object for a buffer of so many bytes, or REFERENCE_NONE. */
typedef uint32_t reference_choice(const struct reference *reference, uint64_t bytes,
                                  uint64_t parameter);
reference_choice reference_newest_equal, reference_closest, reference_nnvm, reference_first_enough;

/* All buffers by (first step, position); early: objects are free a step before. */
struct reference reference_in_order(const struct problem *problem, const uint64_t *bytes,
                                    reference_choice *choose, uint64_t parameter, bool early);

struct reference reference_by_size(const struct problem *problem);
struct reference reference_by_breadth(const struct problem *problem);
struct reference reference_by_distance(const struct problem *problem);
struct reference reference_executorch(const struct problem *problem, uint64_t alignment,
                                      bool overlap);

uint64_t reference_round_up(uint64_t bytes, uint64_t unit);

/* A plan by hand. */
struct reference_example {
    const char *planner;
    const struct made_buffer *rows; /* [count] */
    uint32_t count;
    uint64_t offset[8], pool_bytes;
    uint32_t pools;
};
void reference_expect(const struct reference_example *example);

/* The planner's plan has the objects of the reference, laid end to end and each rounded up to
   granule, and counts their bytes. */
void reference_compare(const char *planner, const struct reference *reference, uint64_t granule,
                       uint64_t seed);

#endif
