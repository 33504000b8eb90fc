#ifndef MEMPLAN_DATASETS_NETWORK_SEQUENCE_H
#define MEMPLAN_DATASETS_NETWORK_SEQUENCE_H

#include "datasets/network/conv.h"
#include "datasets/network/elementwise.h"
#include "datasets/network/shape.h"

/* Layers for sequences [batch, sequence, features] and recurrent cells [batch, features]. */

/* Embedding: a row of a table of weights for each token. Position: what is learned for each place
 * in the sequence is added. */
uint32_t network_embedding(struct network *network, const char *name, uint32_t tokens,
                           uint32_t vocabulary, uint32_t features);
uint32_t network_position(struct network *network, const char *name, uint32_t input,
                          uint32_t positions);

/* Along the last dimension, with bias. */
uint32_t network_linear(struct network *network, const char *name, uint32_t input,
                        uint32_t features, enum network_activation activation);
/* Without bias, with the weights of another layer where weights_of is not NULL. */
uint32_t network_linear_plain(struct network *network, const char *name, uint32_t input,
                              uint32_t features, const char *weights_of);

/* All inputs, as if joined, to `features` outputs: the gates of a recurrent cell. */
struct network_gates {
    const char *name, *weights_of; /* NULL: weights of its own */
    const uint32_t *input;
    uint32_t inputs, features;
    enum network_activation activation;
};
uint32_t network_gates(struct network *network, const struct network_gates *gates);

/* Layer normalisation with scale and shift; root mean square with scale only. */
uint32_t network_layer_norm(struct network *network, const char *name, uint32_t input);
uint32_t network_rms_norm(struct network *network, const char *name, uint32_t input);

/* Queries [batch, n, width] with keys [batch, m, width] give [batch, heads, n, m], scaled and
   masked by the softmax; that with values [batch, m, width] gives [batch, n, width]. Heads are read
   in place, without a transposed copy. */
uint32_t network_scores(struct network *network, const char *name, uint32_t queries, uint32_t keys,
                        uint32_t heads);
uint32_t network_context(struct network *network, const char *name, uint32_t scores,
                         uint32_t values);

/* One element of each sequence, [batch, features]. */
uint32_t network_step(struct network *network, const char *name, uint32_t series);

/* Zeros [batch, features], what a recurrent cell starts from. */
uint32_t network_zeros(struct network *network, const char *name, uint32_t features);

/* One turn of a recurrent cell, state of an LSTM: h and c. Equations of Hochreiter and Schmidhuber
   (1997), with forget gate, and of Cho et al. (2014). The weights are those of the cell `name`. */
void network_lstm_cell(struct network *network, const char *name, uint32_t x, uint32_t state[2]);
uint32_t network_gru_cell(struct network *network, const char *name, uint32_t x, uint32_t state);

#endif
