#ifndef MEMPLAN_DATASETS_NETWORK_NETWORK_H
#define MEMPLAN_DATASETS_NETWORK_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/text.h"
#include "planning/graph/graph.h"

/* Builds the graph of a network from a text that lists its layers, one on a line, like the table in
   its paper. Shapes, bytes, weights and flops follow. README.md explains the language. */

struct network_options {
    uint32_t batch; /* at least 1 */
    uint8_t dtype;  /* row of the dtype table, of activations and weights */
    /* Batch normalisation and activation are folded into the layer before: a bias instead of the
       normalisation's parameters, no tensors between. Off: operators and tensors of their own. */
    bool fuse;
    /* A loss and the backward operators follow; the gradients of weights and the targets are
       external, the loss is the graph's only output. With updates gradients of weights are in the
       arena, and at the end an operator for each weight reads its gradient and writes two tensors
       of the same size that nothing reads: the step, and the new weight. */
    bool training, updates;
    uint32_t sequence;      /* 0: what the network is published for */
    uint32_t height, width; /* of the image, likewise */
    uint32_t streams;       /* operators are put on this many streams at most; 0: one */
};

#define NETWORK_DEFAULTS ((struct network_options){.batch = 1, .dtype = 0, .fuse = true})

/* Builds the network that the text calls `network`, as a graph called name, which the caller frees.
   Fails with STATUS_BAD_INPUT where the options fit no layer, or the text is wrong. */
enum status network_build(const struct text *text, const char *network, const char *name,
                          const struct network_options *options, struct graph **graph,
                          struct error *error);

#endif
