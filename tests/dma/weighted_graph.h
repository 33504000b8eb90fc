#ifndef MEMPLAN_TESTS_DMA_WEIGHTED_GRAPH_H
#define MEMPLAN_TESTS_DMA_WEIGHTED_GRAPH_H

#include <stddef.h>

#include "planning/graph/graph.h"

/* An operator with one weight. */
struct weighted {
    const char *dtype;
    uint64_t bytes;
};

/* A graph of one operator after another, "op0", "op1" ..., whose weights are called "w0", "w1" ...;
   the caller frees it. */
struct graph *weighted_graph(const struct weighted *weighted, size_t count);

/* Writes bytes to a file of its own in the folder for temporary files, which the caller removes. */
void weighted_write(char path[64], const void *bytes, size_t length);

#endif
