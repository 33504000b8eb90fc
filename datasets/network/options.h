#ifndef MEMPLAN_DATASETS_NETWORK_OPTIONS_H
#define MEMPLAN_DATASETS_NETWORK_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* What a network is built with, and what its layers may end with. */

struct network_options {
    uint32_t batch; /* at least 1 */
    uint8_t dtype;  /* row of the dtype table, of activations and weights */
    /* Batch normalisation and activation are folded into the layer before: a bias instead of the
       normalisation's parameters, no tensors between. Off: operators and tensors of their own. */
    bool fuse;
    bool training;          /* backward operators follow, see network_finish */
    bool updates;           /* of training: of weights too, see network_finish */
    uint32_t sequence;      /* 0: what the network is published for */
    uint32_t height, width; /* of the image, likewise */
    uint32_t streams;       /* at most so many run side by side; 0: one */
};

#define NETWORK_DEFAULTS ((struct network_options){.batch = 1, .dtype = 0, .fuse = true})

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
};

#endif
