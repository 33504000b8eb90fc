#include "datasets/network/sequence.h"

#include <stdio.h>
#include <string.h>

#include "datasets/network/layer.h"

uint32_t network_embedding(struct network *network, const char *name, uint32_t tokens,
                           uint32_t vocabulary, uint32_t features)
{
    struct network_layer layer = {.name = name, .type = "Embedding", .input = &tokens, .inputs = 1};
    if (network->status)
        return 0;
    network_layer_shape_like(network, &layer, tokens);
    layer.dimension[layer.rank++] = features;
    layer.weights = network_product(network, vocabulary, features);
    return network_layer_add(network, &layer);
}

uint32_t network_position(struct network *network, const char *name, uint32_t input,
                          uint32_t positions)
{
    struct network_layer layer = {
        .name = name, .type = "PositionEmbedding", .input = &input, .inputs = 1, .inplace = 1};
    if (network->status)
        return 0;
    if (network_shape(network, input)[1] > positions)
        return network_fail(network, "layer '%s' has %u positions, the sequence is longer", name,
                            positions);
    layer.weights = network_product(network, positions, network_channels(network, input));
    return network_layer_add_like(network, &layer, input, 1);
}

static uint32_t add_linear(struct network *network, struct network_layer *layer, uint32_t features)
{
    uint64_t depth = 0;
    if (network->status)
        return 0;
    for (uint32_t i = 0; i < layer->inputs; i++)
        depth += network_channels(network, layer->input[i]);
    layer->type = "Dense";
    network_layer_shape_like(network, layer, layer->input[0]);
    layer->dimension[layer->rank - 1] = features;
    uint64_t rows =
        network_elements(network, layer->input[0]) / network_channels(network, layer->input[0]);
    layer->weights = network_product(network, depth, features);
    layer->flops = network_product(network, rows, depth, features, 2);
    return network_layer_add(network, layer);
}

uint32_t network_linear(struct network *network, const char *name, uint32_t input,
                        uint32_t features, enum network_activation activation)
{
    struct network_layer layer = {.name = name, .input = &input, .inputs = 1, .biases = features};
    return network_follow(network, name, activation, add_linear(network, &layer, features));
}

uint32_t network_linear_plain(struct network *network, const char *name, uint32_t input,
                              uint32_t features, const char *weights_of)
{
    struct network_layer layer = {
        .name = name, .input = &input, .inputs = 1, .weights_of = weights_of};
    return add_linear(network, &layer, features);
}

uint32_t network_gates(struct network *network, const struct network_gates *gates)
{
    struct network_layer layer = {.name = gates->name,
                                  .weights_of = gates->weights_of,
                                  .input = gates->input,
                                  .inputs = gates->inputs,
                                  .biases = gates->features};
    return network_follow(network, gates->name, gates->activation,
                          add_linear(network, &layer, gates->features));
}

static uint32_t add_norm(struct network *network, const char *name, const char *type,
                         uint32_t input, bool shifts)
{
    struct network_layer layer = {
        .name = name, .type = type, .input = &input, .inputs = 1, .inplace = 1};
    if (network->status)
        return 0;
    layer.weights = network_channels(network, input);
    layer.biases = shifts ? layer.weights : 0;
    return network_layer_add_like(network, &layer, input, 5);
}

uint32_t network_layer_norm(struct network *network, const char *name, uint32_t input)
{
    return add_norm(network, name, "LayerNorm", input, true);
}

uint32_t network_rms_norm(struct network *network, const char *name, uint32_t input)
{
    return add_norm(network, name, "RmsNorm", input, false);
}

uint32_t network_scores(struct network *network, const char *name, uint32_t queries, uint32_t keys,
                        uint32_t heads)
{
    const uint32_t inputs[] = {queries, keys};
    if (network->status)
        return 0;
    const uint64_t *shape = network_shape(network, queries);
    uint64_t length = network_shape(network, keys)[1];
    struct network_layer layer = {
        .name = name,
        .type = "MatMul",
        .input = inputs,
        .inputs = 2,
        .dimension = {shape[0], heads, shape[1], length},
        .rank = 4,
        .flops = network_product(network, shape[0], shape[1], length, shape[2], 2)};
    return network_layer_add(network, &layer);
}

uint32_t network_context(struct network *network, const char *name, uint32_t scores,
                         uint32_t values)
{
    const uint32_t inputs[] = {scores, values};
    if (network->status)
        return 0;
    const uint64_t *shape = network_shape(network, scores);
    uint64_t width = network_channels(network, values);
    struct network_layer layer = {
        .name = name,
        .type = "MatMul",
        .input = inputs,
        .inputs = 2,
        .dimension = {shape[0], shape[2], width},
        .rank = 3,
        .flops = network_product(network, shape[0], shape[2], shape[3], width, 2)};
    return network_layer_add(network, &layer);
}

uint32_t network_step(struct network *network, const char *name, uint32_t series)
{
    struct network_layer layer = {
        .name = name, .type = "Slice", .input = &series, .inputs = 1, .rank = 2};
    if (network->status)
        return 0;
    layer.dimension[0] = network_shape(network, series)[0];
    layer.dimension[1] = network_channels(network, series);
    return network_layer_add(network, &layer);
}

uint32_t network_zeros(struct network *network, const char *name, uint32_t features)
{
    const struct network_layer layer = {
        .name = name, .type = "Zeros", .dimension = {network_batch(network), features}, .rank = 2};
    return network_layer_add(network, &layer);
}

/* Adds a part of a recurrent cell. The second input is a state, and the output has the size of the
   state. */
static uint32_t add_state(struct network *network, const char *name, const char *type,
                          const uint32_t *inputs, uint32_t count)
{
    struct network_layer layer = {.name = name, .type = type, .input = inputs, .inputs = count};
    return network_layer_add_like(network, &layer, inputs[1], 4);
}

/* state: h, c. */
void network_lstm_cell(struct network *network, const char *name, uint32_t x, uint32_t state[2])
{
    char layer[64];
    uint32_t inputs[] = {x, state[0]}, updated[2];
    uint32_t features = network_channels(network, state[0]);
    snprintf(layer, sizeof layer, "%s_gates", name);
    const struct network_gates gates = {
        .name = layer, .input = inputs, .inputs = 2, .features = 4 * features};
    updated[0] = network_gates(network, &gates);
    updated[1] = state[1];
    snprintf(layer, sizeof layer, "%s_c", name);
    state[1] = add_state(network, layer, "LstmState", updated, 2);
    updated[1] = state[1];
    snprintf(layer, sizeof layer, "%s_h", name);
    state[0] = add_state(network, layer, "LstmOutput", updated, 2);
}

/* Reset and update gates, the candidate from what is not reset, both mixed. */
uint32_t network_gru_cell(struct network *network, const char *name, uint32_t x, uint32_t state)
{
    char layer[64];
    uint32_t inputs[] = {x, state}, features = network_channels(network, state);
    struct network_gates gates = {
        .name = layer, .input = inputs, .inputs = 2, .features = 2 * features};
    snprintf(layer, sizeof layer, "%s_gates", name);
    uint32_t mixed[] = {network_gates(network, &gates), state, 0};
    snprintf(layer, sizeof layer, "%s_reset", name);
    inputs[1] = add_state(network, layer, "GruReset", mixed, 2);
    snprintf(layer, sizeof layer, "%s_candidate", name);
    gates.features = features;
    gates.activation = NETWORK_TANH;
    mixed[2] = network_gates(network, &gates);
    snprintf(layer, sizeof layer, "%s_h", name);
    return add_state(network, layer, "GruState", mixed, 3);
}
