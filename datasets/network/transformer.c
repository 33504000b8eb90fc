#include "datasets/network/transformer.h"

#include <stdio.h>

struct layer_name {
    char text[64];
};

static struct layer_name join(const char *name, const char *layer)
{
    struct layer_name joined;
    snprintf(joined.text, sizeof joined.text, "%s_%s", name, layer);
    return joined;
}

uint32_t transformer_attend(struct network *network, const char *name,
                            const struct attention *attention)
{
    struct layer_name layer = join(name, "scores");
    uint32_t scores =
        network_scores(network, layer.text, attention->queries, attention->keys, attention->heads);
    layer = join(name, "softmax");
    scores = network_softmax(network, layer.text, scores);
    layer = join(name, "context");
    return network_context(network, layer.text, scores, attention->values);
}

uint32_t transformer_attention(struct network *network, const struct transformer *transformer,
                               const char *name, uint32_t x)
{
    static const char *const parts[] = {"q", "k", "v"};
    uint32_t part[3], width = transformer->width;
    for (int i = 0; i < 3; i++)
        part[i] = network_linear(network, join(name, parts[i]).text, x, width, NETWORK_LINEAR);
    x = transformer_attend(network, name,
                           &(struct attention){transformer->heads, part[0], part[1], part[2]});
    return network_linear(network, join(name, "project").text, x, width, NETWORK_LINEAR);
}

uint32_t transformer_feed_forward(struct network *network, const struct transformer *transformer,
                                  const char *name, uint32_t x)
{
    x = network_linear(network, join(name, "hidden").text, x, transformer->hidden, NETWORK_GELU);
    return network_linear(network, join(name, "down").text, x, transformer->width, NETWORK_LINEAR);
}

static uint32_t add_half(struct network *network, const struct transformer *transformer,
                         const char *name, bool attends, uint32_t input)
{
    struct layer_name norm = join(name, attends ? "norm1" : "norm2");
    uint32_t x = input;
    if (transformer->norm_first)
        x = network_layer_norm(network, norm.text, x);
    x = attends ? transformer_attention(network, transformer, name, x)
                : transformer_feed_forward(network, transformer, name, x);
    x = network_add(network, join(name, attends ? "add1" : "add2").text, x, input, NETWORK_LINEAR);
    return transformer->norm_first ? x : network_layer_norm(network, norm.text, x);
}

uint32_t transformer_layer(struct network *network, const struct transformer *transformer,
                           const char *name, uint32_t x)
{
    x = add_half(network, transformer, name, true, x);
    return add_half(network, transformer, name, false, x);
}
