#include <stdio.h>

#include "datasets/network/layer.h"
#include "datasets/network/transformer.h"
#include "datasets/zoo/zoo.h"

/* BERT-base of Devlin et al. (2019), encoder and pooler; ViT-L/16 of Dosovitskiy et al. (2021),
   Table 1; GPT-2, the smallest, of Radford et al. (2019), whose last layer shares the embedding's
   weights. */

enum { BERT_VOCABULARY = 30522, BERT_POSITIONS = 512, BERT_SEGMENTS = 2 };
enum { GPT2_VOCABULARY = 50257, GPT2_POSITIONS = 1024, PATCH = 16 };

static uint32_t add_layers(struct network *network, const struct transformer *transformer,
                           uint32_t layers, uint32_t x)
{
    char name[32];
    for (uint32_t i = 0; i < layers; i++) {
        snprintf(name, sizeof name, "layer%u", i + 1);
        x = transformer_layer(network, transformer, name, x);
    }
    return x;
}

static uint32_t build_bert(struct network *network, const void *variant)
{
    static const struct transformer base = {768, 12, 3072, false};
    uint32_t sequence = network_sequence(network, 128);
    (void)variant;
    uint32_t tokens = network_tokens(network, "tokens", sequence);
    uint32_t segments = network_tokens(network, "segments", sequence);
    uint32_t x = network_embedding(network, "words", tokens, BERT_VOCABULARY, base.width);
    uint32_t segment =
        network_embedding(network, "segment_words", segments, BERT_SEGMENTS, base.width);
    x = network_add(network, "embedding_add", x, segment, NETWORK_LINEAR);
    x = network_position(network, "positions", x, BERT_POSITIONS);
    x = network_layer_norm(network, "embedding_norm", x);
    x = add_layers(network, &base, 12, x);
    network_output(network, x);
    x = network_step(network, "first", x);
    return network_linear(network, "pooler", x, base.width, NETWORK_TANH);
}

/* The image's patches as a sequence, behind a learned element that is no patch. */
static uint32_t add_patches(struct network *network, uint32_t x)
{
    if (network->status)
        return 0;
    const uint64_t *shape = network_shape(network, x);
    uint64_t patches = shape[1] * shape[2], width = shape[3];
    const uint64_t list[] = {shape[0], patches, width};
    x = network_reshape(network, "patch_list", x, list, 3);
    const struct network_layer token = {.name = "class_token",
                                        .type = "ClassToken",
                                        .input = &x,
                                        .inputs = 1,
                                        .dimension = {list[0], patches + 1, width},
                                        .rank = 3,
                                        .weights = width};
    x = network_layer_add(network, &token);
    return network_position(network, "positions", x, (uint32_t)patches + 1);
}

static uint32_t build_vit(struct network *network, const void *variant)
{
    static const struct transformer large = {1024, 16, 4096, true};
    const struct network_window patch = network_valid(PATCH, PATCH);
    (void)variant;
    uint32_t x = network_image(network, "image", 224, 224, 3);
    x = network_conv_bias(network, "patches", x, network_filters(large.width, patch),
                          NETWORK_LINEAR);
    x = add_patches(network, x);
    x = add_layers(network, &large, 24, x);
    x = network_layer_norm(network, "norm", x);
    x = network_step(network, "class", x);
    return network_dense(network, "head", x, 1000, NETWORK_LINEAR);
}

static uint32_t build_gpt2(struct network *network, const void *variant)
{
    static const struct transformer small = {768, 12, 3072, true};
    uint32_t sequence = network_sequence(network, GPT2_POSITIONS);
    (void)variant;
    uint32_t x = network_tokens(network, "tokens", sequence);
    x = network_embedding(network, "wte", x, GPT2_VOCABULARY, small.width);
    x = network_position(network, "wpe", x, GPT2_POSITIONS);
    x = add_layers(network, &small, 12, x);
    x = network_layer_norm(network, "norm", x);
    return network_linear_plain(network, "head", x, GPT2_VOCABULARY, "wte");
}

static const struct zoo_network rows[] = {
    {"zoo/bert_base", "BERT-base, 128 tokens (Devlin et al. 2019)", false,
     ZOO_SEQUENCE | ZOO_TRAINING, build_bert, NULL},
    {"zoo/vit_large", "ViT-L/16, 224 x 224 (Dosovitskiy et al. 2021)", false,
     ZOO_IMAGE | ZOO_TRAINING, build_vit, NULL},
    {"zoo/gpt2", "GPT-2 small, 1024 tokens (Radford et al. 2019)", false,
     ZOO_SEQUENCE | ZOO_TRAINING, build_gpt2, NULL},
};
ZOO_DEFINE(transformer, rows);
