#ifndef MEMPLAN_DATASETS_NETWORK_BUILDER_H
#define MEMPLAN_DATASETS_NETWORK_BUILDER_H

#include <stdbool.h>
#include <stdint.h>

#include "datasets/network/options.h"
#include "planning/graph/graph.h"

/* Builds the graph of a network layer by layer. Tensors are [batch, height, width, channels],
   [batch, sequence, features] or [batch, features]; layers are given by index of their input tensor
   and return that of their output. Shapes, bytes, weights and flops follow.

   The layers are in conv.h, elementwise.h, shape.h, sequence.h, residual.h and transformer.h,
   branches and loops in control.h.

   The first call that fails is kept: the calls after it do nothing and return 0, network_finish
   says what went wrong. A network therefore reads like the table in its paper:

       x = network_image(network, "image", 224, 224, 3);
       x = network_conv(network, "conv1", x, network_filters(64, network_same(7, 2)), NETWORK_RELU);
       x = network_max_pool(network, "pool1", x, network_same(3, 2)); */

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
