#ifndef MEMPLAN_DATASETS_NETWORK_LAYER_H
#define MEMPLAN_DATASETS_NETWORK_LAYER_H

#include "datasets/network_builder.h"

/* What the layers of the builder are made with. */

struct network {
    struct graph *graph;
    struct network_options options;
    uint32_t *input; /* [inputs] tensors */
    uint32_t inputs;
    size_t input_capacity;
    enum status status; /* of the first call that failed */
    struct error error;
};

/* One operator to add. Counts are of elements; weights and biases 0 for none. */
struct network_layer {
    const char *name, *suffix; /* the operator and its output are called name + suffix */
    const char *type;
    uint32_t input[2], inputs;
    uint64_t dimension[4];
    uint32_t rank;
    uint64_t weights, biases, flops;
    bool inplace; /* any input may be overwritten */
};

/* Adds the layer's operator, its output and its weights. */
enum status network_layer_add(struct network *network, const struct network_layer *layer,
                              uint32_t *output, struct error *error);

/* Keeps a failure; the result of a public call: *output, or 0 when it failed. */
uint32_t network_layer_keep(struct network *network, enum status status, const uint32_t *output);

#endif
