#include <stdio.h>

#include "datasets/network/layer.h"
#include "datasets/network/sequence.h"
#include "datasets/zoo/zoo.h"

/* What is usually one operator or a loop, written out: the twelve heads of an encoder layer of
   BERT-base (Devlin et al. 2019), and the turns of a large LSTM of two layers (Zaremba et al.
   2014), whose cells may run layer by layer, turn by turn, or in between. */

enum { HEADS = 12, WIDTH = 768, HEAD_WIDTH = 64, HIDDEN = 3072 };
enum { LSTM_LAYERS = 2, LSTM_FEATURES = 1500, LSTM_TURNS = 20 };

static uint32_t add_head(struct network *network, uint32_t h, uint32_t x)
{
    static const char *const parts[] = {"q", "k", "v"};
    char name[32];
    uint32_t part[3];
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "head%u_%s", h, parts[i]);
        part[i] = network_linear(network, name, x, HEAD_WIDTH, NETWORK_LINEAR);
    }
    snprintf(name, sizeof name, "head%u_scores", h);
    uint32_t scores = network_scores(network, name, part[0], part[1], 1);
    snprintf(name, sizeof name, "head%u_softmax", h);
    scores = network_softmax(network, name, scores);
    snprintf(name, sizeof name, "head%u_context", h);
    return network_context(network, name, scores, part[2]);
}

static uint32_t build_heads(struct network *network, const void *variant)
{
    uint32_t head[HEADS];
    (void)variant;
    uint32_t input = network_series(network, "input", network_sequence(network, 128), WIDTH);
    for (uint32_t h = 0; h < HEADS; h++)
        head[h] = add_head(network, h, input);
    uint32_t x = network_concat(network, "heads", head, HEADS);
    x = network_linear(network, "project", x, WIDTH, NETWORK_LINEAR);
    x = network_add(network, "add1", x, input, NETWORK_LINEAR);
    input = network_layer_norm(network, "norm1", x);
    x = network_linear(network, "hidden", input, HIDDEN, NETWORK_GELU);
    x = network_linear(network, "down", x, WIDTH, NETWORK_LINEAR);
    x = network_add(network, "add2", x, input, NETWORK_LINEAR);
    return network_layer_norm(network, "norm2", x);
}

static uint32_t add_part(struct network *network, const char *name, const char *type, uint32_t x,
                         uint32_t state)
{
    const uint32_t inputs[] = {x, state};
    struct network_layer layer = {.name = name, .type = type, .input = inputs, .inputs = 2};
    return network_layer_add_like(network, &layer, state, 4);
}

/* One turn of one layer; state: h and c. */
static void add_turn(struct network *network, const char *layer, uint32_t turn, uint32_t x,
                     uint32_t state[2])
{
    char name[48], first[48];
    const uint32_t inputs[] = {x, state[0]};
    snprintf(first, sizeof first, "%s_turn0_gates", layer);
    snprintf(name, sizeof name, "%s_turn%u_gates", layer, turn);
    const struct network_gates gates = {.name = name,
                                        .weights_of = first,
                                        .input = inputs,
                                        .inputs = 2,
                                        .features = 4 * LSTM_FEATURES};
    uint32_t gate = network_gates(network, &gates);
    snprintf(name, sizeof name, "%s_turn%u_c", layer, turn);
    state[1] = add_part(network, name, "LstmState", gate, state[1]);
    snprintf(name, sizeof name, "%s_turn%u_h", layer, turn);
    state[0] = add_part(network, name, "LstmOutput", gate, state[1]);
}

/* Layer by layer, as a framework writes it that unrolls one layer at a time. */
static uint32_t build_lstm(struct network *network, const void *variant)
{
    char name[32];
    uint32_t turns = network_sequence(network, LSTM_TURNS), each[1024], state[2];
    (void)variant;
    if (turns > sizeof each / sizeof *each)
        return network_fail(network, "%u turns, expected at most %zu", turns,
                            sizeof each / sizeof *each);
    uint32_t series = network_series(network, "words", turns, LSTM_FEATURES);
    for (uint32_t t = 0; t < turns; t++) {
        snprintf(name, sizeof name, "word%u", t);
        each[t] = network_step(network, name, series);
    }
    for (uint32_t l = 0; l < LSTM_LAYERS; l++) {
        for (uint32_t i = 0; i < 2; i++) {
            snprintf(name, sizeof name, "layer%u_zero%u", l, i);
            state[i] = network_zeros(network, name, LSTM_FEATURES);
        }
        snprintf(name, sizeof name, "layer%u", l);
        for (uint32_t t = 0; t < turns; t++) {
            add_turn(network, name, t, each[t], state);
            each[t] = state[0];
        }
    }
    return network_concat(network, "outputs", each, turns);
}

static const struct zoo_network rows[] = {
    {"wired/heads", "A BERT-base layer, its 12 heads apart (Devlin et al. 2019)", false,
     ZOO_SEQUENCE, build_heads, NULL},
    {"wired/lstm_unrolled", "Two LSTM layers, 20 turns written out (Zaremba et al. 2014)", false,
     ZOO_SEQUENCE, build_lstm, NULL},
};
ZOO_DEFINE(unrolled, rows);
