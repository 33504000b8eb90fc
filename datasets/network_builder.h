#ifndef MEMPLAN_DATASETS_NETWORK_BUILDER_H
#define MEMPLAN_DATASETS_NETWORK_BUILDER_H

#include <stdbool.h>
#include <stdint.h>

#include "planning/graph.h"

/* Builds the graph of a convolutional network layer by layer. Tensors are [batch, height, width,
   channels] or [batch, features]; layers are given by index of their input tensor and return that
   of their output. Shapes, bytes, weights and flops follow.

   The first call that fails is kept: the calls after it do nothing and return 0, network_finish
   says what went wrong. A network therefore reads like the table in its paper:

       x = network_input(network, "image", 224, 224, 3);
       x = network_conv(network, "conv1", x, 64, network_same(7, 2), NETWORK_RELU);
       x = network_max_pool(network, "pool1", x, network_same(3, 2)); */

struct network_options {
    uint32_t batch; /* at least 1 */
    uint8_t dtype;  /* row of the dtype table, of activations and weights */
    /* Batch normalisation and activation are folded into the layer before: a bias instead of the
       normalisation's parameters, no tensors between. Off: operators and tensors of their own. */
    bool fuse;
};

#define NETWORK_DEFAULTS ((struct network_options){.batch = 1, .dtype = 0, .fuse = true})

enum network_activation { NETWORK_LINEAR, NETWORK_RELU, NETWORK_RELU6 };

/* SAME: outputs = ceil(inputs / stride), padded with zeros; VALID: no padding. */
enum network_padding { NETWORK_SAME, NETWORK_VALID };

struct network;

enum status network_create(const char *name, const struct network_options *options,
                           struct network **network, struct error *error);

/* An input of the graph, in the arena like every tensor here. */
uint32_t network_input(struct network *network, const char *name, uint32_t height, uint32_t width,
                       uint32_t channels);

/* A window of size * size that slides over height and width. */
struct network_window {
    uint32_t size, stride;
    enum network_padding padding;
};

static inline struct network_window network_same(uint32_t size, uint32_t stride)
{
    return (struct network_window){size, stride, NETWORK_SAME};
}

static inline struct network_window network_valid(uint32_t size, uint32_t stride)
{
    return (struct network_window){size, stride, NETWORK_VALID};
}

/* Convolution, batch normalisation, activation. Weights [size, size, input channels, channels];
   flops are 2 per multiply-add. */
uint32_t network_conv(struct network *network, const char *name, uint32_t input, uint32_t channels,
                      struct network_window window, enum network_activation activation);

/* The same for each channel alone: weights [size, size, channels]. */
uint32_t network_depthwise_conv(struct network *network, const char *name, uint32_t input,
                                struct network_window window, enum network_activation activation);

/* All inputs to each of `features` outputs, with bias. */
uint32_t network_dense(struct network *network, const char *name, uint32_t input, uint32_t features,
                       enum network_activation activation);

/* Pooling; flops are one per element of each window. The global one gives [batch, channels]. */
uint32_t network_max_pool(struct network *network, const char *name, uint32_t input,
                          struct network_window window);
uint32_t network_average_pool(struct network *network, const char *name, uint32_t input,
                              struct network_window window);
uint32_t network_global_average_pool(struct network *network, const char *name, uint32_t input);

/* Element by element, of equal shapes; activation as for network_conv. */
uint32_t network_add(struct network *network, const char *name, uint32_t left, uint32_t right,
                     enum network_activation activation);
uint32_t network_softmax(struct network *network, const char *name, uint32_t input);

/* Ends the graph with one output and frees the network in any case. The caller frees the graph. */
enum status network_finish(struct network *network, uint32_t output, struct graph **graph,
                           struct error *error);

/* Sums over operators, for tests and listings: parameters of all weights, and multiply-adds of
   convolutions and dense layers. */
uint64_t network_parameters(const struct graph *graph);
uint64_t network_multiply_adds(const struct graph *graph);

#endif
