#include <stdio.h>

#include "datasets/network/layer.h"
#include "datasets/network/transformer.h"
#include "datasets/zoo/zoo.h"

/* LLaMA-7B of Touvron et al., "LLaMA: Open and Efficient Foundation Language Models" (2023), Table
   2. Prefill reads a prompt of `sequence` tokens and fills the cache of keys and values; decode
   reads one token, with `sequence` in the cache. The caches stay outside the arena from call to
   call; only the last token's logits are computed. */

enum { LAYERS = 32, WIDTH = 4096, HEADS = 32, HIDDEN = 11008, VOCABULARY = 32000 };

struct llama {
    bool decodes;
};

struct layer_name {
    char text[64];
};

static struct layer_name name_part(uint32_t layer, const char *part)
{
    struct layer_name name;
    snprintf(name.text, sizeof name.text, "layer%u_%s", layer, part);
    return name;
}

static uint32_t add_rotary(struct network *network, const char *name, uint32_t x)
{
    struct network_layer layer = {
        .name = name, .type = "Rotary", .input = &x, .inputs = 1, .inplace = 1};
    if (network->status)
        return 0;
    network_layer_shape_like(network, &layer, x);
    layer.flops = network_product(network, network_elements(network, x), 3);
    return network_layer_add(network, &layer);
}

/* Writes x behind what the cache holds, [batch, length, width], in place and off chip. */
static uint32_t add_cache(struct network *network, const char *name, uint32_t length, uint32_t x)
{
    struct layer_name past;
    const uint64_t dimension[] = {network_batch(network), length, WIDTH};
    snprintf(past.text, sizeof past.text, "%.48s_past", name);
    const uint32_t inputs[] = {x,
                               network_tensor(network, past.text, dimension, 3, NETWORK_EXTERNAL)};
    const struct network_layer layer = {.name = name,
                                        .type = "CacheAppend",
                                        .input = inputs,
                                        .inputs = 2,
                                        .dimension = {dimension[0], length, WIDTH},
                                        .rank = 3,
                                        .kind = NETWORK_EXTERNAL};
    return network_layer_add(network, &layer);
}

static uint32_t add_attention(struct network *network, uint32_t layer, uint32_t length, uint32_t x)
{
    uint32_t q = network_linear_plain(network, name_part(layer, "q").text, x, WIDTH, NULL);
    q = add_rotary(network, name_part(layer, "q_rotary").text, q);
    uint32_t k = network_linear_plain(network, name_part(layer, "k").text, x, WIDTH, NULL);
    k = add_rotary(network, name_part(layer, "k_rotary").text, k);
    k = add_cache(network, name_part(layer, "k_cache").text, length, k);
    uint32_t v = network_linear_plain(network, name_part(layer, "v").text, x, WIDTH, NULL);
    v = add_cache(network, name_part(layer, "v_cache").text, length, v);
    x = transformer_attend(network, name_part(layer, "attention").text,
                           &(struct attention){HEADS, q, k, v});
    return network_linear_plain(network, name_part(layer, "o").text, x, WIDTH, NULL);
}

static uint32_t add_feed_forward(struct network *network, uint32_t layer, uint32_t x)
{
    uint32_t gate = network_linear_plain(network, name_part(layer, "gate").text, x, HIDDEN, NULL);
    gate = network_activate(network, name_part(layer, "swish").text, gate, NETWORK_SWISH);
    uint32_t up = network_linear_plain(network, name_part(layer, "up").text, x, HIDDEN, NULL);
    x = network_multiply(network, name_part(layer, "mul").text, gate, up);
    return network_linear_plain(network, name_part(layer, "down").text, x, WIDTH, NULL);
}

static uint32_t add_layer(struct network *network, uint32_t layer, uint32_t length, uint32_t input)
{
    uint32_t x = network_rms_norm(network, name_part(layer, "norm1").text, input);
    x = add_attention(network, layer, length, x);
    input = network_add(network, name_part(layer, "add1").text, x, input, NETWORK_LINEAR);
    x = network_rms_norm(network, name_part(layer, "norm2").text, input);
    x = add_feed_forward(network, layer, x);
    return network_add(network, name_part(layer, "add2").text, x, input, NETWORK_LINEAR);
}

static uint32_t build_llama(struct network *network, const void *variant)
{
    const struct llama *llama = variant;
    uint32_t length = network_sequence(network, llama->decodes ? 2048 : 512);
    uint32_t x = network_tokens(network, "tokens", llama->decodes ? 1 : length);
    x = network_embedding(network, "embedding", x, VOCABULARY, WIDTH);
    for (uint32_t layer = 1; layer <= LAYERS; layer++)
        x = add_layer(network, layer, length, x);
    x = network_rms_norm(network, "norm", x);
    x = network_step(network, "last", x);
    return network_linear_plain(network, "head", x, VOCABULARY, NULL);
}

static const struct llama prefill = {false}, decode = {true};

static const struct zoo_network rows[] = {
    {"zoo/llama_7b_prefill", "LLaMA-7B, a prompt of 512 tokens (Touvron et al. 2023)", false,
     ZOO_SEQUENCE, build_llama, &prefill},
    {"zoo/llama_7b_decode", "LLaMA-7B, one token after 2048 (Touvron et al. 2023)", false,
     ZOO_SEQUENCE, build_llama, &decode},
};
ZOO_DEFINE(llama, rows);
