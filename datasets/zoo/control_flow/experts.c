#include <stdio.h>

#include "datasets/network/control.h"
#include "datasets/network/transformer.h"
#include "datasets/zoo/zoo.h"

/* Mixture of experts: a BERT-sized encoder in which every other layer has eight hidden layers, of
   which a router takes one for the whole sequence, as in Kudugunta et al., "Beyond Distillation:
   Task-level Mixture-of-Experts" (2021), with the top-1 choice of Fedus et al., "Switch
   Transformers" (2022). The choice is one operator with a region for each expert. */

enum { LAYERS = 6, EXPERTS = 8, VOCABULARY = 32128 };

static uint32_t add_experts(struct network *network, const struct transformer *transformer,
                            const char *layer, uint32_t x)
{
    char name[48], expert[64];
    snprintf(name, sizeof name, "%s_summary", layer);
    uint32_t router = network_step(network, name, x);
    snprintf(name, sizeof name, "%s_router", layer);
    router = network_dense(network, name, router, EXPERTS, NETWORK_LINEAR);
    snprintf(name, sizeof name, "%s_switch", layer);
    network_open_branches(network, name, "Switch", router);
    for (uint32_t i = 0; i < EXPERTS; i++) {
        snprintf(expert, sizeof expert, "%.24s_expert%u", layer, i + 1);
        network_open_region(network, expert, 1.0 / EXPERTS);
        uint32_t y = transformer_feed_forward(network, transformer, expert, x);
        network_close_region(network, &y, 1);
    }
    network_close_branches(network, name, &x, 1);
    return x;
}

static uint32_t add_layer(struct network *network, const struct transformer *transformer,
                          const char *layer, uint32_t input)
{
    char name[48];
    snprintf(name, sizeof name, "%s_norm1", layer);
    uint32_t x = network_layer_norm(network, name, input);
    x = transformer_attention(network, transformer, layer, x);
    snprintf(name, sizeof name, "%s_add1", layer);
    input = network_add(network, name, x, input, NETWORK_LINEAR);
    snprintf(name, sizeof name, "%s_norm2", layer);
    x = network_layer_norm(network, name, input);
    x = add_experts(network, transformer, layer, x);
    snprintf(name, sizeof name, "%s_add2", layer);
    return network_add(network, name, x, input, NETWORK_LINEAR);
}

static uint32_t build_experts(struct network *network, const void *variant)
{
    static const struct transformer base = {768, 12, 3072, true};
    char name[32];
    (void)variant;
    uint32_t x = network_tokens(network, "tokens", network_sequence(network, 128));
    x = network_embedding(network, "embedding", x, VOCABULARY, base.width);
    for (uint32_t i = 0; i < LAYERS; i++) {
        snprintf(name, sizeof name, "layer%u", i + 1);
        x = i % 2 ? add_layer(network, &base, name, x) : transformer_layer(network, &base, name, x);
    }
    x = network_layer_norm(network, "norm", x);
    return network_linear_plain(network, "head", x, VOCABULARY, "embedding");
}

static const struct zoo_network rows[] = {
    {"zoo/experts", "Mixture of 8 experts in an encoder (after Fedus et al. 2022)", true,
     ZOO_SEQUENCE, build_experts, NULL},
};
ZOO_DEFINE(experts, rows);
