#ifndef MEMPLAN_CLI_REPRODUCE_COMMON_COUNTED_H
#define MEMPLAN_CLI_REPRODUCE_COMMON_COUNTED_H

#include "planning/graph/graph.h"

/* What sources count about a network before anything is planned. */
struct counted {
    uint64_t intermediate, intermediate_bytes; /* tensors in the arena that operators write */
    uint64_t parameters, weight_bytes;
};
struct counted counted_graph(const struct graph *graph);

#endif
