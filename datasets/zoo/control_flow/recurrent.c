#include "datasets/network/control.h"
#include "datasets/zoo/zoo.h"

/* Loops over a sequence. LSTM: the large language model of Zaremba, Sutskever and Vinyals,
   "Recurrent Neural Network Regularization" (2014), two layers of 1500, 35 words. GRU: the speech
   model of Chung et al., "Empirical Evaluation of Gated Recurrent Neural Networks on Sequence
   Modeling" (2014), 227 units over 20 samples at a time, Table 1. */

enum { VOCABULARY = 10000, WIDTH = 1500, UNITS = 227, SAMPLES = 20 };

static uint32_t add_lstm_loop(struct network *network, uint32_t turns, uint32_t words)
{
    struct network_loop loop = {.name = "loop", .turns = turns, .values = 4};
    static const char *const names[] = {"h1_0", "c1_0", "h2_0", "c2_0"};
    for (int i = 0; i < 4; i++)
        loop.value[i] = network_zeros(network, names[i], WIDTH);
    network_open_loop(network, &loop);
    uint32_t state[] = {loop.value[0], loop.value[1], loop.value[2], loop.value[3]};
    uint32_t x = network_step(network, "word", words);
    network_lstm_cell(network, "lstm1", x, state);
    network_lstm_cell(network, "lstm2", state[0], state + 2);
    uint32_t series = network_close_loop(network, &loop, state, state[2]);
    for (int i = 0; i < 4; i++)
        network_output(network, loop.value[i]);
    return series;
}

static uint32_t build_lstm(struct network *network, const void *variant)
{
    uint32_t turns = network_sequence(network, 35);
    (void)variant;
    uint32_t x = network_tokens(network, "tokens", turns);
    x = network_embedding(network, "embedding", x, VOCABULARY, WIDTH);
    x = add_lstm_loop(network, turns, x);
    x = network_linear(network, "fc", x, VOCABULARY, NETWORK_LINEAR);
    return network_softmax(network, "softmax", x);
}

static uint32_t build_gru(struct network *network, const void *variant)
{
    uint32_t turns = network_sequence(network, 500);
    (void)variant;
    uint32_t speech = network_series(network, "speech", turns, SAMPLES);
    struct network_loop loop = {.name = "loop", .turns = turns, .values = 1};
    loop.value[0] = network_zeros(network, "h0", UNITS);
    network_open_loop(network, &loop);
    uint32_t x = network_step(network, "samples", speech);
    x = network_gru_cell(network, "gru", x, loop.value[0]);
    uint32_t series = network_close_loop(network, &loop, &x, x);
    network_output(network, loop.value[0]);
    return series;
}

static const struct zoo_network rows[] = {
    {"zoo/lstm", "LSTM language model, 2 x 1500, 35 words (Zaremba et al. 2014)", true,
     ZOO_SEQUENCE, build_lstm, NULL},
    {"zoo/gru", "GRU over speech, 227 units (Chung et al. 2014)", true, ZOO_SEQUENCE, build_gru,
     NULL},
};
ZOO_DEFINE(recurrent, rows);
