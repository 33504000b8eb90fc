#include "solvers/order_exact/model/nodes.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"

void order_nodes_free(struct order_nodes *nodes)
{
    set_table_free(&nodes->sets);
    memory_free_all(nodes->node, nodes->step, nodes->open);
    *nodes = (struct order_nodes){.sets.words = nodes->sets.words};
}

void order_nodes_clear(struct order_nodes *nodes)
{
    set_table_clear(&nodes->sets);
    nodes->steps = nodes->open_count = 0;
}

uint64_t order_nodes_bytes(const struct order_nodes *nodes)
{
    return set_table_bytes(&nodes->sets) + nodes->node_capacity * sizeof *nodes->node +
           nodes->step_capacity * sizeof *nodes->step + nodes->open_capacity * sizeof *nodes->open;
}

struct order_state order_nodes_state(const struct order_cursor *cursor)
{
    return (struct order_state){cursor->ran,        cursor->path,  cursor->hash,
                                cursor->live_bytes, cursor->count, cursor->steps};
}

enum status order_nodes_add(struct order_nodes *nodes, const struct order_state *state,
                            const struct order_arrival *arrival, uint32_t *added,
                            struct error *error)
{
    uint32_t known = order_nodes_find(nodes, state->set, state->hash), at = nodes->sets.count;
    *added = ORDER_NODE_NONE;
    if (known != ORDER_NODE_NONE && nodes->node[known].load_bytes <= arrival->load_bytes)
        return STATUS_OK;
    assert(arrival->parent == ORDER_NODE_NONE ||
           nodes->node[arrival->parent].count + state->steps == state->count);
    TRY(memory_reserve(&nodes->node, &nodes->node_capacity, (size_t)at + 1, sizeof *nodes->node,
                       error));
    TRY(memory_reserve(&nodes->step, &nodes->step_capacity, (size_t)nodes->steps + state->steps,
                       sizeof *nodes->step, error));
    TRY(set_table_add(&nodes->sets, state->set, state->hash, error));
    if (state->steps)
        memcpy(nodes->step + nodes->steps, state->step, state->steps * sizeof *nodes->step);
    nodes->node[at] = (struct order_node){.load_bytes = arrival->load_bytes,
                                          .live_bytes = state->live_bytes,
                                          .parent = arrival->parent,
                                          .count = state->count,
                                          .first_step = nodes->steps,
                                          .steps = state->steps};
    nodes->steps += state->steps;
    assert(at + 1 == nodes->sets.count && nodes->steps <= nodes->step_capacity);
    if (known != ORDER_NODE_NONE)
        nodes->node[known].stale = true;
    *added = at;
    return STATUS_OK;
}

uint32_t order_nodes_find(const struct order_nodes *nodes, const uint64_t *set, uint64_t hash)
{
    return set_table_find(&nodes->sets, set, hash);
}

const uint64_t *order_nodes_set(const struct order_nodes *nodes, uint32_t node)
{
    assert(node < nodes->sets.count);
    return set_table_at(&nodes->sets, node);
}

static bool comes_first(const struct order_nodes *nodes, uint32_t a, uint32_t b)
{
    const struct order_node *first = &nodes->node[a], *second = &nodes->node[b];
    assert(a < nodes->sets.count && b < nodes->sets.count);
    if (first->load_bytes != second->load_bytes)
        return first->load_bytes < second->load_bytes;
    if (first->count != second->count)
        return first->count > second->count;
    if (first->live_bytes != second->live_bytes)
        return first->live_bytes < second->live_bytes;
    return a < b;
}

enum status order_nodes_push(struct order_nodes *nodes, uint32_t node, struct error *error)
{
    TRY(memory_reserve(&nodes->open, &nodes->open_capacity, (size_t)nodes->open_count + 1,
                       sizeof *nodes->open, error));
    assert(node < nodes->sets.count && !nodes->node[node].stale);
    uint32_t at = nodes->open_count++;
    for (; at > 0 && comes_first(nodes, node, nodes->open[(at - 1) / 2]); at = (at - 1) / 2)
        nodes->open[at] = nodes->open[(at - 1) / 2];
    nodes->open[at] = node;
    return STATUS_OK;
}

uint32_t order_nodes_pop(struct order_nodes *nodes)
{
    if (!nodes->open_count)
        return ORDER_NODE_NONE;
    /* The last one of the heap sinks from the top, where the first one is taken away. */
    uint32_t first = nodes->open[0], sinking = nodes->open[--nodes->open_count], at = 0, child;
    while ((child = 2 * at + 1) < nodes->open_count) {
        if (child + 1 < nodes->open_count &&
            comes_first(nodes, nodes->open[child + 1], nodes->open[child]))
            child++;
        if (comes_first(nodes, sinking, nodes->open[child]))
            break;
        nodes->open[at] = nodes->open[child];
        at = child;
    }
    nodes->open[at] = sinking;
    assert(!nodes->open_count || comes_first(nodes, first, nodes->open[0]));
    return first;
}

void order_nodes_trace(const struct order_nodes *nodes, uint32_t node, uint32_t *permutation)
{
    uint32_t at = nodes->node[node].count;
    for (; node != ORDER_NODE_NONE; node = nodes->node[node].parent) {
        const struct order_node *from = &nodes->node[node];
        assert(at >= from->steps && (from->parent == ORDER_NODE_NONE || from->parent < node));
        for (uint32_t i = from->steps; i-- > 0;)
            permutation[--at] = nodes->step[from->first_step + i];
    }
    assert(!at);
}
