#ifndef MEMPLAN_DATASETS_NETWORK_ELEMENTWISE_H
#define MEMPLAN_DATASETS_NETWORK_ELEMENTWISE_H

#include "datasets/network/builder.h"

/* Dense layers, and operators that work element by element. */

/* All inputs to each of `features` outputs, with bias. */
uint32_t network_dense(struct network *network, const char *name, uint32_t input, uint32_t features,
                       enum network_activation activation);

/* Element by element, of equal shapes; activation as for network_conv. */
uint32_t network_add(struct network *network, const char *name, uint32_t left, uint32_t right,
                     enum network_activation activation);
/* The right one may be smaller and is repeated. */
uint32_t network_multiply(struct network *network, const char *name, uint32_t left, uint32_t right);
uint32_t network_activate(struct network *network, const char *name, uint32_t input,
                          enum network_activation activation);
uint32_t network_softmax(struct network *network, const char *name, uint32_t input);

/* What follows a layer: nothing where it is linear or folded into the layer. */
uint32_t network_follow(struct network *network, const char *name,
                        enum network_activation activation, uint32_t input);

#endif
