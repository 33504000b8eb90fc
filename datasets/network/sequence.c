#include "datasets/network/layer.h"

/* Layers for sequences [batch, sequence, features] and recurrent cells [batch, features]. */

/* A row of a table of weights for each token. */
static void fill_embedding(struct network *network, struct network_layer *layer)
{
    uint32_t vocabulary = layer->line->size[0].height, features = layer->line->size[1].height;
    layer->dimension[layer->rank++] = features;
    layer->weights = network_product(network, vocabulary, features);
}

/* What is learned for each place in the sequence is added; without a size, for as many places as
   the sequence has. */
static void fill_position(struct network *network, struct network_layer *layer)
{
    uint64_t length = layer->dimension[1];
    uint64_t positions = layer->line->sizes ? layer->line->size[0].height : length;
    layer->inplace = 1;
    if (length > positions)
        network_fail(network, "layer '%s' has %u positions, the sequence is longer", layer->name,
                     (unsigned)positions);
    layer->weights = network_product(network, positions, layer->dimension[layer->rank - 1]);
}

/* A learned element before the sequence. */
static void fill_class_token(struct network *network, struct network_layer *layer)
{
    layer->dimension[1]++;
    layer->weights = network_channels(network, layer->input[0]);
}

/* Dense along the last dimension, over all inputs as if joined; the gates of a recurrent cell. */
static void fill_linear(struct network *network, struct network_layer *layer)
{
    uint32_t first = layer->input[0];
    uint64_t depth = 0, features = layer->line->size[0].height;
    uint64_t rows = network_elements(network, first) / network_channels(network, first);
    for (uint32_t i = 0; i < layer->inputs; i++)
        depth += network_channels(network, layer->input[i]);
    layer->dimension[layer->rank - 1] = features;
    layer->biases = layer->line->shift == NETWORK_PLAIN ? 0 : features;
    layer->weights = network_product(network, depth, features);
    layer->flops = network_product(network, rows, depth, features, 2);
}

/* Layer normalisation with scale and shift; root mean square, plain, with scale only. */
static void fill_rms_norm(struct network *network, struct network_layer *layer)
{
    layer->inplace = 1;
    layer->weights = network_channels(network, layer->input[0]);
}

static void fill_norm(struct network *network, struct network_layer *layer)
{
    fill_rms_norm(network, layer);
    layer->biases = layer->line->shift == NETWORK_PLAIN ? 0 : layer->weights;
}

/* Queries [batch, n, width] with keys [batch, m, width] give [batch, heads, n, m], scaled and
   masked by the softmax; that with values [batch, m, width] gives [batch, n, width]. Heads are read
   in place, without a transposed copy. */
static void fill_scores(struct network *network, struct network_layer *layer)
{
    const uint64_t *shape = network_shape(network, layer->input[0]);
    uint64_t length = network_shape(network, layer->input[1])[1];
    layer->rank = 4;
    layer->dimension[1] = layer->line->size[0].height;
    layer->dimension[2] = shape[1];
    layer->dimension[3] = length;
    layer->flops = network_product(network, shape[0], shape[1], length, shape[2], 2);
}

static void fill_context(struct network *network, struct network_layer *layer)
{
    const uint64_t *shape = network_shape(network, layer->input[0]);
    uint64_t width = network_channels(network, layer->input[1]);
    layer->rank = 3;
    layer->dimension[1] = shape[2];
    layer->dimension[2] = width;
    layer->flops = network_product(network, shape[0], shape[2], shape[3], width, 2);
}

/* One element of each sequence, [batch, features]. */
static void fill_step(struct network *network, struct network_layer *layer)
{
    layer->rank = 2;
    layer->dimension[1] = network_channels(network, layer->input[0]);
}

const struct network_layer_kind network_sequence_layers[] = {
    {"embedding", "Embedding", 1, NETWORK_OPERATOR, 0, fill_embedding},
    {"position", "PositionEmbedding", 1, NETWORK_OPERATOR, 1, fill_position},
    {"class_token", "ClassToken", 1, NETWORK_OPERATOR, 0, fill_class_token},
    {"linear", "Dense", NETWORK_SOME_INPUTS, NETWORK_FOLLOWED, 0, fill_linear},
    {"layer_norm", "LayerNorm", 1, NETWORK_OPERATOR, 5, fill_norm},
    {"rms_norm", "RmsNorm", 1, NETWORK_OPERATOR, 5, fill_rms_norm},
    {"scores", "MatMul", 2, NETWORK_OPERATOR, 0, fill_scores},
    {"context", "MatMul", 2, NETWORK_OPERATOR, 0, fill_context},
    {"step", "Slice", 1, NETWORK_OPERATOR, 0, fill_step},
    {NULL, NULL, 0, NETWORK_OPERATOR, 0, NULL},
};
