#ifndef MEMPLAN_TESTS_DATASETS_NETWORK_COUNTS_H
#define MEMPLAN_TESTS_DATASETS_NETWORK_COUNTS_H

#include "planning/graph/graph.h"

/* Sums over the operators of a graph, to be compared with what was published. */

/* Elements of all weights; those that several layers share count once. */
uint64_t network_parameters(const struct graph *graph);

/* Multiply-adds of convolutions, dense layers and matrix products, each operator once however often
   its loop turns. */
uint64_t network_multiply_adds(const struct graph *graph);

#endif
