#ifndef MEMPLAN_DATASETS_NETWORK_SHAPE_H
#define MEMPLAN_DATASETS_NETWORK_SHAPE_H

#include "datasets/network/builder.h"

/* Layers that take or leave parts of tensors, or give them another shape. */

/* Averages over height and width: [batch, channels], or [batch, 1, 1, channels] (squeeze). Flops
   are one per element. */
uint32_t network_global_average_pool(struct network *network, const char *name, uint32_t input);
uint32_t network_squeeze(struct network *network, const char *name, uint32_t input);

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

#endif
