#ifndef MEMPLAN_DATASETS_NETWORK_LAYER_H
#define MEMPLAN_DATASETS_NETWORK_LAYER_H

#include "datasets/network/network.h"

/* The network that is being built, and what its layers are made with. Tensors are [batch, height,
   width, channels], [batch, sequence, features] or [batch, features].

   The first call that fails is kept: the calls after it do nothing and return 0. */

struct network {
    struct graph *graph;
    struct network_options options;
    uint32_t *input, *output; /* tensors */
    uint32_t inputs, outputs;
    size_t input_capacity, output_capacity;
    enum status status; /* of the first call that failed */
    struct error error;
};

/* ReLU, ReLU6 and hyperbolic tangent can be folded into the layer before; the others are operators
   of their own in any case, as in TFLite. */
enum network_activation {
    NETWORK_LINEAR,
    NETWORK_RELU,
    NETWORK_RELU6,
    NETWORK_TANH,
    NETWORK_SIGMOID,
    NETWORK_SWISH,
    NETWORK_HARD_SIGMOID,
    NETWORK_HARD_SWISH,
    NETWORK_GELU,
    NETWORK_ACTIVATIONS,
};

/* SAME: outputs = ceil(inputs / stride), padded with zeros; VALID: no padding; PADDED: `pad` zeros
   at each end; CEIL: like VALID, but a last window may stick out. */
enum network_padding { NETWORK_SAME, NETWORK_VALID, NETWORK_PADDED, NETWORK_CEIL };

/* What is added to a convolution: a normalisation, a bias, nothing. */
enum network_shift { NETWORK_NORMALISED, NETWORK_BIAS, NETWORK_PLAIN };

/* Kinds of tensors, one or both: int32 whatever the network's precision; kept outside the arena. */
enum { NETWORK_INDEX = 1, NETWORK_EXTERNAL = 2 };

enum { NETWORK_MOST_INPUTS = 1024, NETWORK_MOST_SIZES = 8 };

/* A number, 64, or a window: 3, 1x7, 3/2 (stride), 3*2 (dilation). */
struct network_size {
    uint32_t height, width, stride, dilation;
};

/* A line of the text that adds a layer; README.md explains its words. */
struct network_line {
    const char *name, *type; /* type: of the operator */
    const char *weights_of;  /* layer whose weights are used; NULL: its own */
    uint32_t input[NETWORK_MOST_INPUTS], inputs;
    struct network_size size[NETWORK_MOST_SIZES];
    uint32_t sizes;
    enum network_padding padding;
    enum network_shift shift;
    enum network_activation activation;
    uint32_t pad, like, times;
    unsigned kind; /* of the output */
    bool inplace;
};

/* One operator to add. Counts are of elements; weights and biases 0 for none. */
struct network_layer {
    const struct network_line *line; /* that says it */
    const char *name, *suffix;       /* the operator and its output are called name + suffix */
    const char *type, *weights_of;
    const uint32_t *input;
    uint32_t inputs;
    uint64_t dimension[GRAPH_MOST_DIMENSIONS];
    uint32_t rank;
    uint64_t weights, biases, flops;
    uint32_t inplace; /* this many of the first inputs may be overwritten */
    unsigned kind;    /* of the output: NETWORK_INDEX | NETWORK_EXTERNAL */
    bool normalised;  /* an operator of its own normalises the output */
};

/* What a line of a kind makes: a tensor without an operator, or an operator, maybe with an
   activation behind it. */
enum network_makes { NETWORK_INPUT, NETWORK_OFF_CHIP, NETWORK_OPERATOR, NETWORK_FOLLOWED };

/* The kinds of layers, in tables that end with a row without a name. `fill` gets a layer that is as
   large as its first input, without weights, and completes it. */
#define NETWORK_ANY_INPUTS UINT32_MAX
#define NETWORK_SOME_INPUTS (UINT32_MAX - 1) /* at least one */
struct network_layer_kind {
    const char *name, *type; /* NULL: the line says the type */
    uint32_t inputs;
    enum network_makes makes;
    uint32_t flops; /* for each element of the first input; 0: `fill` says the flops */
    void (*fill)(struct network *network, struct network_layer *layer);
};
extern const struct network_layer_kind network_window_layers[], network_element_layers[],
    network_shape_layers[], network_sequence_layers[];

/* Adds the layer of a line and what follows it; returns the output, or 0 after a failure. */
uint32_t network_line_add(struct network *network, const struct network_layer_kind *kind,
                          const struct network_line *line);

/* An operator of one input that keeps its shape and may overwrite it. */
uint32_t network_element_add(struct network *network, const struct network_layer *layer,
                             uint32_t input, uint64_t flops_per_element);

/* The layer's output becomes as large as that tensor. */
void network_layer_shape_like(const struct network *network, struct network_layer *layer,
                              uint32_t tensor);

/* Adds the activation of a line behind its layer; adds nothing where the activation is linear or
   folded into the layer. */
uint32_t network_follow(struct network *network, const struct network_line *line, uint32_t input);

/* The activation of that name, NETWORK_ACTIVATIONS if there is none. */
enum network_activation network_activation_find(const char *name);

/* Keeps a failure, unless there is one already; returns 0. */
uint32_t network_fail(struct network *network, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Keeps the status of a call of graph.h if it is the first failure; true when nothing has failed so
   far. */
bool network_keep(struct network *network, enum status status);

/* Product of counts; a failure and 0 where it is beyond 2^63 - 1. */
uint64_t network_multiply_counts(struct network *network, const uint64_t *factors, uint32_t count);
#define network_product(network, ...)                                                              \
    network_multiply_counts(network, (const uint64_t[]){__VA_ARGS__},                              \
                            sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

const uint64_t *network_shape(const struct network *network, uint32_t tensor);
uint32_t network_rank(const struct network *network, uint32_t tensor);
uint64_t network_elements(const struct network *network, uint32_t tensor);
/* Last dimension of a tensor. */
uint32_t network_channels(const struct network *network, uint32_t tensor);

/* A tensor without an operator, kind as in struct network_layer; and one that is an input of the
   graph. */
uint32_t network_tensor(struct network *network, const char *name, const uint64_t *dimensions,
                        uint32_t rank, unsigned kind);
uint32_t network_input(struct network *network, const char *name, const uint64_t *dimensions,
                       uint32_t rank, unsigned kind);

/* One more output of the graph. */
void network_output(struct network *network, uint32_t tensor);

/* Appends a backward operator for each operator so far and returns the loss. */
uint32_t network_train(struct network *network);

#endif
