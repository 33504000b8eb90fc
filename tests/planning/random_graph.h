#ifndef MEMPLAN_TESTS_RANDOM_GRAPH_H
#define MEMPLAN_TESTS_RANDOM_GRAPH_H

#include "core/random.h"
#include "planning/graph/graph.h"

/* Small graphs that use everything a graph may hold. */
struct random_graph_shape {
    uint32_t operators; /* about that many */
    uint32_t depth;     /* of regions in regions */
    bool loops;
    bool plain_bodies; /* no regions in the body of a loop */
    bool in_place;     /* operators that write over inputs, views and assigns, of more sizes */
    bool hands_on; /* mostly operators with regions, that hand values on: one init or yield for two
                      arguments, yields from outside, loops of 0 and 3 turns */
};

/* Anything that fails ends the test case. */
struct graph *random_graph_create(struct random_state *random,
                                  const struct random_graph_shape *shape);

#endif
