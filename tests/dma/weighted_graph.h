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

/* A finished graph of operators alone, which the caller frees: "name:bytes:bytes@ns" with the bytes
   of its weights and the time that it computes, each where there is one; "name*3" is a loop of so
   many turns. Behind it stand the regions of an operator, a branch with its probability where it is
   known:

       conv:20@30 if@4 0.75{left:40@10} 0.25{right:6@10} loop*3 {body:10@4} */
struct graph *weighted_read(const char *text);

/* Writes bytes to a file of its own in the folder for temporary files, which the caller removes. */
void weighted_write(char path[64], const void *bytes, size_t length);

#endif
