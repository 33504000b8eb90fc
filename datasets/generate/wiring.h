#ifndef MEMPLAN_DATASETS_GENERATE_WIRING_H
#define MEMPLAN_DATASETS_GENERATE_WIRING_H

#include "planning/graph/graph.h"

/* Graphs given as wires: a wire says that one operator reads a tensor that another one writes. */

struct wire {
    uint32_t from, to; /* operators, from < to */
    uint64_t bytes; /* of a tensor for this wire alone; 0: the wire reads the operator's tensor */
};

struct wiring {
    struct wire *wire; /* [wires] */
    uint64_t *bytes; /* [operators] of the tensor that each writes for all; 1 where none reads it */
    uint32_t wires, operators;
};

/* Fills the graph with the operators o0, o1, ... in the order of their numbers, and ends it. A
   tensor that several wires lead to the same operator is one input of it. O(operators + wires). */
enum status wiring_build(const struct wiring *wiring, struct graph *graph, struct error *error);

#endif
