#include "solvers/order_exact/search/search.h"

#include <assert.h>

#include "core/clock.h"
#include "solvers/order_exact/model/forced.h"
#include "solvers/order_exact/model/nodes.h"

enum { STATES_BETWEEN_CLOCKS = 64 };

struct search {
    const struct order_model *model;
    const struct order_effort *effort;
    struct order_answer *answer;
    struct order_cursor cursor;
    struct order_nodes nodes;
};

static void free_search(struct search *search)
{
    order_cursor_free(&search->cursor);
    order_nodes_free(&search->nodes);
}

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Runs all forced moves; returns the load that an order from there has at least. A move may raise
   that load, and a higher load allows more moves. */
static uint64_t normalise(struct order_cursor *cursor, uint64_t load_bytes)
{
    uint64_t before;
    do {
        before = load_bytes;
        order_forced_run(cursor, before, &load_bytes);
        assert(load_bytes >= before);
    } while (load_bytes > before);
    return load_bytes;
}

/* Keeps the state of the cursor if an order through it may be better than the answer. */
static enum status arrive(struct search *search, const struct order_arrival *arrival,
                          struct error *error)
{
    uint32_t added;
    if (arrival->load_bytes >= search->answer->load_bytes)
        return STATUS_OK;
    const struct order_state state = order_nodes_state(&search->cursor);
    TRY(order_nodes_add(&search->nodes, &state, arrival, &added, error));
    if (added == ORDER_NODE_NONE)
        return STATUS_OK;
    if (search->cursor.count < search->model->operators)
        return order_nodes_push(&search->nodes, added, error);
    search->answer->load_bytes = arrival->load_bytes;
    assert(arrival->load_bytes >= search->answer->bound_bytes);
    order_nodes_trace(&search->nodes, added, search->answer->permutation);
    return STATUS_OK;
}

static enum status expand(struct search *search, uint32_t node, struct error *error)
{
    struct order_cursor *cursor = &search->cursor;
    uint64_t load = search->nodes.node[node].load_bytes;
    order_cursor_move(cursor, order_nodes_set(&search->nodes, node));
    search->answer->states++;
    assert(cursor->count == search->nodes.node[node].count);
    for (uint32_t v = order_cursor_next_ready(cursor, 0); v != ORDER_NONE;
         v = order_cursor_next_ready(cursor, v + 1)) {
        struct order_arrival arrival = {node, load};
        if (order_cursor_try(cursor, v).most_bytes >= search->answer->load_bytes)
            continue;
        uint64_t most = order_cursor_run(cursor, v, &arrival.load_bytes);
        arrival.load_bytes = greater(arrival.load_bytes, most);
        if (arrival.load_bytes < search->answer->load_bytes)
            arrival.load_bytes = normalise(cursor, arrival.load_bytes);
        TRY(arrive(search, &arrival, error));
        order_cursor_undo(cursor, 0);
    }
    return STATUS_OK;
}

enum status order_search(const struct order_model *model, const struct order_effort *effort,
                         struct order_answer *answer, struct error *error)
{
    SCOPED(free_search)
    struct search search = {
        .model = model, .effort = effort, .answer = answer, .nodes.sets.words = model->words};
    uint32_t node;
    answer->bound_bytes = greater(answer->bound_bytes, order_model_bound(model));
    TRY(order_cursor_create(model, &search.cursor, error));
    const struct order_arrival root = {ORDER_NODE_NONE,
                                       normalise(&search.cursor, answer->bound_bytes)};
    TRY(arrive(&search, &root, error));
    while (answer->load_bytes > answer->bound_bytes &&
           (node = order_nodes_pop(&search.nodes)) != ORDER_NODE_NONE) {
        const struct order_node *first = &search.nodes.node[node];
        if (first->stale)
            continue;
        if (first->load_bytes >= answer->load_bytes)
            break;
        assert(first->load_bytes >= answer->bound_bytes);
        answer->bound_bytes = first->load_bytes;
        if (order_nodes_bytes(&search.nodes) > effort->most_bytes ||
            (answer->states % STATES_BETWEEN_CLOCKS == 0 && !clock_left_ns(effort->deadline_ns)))
            return STATUS_OK;
        TRY(expand(&search, node, error));
    }
    answer->bound_bytes = answer->load_bytes;
    return STATUS_OK;
}
