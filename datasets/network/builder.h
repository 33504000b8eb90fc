#ifndef MEMPLAN_DATASETS_NETWORK_BUILDER_H
#define MEMPLAN_DATASETS_NETWORK_BUILDER_H

#include <stdbool.h>
#include <stdint.h>

#include "datasets/network/options.h"
#include "planning/graph/graph.h"

/* Builds the graph of a network layer by layer. Tensors are [batch, height, width, channels],
   [batch, sequence, features] or [batch, features]; layers are given by index of their input tensor
   and return that of their output. Shapes, bytes, weights and flops follow.

   The first call that fails is kept: the calls after it do nothing and return 0, network_finish
   says what went wrong. A network therefore reads like the table in its paper:

       x = network_image(network, "image", 224, 224, 3);
       x = network_conv(network, "conv1", x, network_filters(64, network_same(7, 2)), NETWORK_RELU);
       x = network_max_pool(network, "pool1", x, network_same(3, 2)); */

/* SAME: outputs = ceil(inputs / stride), padded with zeros; VALID: no padding; PADDED: `pad` zeros
   at each end; CEIL: like VALID, but a last window may stick out. */
enum network_padding { NETWORK_SAME, NETWORK_VALID, NETWORK_PADDED, NETWORK_CEIL };

struct network;

enum status network_create(const char *name, const struct network_options *options,
                           struct network **network, struct error *error);

/* An input of the graph, in the arena like every tensor here. An image has the size that the
   options say, if they do. Tokens are int32 [batch, sequence]. */
uint32_t network_input(struct network *network, const char *name, uint32_t height, uint32_t width,
                       uint32_t channels);
uint32_t network_image(struct network *network, const char *name, uint32_t height, uint32_t width,
                       uint32_t channels);
uint32_t network_tokens(struct network *network, const char *name, uint32_t sequence);
/* [batch, sequence, features]. */
uint32_t network_series(struct network *network, const char *name, uint32_t sequence,
                        uint32_t features);

/* The sequence length of the options, or the one that is given. */
uint32_t network_sequence(const struct network *network, uint32_t published);
uint32_t network_batch(const struct network *network);
/* Last dimension of a tensor; 1 after a failure. */
uint32_t network_channels(const struct network *network, uint32_t tensor);

/* A window of height * width that slides over height and width. */
struct network_window {
    uint32_t height, width, stride, dilation;
    enum network_padding padding;
    uint32_t pad;
};

static inline struct network_window network_same(uint32_t size, uint32_t stride)
{
    return (struct network_window){size, size, stride, 1, NETWORK_SAME, 0};
}

static inline struct network_window network_valid(uint32_t size, uint32_t stride)
{
    return (struct network_window){size, size, stride, 1, NETWORK_VALID, 0};
}

static inline struct network_window network_padded(uint32_t size, uint32_t stride, uint32_t pad)
{
    return (struct network_window){size, size, stride, 1, NETWORK_PADDED, pad};
}

static inline struct network_window network_ceil(uint32_t size, uint32_t stride)
{
    return (struct network_window){size, size, stride, 1, NETWORK_CEIL, 0};
}

static inline struct network_window network_dilated(uint32_t size, uint32_t dilation)
{
    return (struct network_window){size, size, 1, dilation, NETWORK_SAME, 0};
}

static inline struct network_window network_oblong(uint32_t height, uint32_t width)
{
    return (struct network_window){height, width, 1, 1, NETWORK_SAME, 0};
}

/* What a convolution slides over an image: one window for each channel of its output. */
struct network_filters {
    uint32_t channels;
    struct network_window window;
};

static inline struct network_filters network_filters(uint32_t channels,
                                                     struct network_window window)
{
    return (struct network_filters){channels, window};
}

/* Convolution, batch normalisation, activation. Weights [height, width, input channels, channels];
   flops are 2 per multiply-add. */
uint32_t network_conv(struct network *network, const char *name, uint32_t input,
                      struct network_filters filters, enum network_activation activation);

/* The same without normalisation: with a bias of its own, or with nothing at all. */
uint32_t network_conv_bias(struct network *network, const char *name, uint32_t input,
                           struct network_filters filters, enum network_activation activation);
uint32_t network_conv_plain(struct network *network, const char *name, uint32_t input,
                            struct network_filters filters);

/* The same for each channel alone: weights [height, width, channels]. */
uint32_t network_depthwise_conv(struct network *network, const char *name, uint32_t input,
                                struct network_window window, enum network_activation activation);

/* Each element becomes size * size elements of each output channel, with bias. */
uint32_t network_conv_transpose(struct network *network, const char *name, uint32_t input,
                                uint32_t channels, uint32_t size);

/* Batch normalisation where no layer before it can take it in. */
uint32_t network_normalise(struct network *network, const char *name, uint32_t input,
                           enum network_activation activation);

/* All inputs to each of `features` outputs, with bias. */
uint32_t network_dense(struct network *network, const char *name, uint32_t input, uint32_t features,
                       enum network_activation activation);

/* Pooling; flops are one per element of each window. The global one gives [batch, channels], or
   [batch, 1, 1, channels] (squeeze). */
uint32_t network_max_pool(struct network *network, const char *name, uint32_t input,
                          struct network_window window);
uint32_t network_average_pool(struct network *network, const char *name, uint32_t input,
                              struct network_window window);
uint32_t network_global_average_pool(struct network *network, const char *name, uint32_t input);
uint32_t network_squeeze(struct network *network, const char *name, uint32_t input);

/* Channels weighed by a network of two layers (Hu et al. 2018). */
struct network_excitation {
    uint32_t channels;             /* between the two layers */
    enum network_activation inner; /* of the first layer */
    enum network_activation gate;  /* of the second */
};
uint32_t network_squeeze_excite(struct network *network, const char *name, uint32_t input,
                                struct network_excitation excitation);

/* Inputs side by side along the last dimension, or along the one after the batch. */
uint32_t network_concat(struct network *network, const char *name, const uint32_t *inputs,
                        uint32_t count);
uint32_t network_rows(struct network *network, const char *name, const uint32_t *inputs,
                      uint32_t count);
/* The middle of an image; an image scaled bilinearly; the elements of a tensor in another shape. */
uint32_t network_crop(struct network *network, const char *name, uint32_t input, uint32_t height,
                      uint32_t width);
uint32_t network_resize(struct network *network, const char *name, uint32_t input, uint32_t height,
                        uint32_t width);
uint32_t network_reshape(struct network *network, const char *name, uint32_t input,
                         const uint64_t *dimensions, uint32_t rank);

/* Element by element, of equal shapes; activation as for network_conv. */
uint32_t network_add(struct network *network, const char *name, uint32_t left, uint32_t right,
                     enum network_activation activation);
/* The right one may be smaller and is repeated. */
uint32_t network_multiply(struct network *network, const char *name, uint32_t left, uint32_t right);
uint32_t network_activate(struct network *network, const char *name, uint32_t input,
                          enum network_activation activation);
uint32_t network_softmax(struct network *network, const char *name, uint32_t input);

/* One more output of the graph, beside the one of network_finish. */
void network_output(struct network *network, uint32_t tensor);

/* Ends the graph with its last output and frees the network in any case. The caller frees the
   graph. Where options.training is set, a loss and the backward operators come before the end; the
   gradients of weights and the target are external, the loss is the graph's only output. With
   options.updates gradients of weights are in the arena, and at the end an operator for each weight
   takes its gradient and writes as many bytes twice, which nobody reads: the step, and the new
   weight. */
enum status network_finish(struct network *network, uint32_t output, struct graph **graph,
                           struct error *error);

#endif
