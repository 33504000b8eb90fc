#ifndef MEMPLAN_DATASETS_NETWORK_CONV_H
#define MEMPLAN_DATASETS_NETWORK_CONV_H

#include "datasets/network/builder.h"

/* Layers that slide windows over images. */

/* SAME: outputs = ceil(inputs / stride), padded with zeros; VALID: no padding; PADDED: `pad` zeros
   at each end; CEIL: like VALID, but a last window may stick out. */
enum network_padding { NETWORK_SAME, NETWORK_VALID, NETWORK_PADDED, NETWORK_CEIL };

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

/* Pooling; flops are one per element of each window. */
uint32_t network_max_pool(struct network *network, const char *name, uint32_t input,
                          struct network_window window);
uint32_t network_average_pool(struct network *network, const char *name, uint32_t input,
                              struct network_window window);

/* Channels weighed by a network of two layers (Hu et al. 2018). */
struct network_excitation {
    uint32_t channels;             /* between the two layers */
    enum network_activation inner; /* of the first layer */
    enum network_activation gate;  /* of the second */
};
uint32_t network_squeeze_excite(struct network *network, const char *name, uint32_t input,
                                struct network_excitation excitation);

#endif
