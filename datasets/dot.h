#ifndef MEMPLAN_DATASETS_DOT_H
#define MEMPLAN_DATASETS_DOT_H

#include "core/text.h"
#include "planning/graph/graph.h"
#include "planning/problem/problem.h"

/* Pictures for Graphviz: `dot -Tsvg graph.dot`, `neato -Tsvg problem.dot`. */

/* Operators as boxes, tensors as edges with their bytes, each region as a cluster inside the
   cluster of its operator. A dashed edge leads from what a region yields back to the operator. */
enum status dot_write_graph(const struct graph *graph, struct text *text, struct error *error);

/* Buffers with size and lifetime, an edge for each pair that is live together. */
enum status dot_write_problem(const struct problem *problem, struct text *text,
                              struct error *error);

#endif
