#include "datasets/network/control.h"
#include "datasets/network/layer.h"
#include "datasets/zoo/zoo.h"

/* Constituency Tree-LSTM of Tai, Socher and Manning, "Improved Semantic Representations From
   Tree-Structured Long Short-Term Memory Networks" (2015), as their code has it for sentiment:
   words of 300 numbers, 150 units, Table 1. A loop goes through the nodes of a binary tree,
   children first; a leaf reads its word, another node the states of its two children out of a
   table. */

enum { WORD_WIDTH = 300, UNITS = 150, CLASSES = 5, LEAF_GATES = 2, GATES = 5 };

static uint32_t add_leaf(struct network *network, uint32_t words)
{
    uint32_t x = network_step(network, "word", words);
    const struct network_gates gates = {
        .name = "leaf", .input = &x, .inputs = 1, .features = LEAF_GATES * UNITS};
    x = network_gates(network, &gates);
    struct network_layer state = {.name = "leaf_state",
                                  .type = "TreeLeaf",
                                  .input = &x,
                                  .inputs = 1,
                                  .dimension = {network_batch(network), 2 * UNITS},
                                  .rank = 2};
    return network_layer_add(network, &state);
}

/* As in the paper's code each child has a dense layer of its own, with a bias, and these are added.
 */
static uint32_t add_node(struct network *network, uint32_t left, uint32_t right)
{
    uint32_t a = network_linear(network, "left_gates", left, GATES * UNITS, NETWORK_LINEAR);
    uint32_t b = network_linear(network, "right_gates", right, GATES * UNITS, NETWORK_LINEAR);
    return network_add(network, "gates", a, b, NETWORK_LINEAR);
}

/* Half of a state that the table holds: its h or its c. */
static uint32_t look_up(struct network *network, const char *name, uint32_t table)
{
    const struct network_layer layer = {.name = name,
                                        .type = "Gather",
                                        .input = &table,
                                        .inputs = 1,
                                        .dimension = {network_batch(network), UNITS},
                                        .rank = 2};
    return network_layer_add(network, &layer);
}

static uint32_t add_inner(struct network *network, uint32_t table)
{
    uint32_t left = look_up(network, "left_h", table), right = look_up(network, "right_h", table);
    const uint32_t inputs[] = {add_node(network, left, right), look_up(network, "left_c", table),
                               look_up(network, "right_c", table)};
    const struct network_layer state = {.name = "inner_state",
                                        .type = "TreeState",
                                        .input = inputs,
                                        .inputs = 3,
                                        .dimension = {network_batch(network), 2 * UNITS},
                                        .rank = 2};
    return network_layer_add(network, &state);
}

/* Writes a node's state into the table, in place where the planner lets it. */
static uint32_t store(struct network *network, uint32_t table, uint32_t state)
{
    const uint32_t inputs[] = {table, state};
    struct network_layer layer = {
        .name = "store", .type = "Scatter", .input = inputs, .inputs = 2, .inplace = 1};
    if (network->status)
        return 0;
    network_layer_shape_like(network, &layer, table);
    return network_layer_add(network, &layer);
}

static uint32_t add_table(struct network *network, uint32_t nodes)
{
    const struct network_layer layer = {.name = "empty",
                                        .type = "Zeros",
                                        .dimension = {network_batch(network), nodes, 2 * UNITS},
                                        .rank = 3};
    return network_layer_add(network, &layer);
}

static uint32_t build_tree_lstm(struct network *network, const void *variant)
{
    uint32_t words = network_sequence(network, 20), nodes = 2 * words - 1, state;
    (void)variant;
    uint32_t sentence = network_series(network, "words", words, WORD_WIDTH);
    uint32_t kinds = network_series(network, "is_leaf", nodes, 1);
    struct network_loop loop = {.name = "nodes", .turns = nodes, .values = 1};
    loop.value[0] = add_table(network, nodes);
    network_open_loop(network, &loop);
    network_open_branches(network, "node", "If", network_step(network, "kind", kinds));
    network_open_region(network, "leaf", -1);
    state = add_leaf(network, sentence);
    network_close_region(network, &state, 1);
    network_open_region(network, "inner", -1);
    state = add_inner(network, loop.value[0]);
    network_close_region(network, &state, 1);
    network_close_branches(network, "node", &state, 1);
    uint32_t next = store(network, loop.value[0], state);
    network_close_loop(network, &loop, &next, NETWORK_NOTHING);
    uint32_t x = look_up(network, "root", loop.value[0]);
    x = network_dense(network, "fc", x, CLASSES, NETWORK_LINEAR);
    return network_softmax(network, "softmax", x);
}

static const struct zoo_network rows[] = {
    {"zoo/tree_lstm", "Constituency Tree-LSTM, 20 words (Tai et al. 2015)", true, ZOO_SEQUENCE,
     build_tree_lstm, NULL},
};
ZOO_DEFINE(tree_lstm, rows);
