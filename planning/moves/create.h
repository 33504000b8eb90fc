#ifndef MEMPLAN_PLANNING_MOVES_CREATE_H
#define MEMPLAN_PLANNING_MOVES_CREATE_H

#include "planning/moves/problem.h"

/* What a problem of moves is made of: a graph with one stream, a chip, and what computing and
   transfers cost. alignment_bytes is as in struct job. Graph and chip have to outlive the problem.
   Making it takes O(graph), and is STATUS_BAD_INPUT where times add up to more than 2^52. */
struct move_terms {
    const struct graph *graph;
    const struct memory_problem *chip;
    const uint64_t *compute_ns; /* [operators] */
    struct move_channel channel;
    uint64_t off_chip_read_cost, alignment_bytes;
};
enum status move_problem_create(const struct move_terms *terms, struct move_problem **problem,
                                struct error *error);

#endif
