#ifndef MEMPLAN_DATASETS_NETWORK_TRANSFORMER_H
#define MEMPLAN_DATASETS_NETWORK_TRANSFORMER_H

#include "datasets/network/sequence.h"

/* Layers of Vaswani et al., "Attention Is All You Need" (2017), for every network of the zoo made
   of them. name is a prefix for their operators. */

struct transformer {
    uint32_t width, heads, hidden;
    bool norm_first; /* normalised before attention and before the hidden layer, else after */
};

/* Each returns the tensor [batch, positions, width] that it ends with. Attention of x to itself:
   the dense layers of queries, keys and values, and the one behind; no norm. */
uint32_t transformer_attention(struct network *network, const struct transformer *transformer,
                               const char *name, uint32_t x);
/* The two dense layers alone, and whole layers. */
uint32_t transformer_feed_forward(struct network *network, const struct transformer *transformer,
                                  const char *name, uint32_t x);
uint32_t transformer_layer(struct network *network, const struct transformer *transformer,
                           const char *name, uint32_t x);
/* Scores, softmax and context of queries with keys and values. */
struct attention {
    uint32_t heads;
    uint32_t queries, keys, values; /* tensors */
};
uint32_t transformer_attend(struct network *network, const char *name,
                            const struct attention *attention);

#endif
