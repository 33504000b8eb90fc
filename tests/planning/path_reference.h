#ifndef MEMPLAN_TESTS_PATH_REFERENCE_H
#define MEMPLAN_TESTS_PATH_REFERENCE_H

#include "planning/liveness/result_places.h"
#include "planning/problem/problem.h"

/* Which places of a small graph are ever needed at once, found by running every path through its
   branches, with 0, 1 and 2 turns of each loop, as a straight line of operators. Knows nothing of
   steps or lifetimes: two places are in each other's way where one is written on some path while
   what is in the other is still read later on the same path. */

enum { REFERENCE_MOST_TENSORS = 48 };

/* The first `first` bytes of one place while the other one needs `second`. */
struct reference_clash {
    uint32_t first_place, second_place; /* tensors */
    uint64_t first_bytes, second_bytes;
};

struct reference {
    const struct graph *graph;
    const struct result_places
        *places; /* NULL: results of Ifs have no place, as under the policy select */
    struct reference_clash *clash;
    uint32_t clashes;
    size_t clash_capacity;
    uint64_t load_bytes; /* the most that is needed at once, whatever the path goes on with */
    uint32_t paths;
};

/* False where there are more paths than most_paths. Anything that fails ends the test case. */
bool reference_run(struct reference *reference, const struct graph *graph,
                   const struct result_places *places, uint32_t most_paths);
void reference_free(struct reference *reference);

/* The problem's buffers are in each other's way exactly as the places are; tensor[buffers] says
   whose place each one is. Prints the first difference. */
bool reference_agrees(const struct reference *reference, const struct problem *problem,
                      const uint32_t *tensor);

#endif
