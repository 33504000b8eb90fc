#ifndef MEMPLAN_PLANNING_GRAPH_BUILD_H
#define MEMPLAN_PLANNING_GRAPH_BUILD_H

#include <stddef.h>

#include "planning/graph/graph.h"

/* Builds a graph, in the order in which it is written. Every function fails with STATUS_BAD_INPUT
   and a text naming what was found and what was expected, and leaves the graph fit only for
   graph_free. Names and lists are copied; each call is O(what it adds) amortised. */

/* What is known of a graph while it is built: what is open, and how much room its arrays have. */
struct graph_building {
    uint32_t open_operator, open_region;
    size_t tensors, weights, carried, operators, regions, list;
};

/* Begins a graph with its outermost region open; the caller frees it with graph_free. */
enum status graph_create(struct graph **graph, const char *name, struct error *error);

struct graph_tensor_spec {
    const char *name; /* no other tensor's */
    bool external;    /* outside the arena */
    uint8_t device;
    bool has_shape; /* else only its bytes are known */
    uint8_t dtype;  /* row of the dtype table */
    uint32_t rank;
    const uint64_t *dimensions; /* [rank], each at least 1 */
    uint64_t bytes;             /* of a tensor without a shape, at least 1 */
};

/* *tensor is its index. O(1) amortised. */
enum status graph_add_tensor(struct graph *graph, const struct graph_tensor_spec *spec,
                             uint32_t *tensor, struct error *error);

/* Adds a stream on which operators may run. The first stream is for operators that name none, and
   graph_finish adds it where there is none. engine: what runs the stream, "" where that is not
   known. *stream is its row. STATUS_BAD_INPUT where a stream has this name already. */
enum status graph_add_stream(struct graph *graph, const char *name, const char *engine,
                             uint32_t *stream, struct error *error);

/* Tensors that are there before the first operator: called once, outside all operators. */
enum status graph_set_inputs(struct graph *graph, const uint32_t *tensors, uint32_t count,
                             struct error *error);
/* Opens an operator inside the open region and makes it the open one. The functions from here to
   graph_close_operator say more of the open operator, each at most once unless told otherwise. */
enum status graph_open_operator(struct graph *graph, const char *name, const char *type,
                                uint32_t *op, struct error *error);
enum status graph_operator_inputs(struct graph *graph, const uint32_t *tensors, uint32_t count,
                                  struct error *error);
enum status graph_operator_outputs(struct graph *graph, const uint32_t *tensors, uint32_t count,
                                   struct error *error);
/* Tensors that the operator names but whose values it does not read, so that they need not live up
   to it. */
enum status graph_operator_ignored(struct graph *graph, const uint32_t *tensors, uint32_t count,
                                   struct error *error);
/* Says on which stream, a row of graph->streams, the open operator runs, and with it the operators
   in its regions unless they say otherwise. Without this, an operator runs on the stream of the
   operator around it, or on row 0. */
void graph_operator_stream(struct graph *graph, uint32_t stream);
/* Operators that the open one waits for, in addition to those whose outputs it reads. */
enum status graph_operator_after(struct graph *graph, const uint32_t *operators, uint32_t count,
                                 struct error *error);
/* Pairs of an input and an output that may be written over it: positions[2 * pairs] has the
   position of the input among the inputs, then that of the output among the outputs. */
enum status graph_operator_inplace(struct graph *graph, const uint32_t *positions, uint32_t pairs,
                                   struct error *error);
/* Weights of an operator are added one after another, before its regions. */
enum status graph_operator_weight(struct graph *graph, const char *name, uint8_t dtype,
                                  uint64_t bytes, struct error *error);
/* Carried values of a loop are added likewise. They are named by the indices of tensors; a tensor
   that is yielded may get its producer later. */
enum status graph_operator_carried(struct graph *graph, const struct graph_carried *carried,
                                   struct error *error);
/* Opens a region of the open operator: a branch, which is taken with the probability where that is
   known and not negative, or the condition or body of a loop. Closing the region says what it
   yields and makes its operator the open one again. */
enum status graph_open_region(struct graph *graph, const char *name, double probability,
                              struct error *error);
enum status graph_close_region(struct graph *graph, const uint32_t *yields, uint32_t count,
                               struct error *error);
void graph_close_operator(struct graph *graph);

/* Ends the graph with its outputs and checks it: each tensor has one producer and is used after it,
   where it can be seen; a branch yields as many tensors as its operator has outputs; a loop's
   carried values fit each other.
   *op (may be NULL) is the operator at fault, GRAPH_NONE if none. O(size of the graph). */
enum status graph_finish(struct graph *graph, const uint32_t *outputs, uint32_t count, uint32_t *op,
                         struct error *error);

/* What graph_finish checks, and the producer of every tensor, which it sets (check.c). */
enum status graph_check(struct graph *graph, uint32_t *op, struct error *error);

#endif
