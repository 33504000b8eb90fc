/* Serenity's dynamic program (Ahn et al. 2020, "Ordering Chaos"): layer by layer, one entry for
   each set of operators that may have run, under a soft budget; the graph is divided at operators
   that all paths pass. */

#include <assert.h>

#include "core/clock.h"
#include "solvers/order_exact/by_parts.h"
#include "solvers/order_exact/model/nodes.h"

enum { WIDTH, BUDGET, DIVIDE, MEMORY };

static const struct planner_option options[] = {
    [WIDTH] = {"width", "entries from which on a layer takes too long", 10000, 1, 100000000},
    [BUDGET] = {"budget", "what needs more than the soft budget is left out", 1, 0, 1},
    [DIVIDE] = {"divide", "parts between operators that all paths pass are ordered apart", 1, 0, 1},
    [MEMORY] = {"memory", "MiB that the entries may take", 1024, 1, 1000000},
    {NULL, NULL, 0, 0, 0},
};

enum outcome { FOUND, NO_PATH, TOO_SLOW, STOPPED };

struct layers {
    const struct order_model *model;
    struct order_answer *answer;
    struct order_cursor cursor;
    struct order_nodes nodes;
    uint64_t budget_bytes;
};

static void free_layers(struct layers *layers)
{
    order_cursor_free(&layers->cursor);
    order_nodes_free(&layers->nodes);
}

/* Runs each operator that may run behind the node. For each set of operators that results the way
   of the least load is kept. */
static enum status expand(struct layers *layers, uint32_t node, struct error *error)
{
    struct order_cursor *cursor = &layers->cursor;
    uint64_t unused = 0;
    uint32_t added;
    order_cursor_move(cursor, order_nodes_set(&layers->nodes, node));
    layers->answer->states++;
    assert(cursor->count == layers->nodes.node[node].count);
    for (uint32_t v = order_cursor_next_ready(cursor, 0); v != ORDER_NONE;
         v = order_cursor_next_ready(cursor, v + 1)) {
        struct order_arrival arrival = {node, layers->nodes.node[node].load_bytes};
        uint64_t most = order_cursor_run(cursor, v, &unused);
        assert(cursor->count > layers->nodes.node[node].count);
        if (most > arrival.load_bytes)
            arrival.load_bytes = most;
        const struct order_state state = order_nodes_state(cursor);
        if (arrival.load_bytes <= layers->budget_bytes)
            TRY(order_nodes_add(&layers->nodes, &state, &arrival, &added, error));
        order_cursor_undo(cursor, 0);
    }
    return STATUS_OK;
}

static enum status try_budget(const struct order_model *model, const struct order_effort *effort,
                              struct order_answer *answer, uint64_t budget_bytes,
                              enum outcome *outcome, struct error *error)
{
    SCOPED(free_layers)
    struct layers layers = {
        .answer = answer, .nodes.sets.words = model->words, .budget_bytes = budget_bytes};
    struct order_nodes *nodes = &layers.nodes;
    TRY(order_cursor_create(model, &layers.cursor, error));
    const struct order_arrival start = {ORDER_NODE_NONE, layers.cursor.live_bytes};
    const struct order_state state = order_nodes_state(&layers.cursor);
    uint32_t first = 0, last;
    TRY(order_nodes_add(nodes, &state, &start, &last, error));
    *outcome = start.load_bytes <= budget_bytes ? FOUND : NO_PATH;
    for (uint32_t i = 0; i < model->operators && *outcome == FOUND; i++) {
        /* The nodes of a layer, [first, last], stand together, as they are added layer by layer. */
        assert(first <= last && last < nodes->sets.count && nodes->node[last].count == i);
        for (uint32_t node = first; node <= last; node++)
            if (!nodes->node[node].stale)
                TRY(expand(&layers, node, error));
        first = last + 1;
        last = nodes->sets.count - 1;
        if (first > last)
            *outcome = NO_PATH;
        else if (order_nodes_bytes(nodes) > effort->most_bytes ||
                 !clock_left_ns(effort->deadline_ns))
            *outcome = STOPPED;
        else if (last + 1 - first > effort->width)
            *outcome = TOO_SLOW;
    }
    if (*outcome != FOUND)
        return STATUS_OK;
    /* In the last layer all nodes have all operators, and each one is better than the one
       before. */
    assert(nodes->node[last].count == model->operators);
    answer->bound_bytes = nodes->node[last].load_bytes;
    if (answer->bound_bytes >= answer->load_bytes)
        return STATUS_OK;
    answer->load_bytes = answer->bound_bytes;
    order_nodes_trace(nodes, last, answer->permutation);
    return STATUS_OK;
}

/* The first budget is the load of the order so far. A budget under which a layer gets too wide is
   halved; one under which no order is left goes up to the middle between it and the last one that
   was too wide. */
static enum status search_layers(const struct order_model *model, const struct order_effort *effort,
                                 struct order_answer *answer, struct error *error)
{
    uint64_t bound = order_model_bound(model), budget = answer->load_bytes, slow = budget + 1;
    enum outcome outcome = TOO_SLOW;
    if (bound > answer->bound_bytes)
        answer->bound_bytes = bound;
    while (budget < slow) {
        TRY(try_budget(model, effort, answer, budget, &outcome, error));
        if (outcome == FOUND || outcome == STOPPED)
            break;
        assert(budget < slow);
        if (outcome == TOO_SLOW) {
            assert(budget >= answer->bound_bytes);
            slow = budget;
            budget = budget / 2 > answer->bound_bytes ? budget / 2 : answer->bound_bytes;
        } else {
            answer->bound_bytes = budget + 1;
            budget = budget + (slow - budget + 1) / 2;
        }
    }
    return STATUS_OK;
}

/* Goes through every layer without a budget, however wide they get. */
static enum status search_without_budget(const struct order_model *model,
                                         const struct order_effort *effort,
                                         struct order_answer *answer, struct error *error)
{
    struct order_effort patient = *effort;
    enum outcome outcome;
    patient.width = UINT32_MAX;
    return try_budget(model, &patient, answer, UINT64_MAX, &outcome, error);
}

static enum status order_by_layers(const struct order_row *row, const struct order_task *task,
                                   uint32_t *permutation, struct order_report *report,
                                   struct error *error)
{
    const struct order_by_parts how = {
        .search = order_option_value(row, BUDGET) ? search_layers : search_without_budget,
        .rules = order_option_value(row, DIVIDE) ? ORDER_CUTS : 0,
        .width = (uint32_t)order_option_value(row, WIDTH),
        .most_bytes = order_option_value(row, MEMORY) << 20};
    return order_by_parts(&how, task, permutation, report, error);
}

const struct order_row order_serenity = {
    .name = "serenity",
    .title = "the best way to each set of operators, layer by layer under a soft budget",
    .source = "Ahn et al. 2020; wzh99/HMCOS src/sched/sched.cpp",
    .flags = ORDER_EXACT | ORDER_SEARCHES,
    .options = options,
    .order = order_by_layers,
};
