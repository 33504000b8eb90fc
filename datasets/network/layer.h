#ifndef MEMPLAN_DATASETS_NETWORK_LAYER_H
#define MEMPLAN_DATASETS_NETWORK_LAYER_H

#include "datasets/network/options.h"
#include "planning/graph/graph.h"

/* What the layers of the builder are made with; also for a network's own unusual operators. Like
   the public calls these keep the first failure and do nothing after it. */

struct network {
    struct graph *graph;
    struct network_options options;
    uint32_t *input, *output; /* tensors */
    uint32_t inputs, outputs;
    size_t input_capacity, output_capacity;
    enum status status; /* of the first call that failed */
    struct error error;
};

/* Kinds of tensors, one or both: int32 whatever the network's precision; kept outside the arena. */
enum { NETWORK_INDEX = 1, NETWORK_EXTERNAL = 2 };

/* One operator to add. Counts are of elements; weights and biases 0 for none. */
struct network_layer {
    const char *name, *suffix; /* the operator and its output are called name + suffix */
    const char *type;
    const char *weights_of; /* layer whose weights are used; NULL: its own */
    const uint32_t *input;
    uint32_t inputs;
    uint64_t dimension[GRAPH_MOST_DIMENSIONS];
    uint32_t rank;
    uint64_t weights, biases, flops;
    uint32_t inplace; /* the first so many inputs may be overwritten */
    unsigned kind;    /* of the output: NETWORK_INDEX | NETWORK_EXTERNAL */
};

/* Adds the layer's operator, its output and its weights; returns the output. */
uint32_t network_layer_add(struct network *network, const struct network_layer *layer);

/* The layer's output becomes as large as that tensor. */
void network_layer_shape_like(const struct network *network, struct network_layer *layer,
                              uint32_t tensor);

/* Adds a layer, whose inputs are set, with an output as large as that tensor. */
uint32_t network_layer_add_like(struct network *network, struct network_layer *layer, uint32_t like,
                                uint64_t flops_per_element);

/* A failure, unless there is one already; returns 0. */
uint32_t network_fail(struct network *network, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Keeps what a call of graph.h ended with; true when all is well so far. */
bool network_keep(struct network *network, enum status status);

/* Product of counts; a failure and 0 where it is beyond 2^63 - 1. */
uint64_t network_multiply_counts(struct network *network, const uint64_t *factors, uint32_t count);
#define network_product(network, ...)                                                              \
    network_multiply_counts(network, (const uint64_t[]){__VA_ARGS__},                              \
                            sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

const uint64_t *network_shape(const struct network *network, uint32_t tensor);
uint64_t network_elements(const struct network *network, uint32_t tensor);

/* A tensor without an operator, kind as in struct network_layer. */
uint32_t network_tensor(struct network *network, const char *name, const uint64_t *dimensions,
                        uint32_t rank, unsigned kind);

/* Appends a backward operator for each operator so far and returns the loss. */
uint32_t network_train(struct network *network);

#endif
