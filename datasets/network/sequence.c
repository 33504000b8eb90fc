#include "datasets/network/layer.h"

/* Layers for sequences [batch, sequence, features] and recurrent cells [batch, features]. */

/* A row of a table of weights for each token. */
static uint32_t add_embedding(struct network *network, const struct network_line *line)
{
    uint32_t vocabulary = line->size[0].height, features = line->size[1].height;
    struct network_layer layer = network_layer_of(line);
    network_layer_shape_like(network, &layer, line->input[0]);
    layer.dimension[layer.rank++] = features;
    layer.weights = network_product(network, vocabulary, features);
    return network_layer_add(network, &layer);
}

/* What is learned for each place in the sequence is added; without a size, for as many places as
   the sequence has. */
static uint32_t add_position(struct network *network, const struct network_line *line)
{
    uint64_t length = network_shape(network, line->input[0])[1];
    uint64_t positions = line->sizes ? line->size[0].height : length;
    struct network_layer layer = network_layer_of(line);
    layer.inplace = 1;
    if (length > positions)
        return network_fail(network, "layer '%s' has %u positions, the sequence is longer",
                            line->name, (unsigned)positions);
    layer.weights = network_product(network, positions, network_channels(network, line->input[0]));
    return network_layer_add_like(network, &layer, line->input[0], 1);
}

/* A learned element before the sequence. */
static uint32_t add_class_token(struct network *network, const struct network_line *line)
{
    struct network_layer layer = network_layer_of(line);
    network_layer_shape_like(network, &layer, line->input[0]);
    layer.dimension[1]++;
    layer.weights = network_channels(network, line->input[0]);
    return network_layer_add(network, &layer);
}

/* Dense along the last dimension, over all inputs as if joined; the gates of a recurrent cell. */
static uint32_t add_linear(struct network *network, const struct network_line *line)
{
    uint64_t depth = 0, features = line->size[0].height;
    uint64_t rows =
        network_elements(network, line->input[0]) / network_channels(network, line->input[0]);
    struct network_layer layer = network_layer_of(line);
    for (uint32_t i = 0; i < line->inputs; i++)
        depth += network_channels(network, line->input[i]);
    network_layer_shape_like(network, &layer, line->input[0]);
    layer.dimension[layer.rank - 1] = features;
    layer.biases = line->shift == NETWORK_PLAIN ? 0 : features;
    layer.weights = network_product(network, depth, features);
    layer.flops = network_product(network, rows, depth, features, 2);
    return network_follow(network, line, network_layer_add(network, &layer));
}

/* Layer normalisation with scale and shift; root mean square, plain, with scale only. */
static uint32_t add_norm(struct network *network, const struct network_line *line)
{
    struct network_layer layer = network_layer_of(line);
    layer.inplace = 1;
    layer.weights = network_channels(network, line->input[0]);
    layer.biases = line->shift == NETWORK_PLAIN ? 0 : layer.weights;
    return network_layer_add_like(network, &layer, line->input[0], 5);
}

static uint32_t add_rms_norm(struct network *network, const struct network_line *line)
{
    struct network_line plain = *line;
    plain.shift = NETWORK_PLAIN;
    return add_norm(network, &plain);
}

/* Queries [batch, n, width] with keys [batch, m, width] give [batch, heads, n, m], scaled and
   masked by the softmax; that with values [batch, m, width] gives [batch, n, width]. Heads are read
   in place, without a transposed copy. */
static uint32_t add_scores(struct network *network, const struct network_line *line)
{
    const uint64_t *shape = network_shape(network, line->input[0]);
    uint64_t length = network_shape(network, line->input[1])[1];
    struct network_layer layer = network_layer_of(line);
    layer.rank = 4;
    layer.dimension[0] = shape[0];
    layer.dimension[1] = line->size[0].height;
    layer.dimension[2] = shape[1];
    layer.dimension[3] = length;
    layer.flops = network_product(network, shape[0], shape[1], length, shape[2], 2);
    return network_layer_add(network, &layer);
}

static uint32_t add_context(struct network *network, const struct network_line *line)
{
    const uint64_t *shape = network_shape(network, line->input[0]);
    uint64_t width = network_channels(network, line->input[1]);
    struct network_layer layer = network_layer_of(line);
    layer.rank = 3;
    layer.dimension[0] = shape[0];
    layer.dimension[1] = shape[2];
    layer.dimension[2] = width;
    layer.flops = network_product(network, shape[0], shape[2], shape[3], width, 2);
    return network_layer_add(network, &layer);
}

/* One element of each sequence, [batch, features]. */
static uint32_t add_step(struct network *network, const struct network_line *line)
{
    struct network_layer layer = network_layer_of(line);
    layer.rank = 2;
    layer.dimension[0] = network_shape(network, line->input[0])[0];
    layer.dimension[1] = network_channels(network, line->input[0]);
    return network_layer_add(network, &layer);
}

const struct network_layer_kind network_sequence_layers[] = {
    {"embedding", "Embedding", 1, add_embedding},
    {"position", "PositionEmbedding", 1, add_position},
    {"class_token", "ClassToken", 1, add_class_token},
    {"linear", "Dense", NETWORK_ANY_INPUTS, add_linear},
    {"layer_norm", "LayerNorm", 1, add_norm},
    {"rms_norm", "RmsNorm", 1, add_rms_norm},
    {"scores", "MatMul", 2, add_scores},
    {"context", "MatMul", 2, add_context},
    {"step", "Slice", 1, add_step},
    {NULL, NULL, 0, NULL},
};
