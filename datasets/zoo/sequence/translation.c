#include <stdio.h>

#include "datasets/network/control.h"
#include "datasets/network/layer.h"
#include "datasets/network/transformer.h"
#include "datasets/zoo/zoo.h"

/* Encoder and decoder. Attention: RNNsearch of Bahdanau, Cho and Bengio, "Neural Machine
   Translation by Jointly Learning to Align and Translate" (2015), GRUs of 1000 units, 30000 words
   of 620 numbers. Beam search: Sutskever, Vinyals and Le, "Sequence to Sequence Learning with
   Neural Networks" (2014), four LSTM layers of 1000, a beam of 12, which stops reading when every
   sentence of the beam has ended. */

enum { WORDS = 30000, WORD_WIDTH = 620, UNITS = 1000 };
enum { SOURCE_WORDS = 160000, TARGET_WORDS = 80000, LAYERS = 4, BEAM = 12, STATES = 2 * LAYERS };

static uint32_t add_reader(struct network *network, const char *name, uint32_t words,
                           uint32_t turns)
{
    char part[48];
    struct network_loop loop = {.name = name, .turns = turns, .values = 1};
    snprintf(part, sizeof part, "%s_h0", name);
    loop.value[0] = network_zeros(network, part, UNITS);
    network_open_loop(network, &loop);
    snprintf(part, sizeof part, "%s_word", name);
    uint32_t x = network_step(network, part, words);
    snprintf(part, sizeof part, "%s_gru", name);
    x = network_gru_cell(network, part, x, loop.value[0]);
    return network_close_loop(network, &loop, &x, x);
}

/* A word for each sentence, as tokens [batch]: the most likely one, or the one to start with. */
static uint32_t add_word(struct network *network, const char *name, const char *type, uint32_t x)
{
    const struct network_layer layer = {.name = name,
                                        .type = type,
                                        .input = &x,
                                        .inputs = 1,
                                        .dimension = {network_batch(network)},
                                        .rank = 1,
                                        .kind = NETWORK_INDEX};
    return network_layer_add(network, &layer);
}

/* What the decoder reads of the source: all its places weighed by how well they fit its state. */
static uint32_t add_glance(struct network *network, uint32_t source, uint32_t keys, uint32_t state)
{
    if (network->status)
        return 0;
    const uint64_t one[] = {network_batch(network), 1, UNITS};
    const uint64_t flat[] = {network_batch(network), 2 * UNITS};
    uint32_t query = network_linear_plain(network, "query", state, UNITS, NULL);
    query = network_reshape(network, "query_row", query, one, 3);
    uint32_t context =
        transformer_attend(network, "align", &(struct attention){1, query, keys, source});
    return network_reshape(network, "glance", context, flat, 2);
}

static uint32_t add_writer(struct network *network, uint32_t source, uint32_t turns)
{
    struct network_loop loop = {.name = "decoder", .turns = turns, .values = 2};
    uint32_t keys = network_linear_plain(network, "keys", source, UNITS, NULL);
    loop.value[0] = network_step(network, "last_place", source);
    loop.value[0] = network_linear(network, "start", loop.value[0], UNITS, NETWORK_TANH);
    loop.value[1] = add_word(network, "start_word", "Fill", loop.value[0]);
    network_open_loop(network, &loop);
    uint32_t word = network_embedding(network, "target", loop.value[1], WORDS, WORD_WIDTH);
    uint32_t joined[] = {word, add_glance(network, source, keys, loop.value[0])};
    uint32_t x = network_concat(network, "decoder_input", joined, 2);
    uint32_t next[2] = {network_gru_cell(network, "decoder_gru", x, loop.value[0]), 0};
    x = network_dense(network, "readout", next[0], WORD_WIDTH, NETWORK_TANH);
    x = network_dense(network, "words", x, WORDS, NETWORK_LINEAR);
    next[1] = add_word(network, "best", "ArgMax", x);
    return network_close_loop(network, &loop, next, x);
}

static uint32_t build_attention(struct network *network, const void *variant)
{
    uint32_t turns = network_sequence(network, 50), both[2];
    (void)variant;
    uint32_t x = network_tokens(network, "tokens", turns);
    x = network_embedding(network, "source", x, WORDS, WORD_WIDTH);
    both[0] = add_reader(network, "forward", x, turns);
    both[1] = add_reader(network, "backward", x, turns);
    return add_writer(network, network_concat(network, "annotations", both, 2), turns);
}

static void add_cells(struct network *network, const char *name, uint32_t x, uint32_t state[STATES])
{
    char cell[48];
    for (uint32_t i = 0; i < LAYERS; i++) {
        snprintf(cell, sizeof cell, "%s_lstm%u", name, i + 1);
        network_lstm_cell(network, cell, x, state + 2 * (size_t)i);
        x = state[2 * i];
    }
}

