#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/order/order_load.h"
#include "solvers/order_exact/nodes.h"
#include "solvers/order_exact/search.h"

/* The beam of search.h: states are kept in a list for each number of operators that ran. */

struct beam {
    const struct order_model *model;
    const struct order_effort *effort;
    struct order_answer *answer;
    struct order_cursor cursor;
    struct order_nodes nodes;
    uint32_t *first; /* [operators + 1] the last added node with so many operators */
    uint32_t *next;  /* [capacity] before it in the same list */
    size_t capacity;
};

/* Its load may be more than what led to the node was known to take, where moves were forced. */
static enum status take_order(struct beam *beam, uint32_t node, struct error *error)
{
    struct order_answer *answer = beam->answer;
    uint64_t before = answer->load_bytes;
    order_nodes_trace(&beam->nodes, node, answer->permutation);
    TRY(order_load(beam->model->view, answer->permutation, &answer->load_bytes, error));
    assert(answer->load_bytes < before);
    (void)before;
    return STATUS_OK;
}

static enum status arrive(struct beam *beam, const struct order_arrival *arrival,
                          struct error *error)
{
    uint32_t added, count = beam->cursor.count;
    if (arrival->load_bytes >= beam->answer->load_bytes)
        return STATUS_OK;
    TRY(order_nodes_add(&beam->nodes, &beam->cursor, arrival, &added, error));
    if (added == ORDER_NODE_NONE)
        return STATUS_OK;
    if (count == beam->model->operators)
        return take_order(beam, added, error);
    TRY(memory_reserve(&beam->next, &beam->capacity, (size_t)added + 1, sizeof *beam->next, error));
    beam->next[added] = beam->first[count];
    beam->first[count] = added;
    return STATUS_OK;
}

/* Under the load that an order has to stay below, or under that of the state. */
static uint64_t find_limit(const struct beam *beam, uint64_t load_bytes)
{
    return beam->effort->fewest_live ? beam->answer->load_bytes - 1 : load_bytes;
}

static enum status expand(struct beam *beam, uint32_t node, struct error *error)
{
    struct order_cursor *cursor = &beam->cursor;
    uint64_t load = beam->nodes.node[node].load_bytes;
    order_cursor_move(cursor, order_nodes_set(&beam->nodes, node));
    beam->answer->states++;
    for (uint32_t v = order_cursor_next_ready(cursor, 0); v != ORDER_NONE;
         v = order_cursor_next_ready(cursor, v + 1)) {
        struct order_arrival arrival = {node, load};
        if (order_cursor_try(cursor, v).most_bytes >= beam->answer->load_bytes)
            continue;
        uint64_t most = order_cursor_run(cursor, v, &arrival.load_bytes);
        if (most > arrival.load_bytes)
            arrival.load_bytes = most;
        if (arrival.load_bytes < beam->answer->load_bytes)
            order_cursor_normalise(cursor, find_limit(beam, arrival.load_bytes),
                                   &arrival.load_bytes);
        TRY(arrive(beam, &arrival, error));
        order_cursor_undo(cursor, 0);
    }
    return STATUS_OK;
}

/* Where a state stands in its list. */
struct rank {
    uint64_t load_bytes, live_bytes;
    uint32_t node;
};

static int compare_ranks(const void *left, const void *right)
{
    const struct rank *a = left, *b = right;
    if (a->load_bytes != b->load_bytes)
        return a->load_bytes < b->load_bytes ? -1 : 1;
    if (a->live_bytes != b->live_bytes)
        return a->live_bytes < b->live_bytes ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

static enum status expand_list(struct beam *beam, uint32_t count, struct rank **rank,
                               size_t *capacity, struct error *error)
{
    size_t ranks = 0;
    for (uint32_t i = beam->first[count]; i != ORDER_NODE_NONE; i = beam->next[i]) {
        const struct order_node *node = &beam->nodes.node[i];
        if (node->stale)
            continue;
        TRY(memory_reserve(rank, capacity, ranks + 1, sizeof **rank, error));
        (*rank)[ranks++] =
            (struct rank){beam->effort->fewest_live ? 0 : node->load_bytes, node->live_bytes, i};
    }
    if (ranks)
        qsort(*rank, ranks, sizeof **rank, compare_ranks);
    bool is_full = order_nodes_bytes(&beam->nodes) > beam->effort->most_bytes;
    size_t width = is_full ? 1 : beam->effort->width;
    for (size_t i = 0; i < ranks && i < width; i++)
        TRY(expand(beam, (*rank)[i].node, error));
    return STATUS_OK;
}

static bool is_over(const struct beam *beam)
{
    return beam->answer->load_bytes <= beam->answer->bound_bytes ||
           !clock_left_ns(beam->effort->deadline_ns);
}

static enum status run(struct beam *beam, struct error *error)
{
    struct rank *rank = NULL;
    size_t capacity = 0;
    struct order_arrival root = {ORDER_NODE_NONE, beam->answer->bound_bytes};
    order_cursor_normalise(&beam->cursor, find_limit(beam, root.load_bytes), &root.load_bytes);
    enum status status = arrive(beam, &root, error);
    for (uint32_t i = 0; i < beam->model->operators && !status && !is_over(beam); i++)
        status = expand_list(beam, i, &rank, &capacity, error);
    memory_free(rank);
    return status;
}

enum status order_beam(const struct order_model *model, const struct order_effort *effort,
                       struct order_answer *answer, struct error *error)
{
    struct beam beam = {.model = model, .effort = effort, .answer = answer};
    enum status status;
    uint64_t bound = order_model_bound(model);
    if (bound > answer->bound_bytes)
        answer->bound_bytes = bound;
    TRY_OR_DONE(status, order_cursor_create(model, &beam.cursor, error));
    TRY_OR_DONE(status, order_nodes_create(model, &beam.nodes, error));
    TRY_OR_DONE(status,
                memory_create(&beam.first, (size_t)model->operators + 1, sizeof(uint32_t), error));
    memset(beam.first, 0xff, ((size_t)model->operators + 1) * sizeof(uint32_t));
    status = run(&beam, error);
done:
    order_cursor_free(&beam.cursor);
    order_nodes_free(&beam.nodes);
    memory_free(beam.first);
    memory_free(beam.next);
    return status;
}