static void add_encoder(struct network *network, uint32_t turns, uint32_t state[STATES])
{
    char name[32];
    uint32_t words = network_tokens(network, "tokens", turns);
    words = network_embedding(network, "source", words, SOURCE_WORDS, UNITS);
    struct network_loop loop = {.name = "encoder", .turns = turns, .values = STATES};
    for (uint32_t i = 0; i < STATES; i++) {
        snprintf(name, sizeof name, "state%u", i);
        loop.value[i] = network_zeros(network, name, UNITS);
    }
    network_open_loop(network, &loop);
    for (uint32_t i = 0; i < STATES; i++)
        state[i] = loop.value[i];
    add_cells(network, "encoder", network_step(network, "word", words), state);
    network_close_loop(network, &loop, state, NETWORK_NOTHING);
    for (uint32_t i = 0; i < STATES; i++)
        state[i] = loop.value[i];
}

/* What a layer reads and gives for every sentence of the beam. */
struct rows {
    const char *name, *type;
    uint32_t x;
    uint32_t from;     /* chooses rows of x; NETWORK_NOTHING: each row of x becomes BEAM rows */
    uint32_t features; /* of a row; 0: a row is one index */
};

/* [batch * BEAM, features], or [batch * BEAM] of indices. */
static uint32_t add_rows(struct network *network, struct rows rows)
{
    const uint32_t inputs[] = {rows.x, rows.from};
    const struct network_layer layer = {
        .name = rows.name,
        .type = rows.type,
        .input = inputs,
        .inputs = rows.from == NETWORK_NOTHING ? 1 : 2,
        .dimension = {(uint64_t)network_batch(network) * BEAM, rows.features},
        .rank = rows.features ? 2 : 1,
        .kind = rows.features ? 0 : NETWORK_INDEX};
    return network_layer_add(network, &layer);
}

static void reorder(struct network *network, const char *name, const char *type, uint32_t from,
                    uint32_t state[STATES])
{
    char row[48];
    for (uint32_t i = 0; i < STATES; i++) {
        snprintf(row, sizeof row, "%s%u", name, i);
        state[i] = add_rows(network, (struct rows){row, type, state[i], from, UNITS});
    }
}

/* One word more for each sentence. value: states, words, scores. */
static void add_extension(struct network *network, const uint32_t *value, uint32_t *next)
{
    for (uint32_t i = 0; i < STATES; i++)
        next[i] = value[i];
    uint32_t x = network_embedding(network, "target", value[STATES], TARGET_WORDS, UNITS);
    add_cells(network, "decoder", x, next);
    x = network_linear(network, "words", next[STATES - 2], TARGET_WORDS, NETWORK_LINEAR);
    x = network_softmax(network, "softmax", x);
    uint32_t both = add_rows(
        network, (struct rows){"candidates", "AddScores", x, value[STATES + 1], TARGET_WORDS});
    next[STATES + 1] =
        add_rows(network, (struct rows){"top_scores", "TopK", both, NETWORK_NOTHING, 1});
    uint32_t from =
        add_rows(network, (struct rows){"top_rows", "TopKRows", both, next[STATES + 1], 0});
    next[STATES] =
        add_rows(network, (struct rows){"top_words", "TopKWords", both, next[STATES + 1], 0});
    reorder(network, "reordered", "Gather", from, next);
}

static uint32_t build_beam_search(struct network *network, const void *variant)
{
    enum { VALUES = STATES + 2 };
    uint32_t turns = network_sequence(network, 30), next[VALUES];
    struct network_loop loop = {.name = "search", .turns = turns, .values = VALUES};
    (void)variant;
    add_encoder(network, turns, loop.value);
    reorder(network, "repeated", "Tile", NETWORK_NOTHING, loop.value);
    uint32_t first = loop.value[0];
    loop.value[STATES] =
        add_rows(network, (struct rows){"starts", "Fill", first, NETWORK_NOTHING, 0});
    loop.value[STATES + 1] =
        add_rows(network, (struct rows){"zeros", "Fill", first, NETWORK_NOTHING, 1});
    network_open_loop(network, &loop);
    uint32_t ended =
        add_rows(network, (struct rows){"ended", "Equal", loop.value[STATES], NETWORK_NOTHING, 0});
    network_open_branches(network, "all_ended", "If", ended);
    network_open_region(network, "stay", -1);
    network_close_region(network, loop.value, VALUES);
    network_open_region(network, "extend", -1);
    add_extension(network, loop.value, next);
    network_close_region(network, next, VALUES);
    network_close_branches(network, "all_ended", next, VALUES);
    network_close_loop(network, &loop, next, next[STATES + 1]);
    network_output(network, loop.value[STATES]);
    return loop.value[STATES + 1];
}

static const struct zoo_network rows[] = {
    {"zoo/attention_loop", "RNNsearch, GRUs and attention, 50 words (Bahdanau et al. 2015)", true,
     ZOO_SEQUENCE, build_attention, NULL},
    {"zoo/beam_search", "Four LSTMs, a beam of 12, 30 words (Sutskever et al. 2014)", true,
     ZOO_SEQUENCE, build_beam_search, NULL},
};
ZOO_DEFINE(translation, rows);
