#include "solvers/order_exact/model/nodes.h"

#include <string.h>

#include "core/memory.h"

enum { FIRST_TABLE_SIZE = 1024 };

static enum status create_table(uint32_t **table, uint32_t size, struct error *error)
{
    TRY(memory_create(table, size, sizeof **table, error));
    memset(*table, 0xff, size * sizeof **table);
    return STATUS_OK;
}

enum status order_nodes_create(const struct order_model *model, struct order_nodes *nodes,
                               struct error *error)
{
    *nodes = (struct order_nodes){.model = model, .table_size = FIRST_TABLE_SIZE};
    return create_table(&nodes->table, nodes->table_size, error);
}

void order_nodes_free(struct order_nodes *nodes)
{
    memory_free(nodes->node);
    memory_free(nodes->set);
    memory_free(nodes->step);
    memory_free(nodes->table);
    memory_free(nodes->open);
    *nodes = (struct order_nodes){0};
}

void order_nodes_clear(struct order_nodes *nodes)
{
    memset(nodes->table, 0xff, nodes->table_size * sizeof *nodes->table);
    nodes->count = nodes->steps = nodes->open_count = 0;
}

uint64_t order_nodes_bytes(const struct order_nodes *nodes)
{
    return nodes->node_capacity * sizeof *nodes->node + nodes->set_capacity * sizeof *nodes->set +
           nodes->step_capacity * sizeof *nodes->step + nodes->open_capacity * sizeof *nodes->open +
           (uint64_t)nodes->table_size * sizeof *nodes->table;
}

const uint64_t *order_nodes_set(const struct order_nodes *nodes, uint32_t node)
{
    return nodes->set + (size_t)node * nodes->model->words;
}

/* The slot of the table that has the set, or the empty one where it belongs. */
static uint32_t find_slot(const struct order_nodes *nodes, uint64_t hash, const uint64_t *set)
{
    uint32_t mask = nodes->table_size - 1, slot = (uint32_t)hash & mask;
    size_t bytes = nodes->model->words * sizeof *set;
    for (; nodes->table[slot] != ORDER_NODE_NONE; slot = (slot + 1) & mask) {
        uint32_t node = nodes->table[slot];
        if (nodes->node[node].hash == hash && memcmp(order_nodes_set(nodes, node), set, bytes) == 0)
            break;
    }
    return slot;
}

static enum status grow_table(struct order_nodes *nodes, struct error *error)
{
    uint32_t *old = nodes->table, old_size = nodes->table_size;
    if (nodes->count < old_size / 2)
        return STATUS_OK;
    TRY(create_table(&nodes->table, old_size * 2, error));
    nodes->table_size = old_size * 2;
    for (uint32_t i = 0; i < old_size; i++)
        if (old[i] != ORDER_NODE_NONE)
            nodes->table[find_slot(nodes, nodes->node[old[i]].hash,
                                   order_nodes_set(nodes, old[i]))] = old[i];
    memory_free(old);
    return STATUS_OK;
}

struct order_state order_nodes_state(const struct order_cursor *cursor)
{
    return (struct order_state){cursor->ran,        cursor->path,  cursor->hash,
                                cursor->live_bytes, cursor->count, cursor->steps};
}

static enum status append(struct order_nodes *nodes, const struct order_state *state,
                          const struct order_arrival *arrival, struct error *error)
{
    uint32_t words = nodes->model->words, at = nodes->count;
    TRY(memory_reserve(&nodes->node, &nodes->node_capacity, (size_t)at + 1, sizeof *nodes->node,
                       error));
    TRY(memory_reserve(&nodes->set, &nodes->set_capacity, ((size_t)at + 1) * words,
                       sizeof *nodes->set, error));
    TRY(memory_reserve(&nodes->step, &nodes->step_capacity, (size_t)nodes->steps + state->steps,
                       sizeof *nodes->step, error));
    memcpy(nodes->set + (size_t)at * words, state->set, words * sizeof *nodes->set);
    if (state->steps)
        memcpy(nodes->step + nodes->steps, state->step, state->steps * sizeof *nodes->step);
    nodes->node[at] = (struct order_node){.load_bytes = arrival->load_bytes,
                                          .live_bytes = state->live_bytes,
                                          .hash = state->hash,
                                          .parent = arrival->parent,
                                          .count = state->count,
                                          .first_step = nodes->steps,
                                          .steps = state->steps};
    nodes->steps += state->steps;
    nodes->count++;
    return STATUS_OK;
}

enum status order_nodes_add(struct order_nodes *nodes, const struct order_state *state,
                            const struct order_arrival *arrival, uint32_t *added,
                            struct error *error)
{
    *added = ORDER_NODE_NONE;
    TRY(grow_table(nodes, error));
    uint32_t slot = find_slot(nodes, state->hash, state->set), known = nodes->table[slot];
    if (known != ORDER_NODE_NONE && nodes->node[known].load_bytes <= arrival->load_bytes)
        return STATUS_OK;
    TRY(append(nodes, state, arrival, error));
    if (known != ORDER_NODE_NONE)
        nodes->node[known].stale = true;
    *added = nodes->table[slot] = nodes->count - 1;
    return STATUS_OK;
}

uint32_t order_nodes_find(const struct order_nodes *nodes, const uint64_t *set, uint64_t hash)
{
    return nodes->table[find_slot(nodes, hash, set)];
}

static bool comes_first(const struct order_nodes *nodes, uint32_t a, uint32_t b)
{
    const struct order_node *first = &nodes->node[a], *second = &nodes->node[b];
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
    uint32_t at = nodes->open_count++;
    for (; at > 0 && comes_first(nodes, node, nodes->open[(at - 1) / 2]); at = (at - 1) / 2)
        nodes->open[at] = nodes->open[(at - 1) / 2];
    nodes->open[at] = node;
    return STATUS_OK;
}

static void sink_down(struct order_nodes *nodes, uint32_t node)
{
    uint32_t at = 0, child;
    while ((child = 2 * at + 1) < nodes->open_count) {
        if (child + 1 < nodes->open_count &&
            comes_first(nodes, nodes->open[child + 1], nodes->open[child]))
            child++;
        if (comes_first(nodes, node, nodes->open[child]))
            break;
        nodes->open[at] = nodes->open[child];
        at = child;
    }
    nodes->open[at] = node;
}

uint32_t order_nodes_pop(struct order_nodes *nodes)
{
    if (!nodes->open_count)
        return ORDER_NODE_NONE;
    uint32_t first = nodes->open[0];
    if (--nodes->open_count)
        sink_down(nodes, nodes->open[nodes->open_count]);
    return first;
}

void order_nodes_trace(const struct order_nodes *nodes, uint32_t node, uint32_t *permutation)
{
    uint32_t at = nodes->node[node].count;
    for (; node != ORDER_NODE_NONE; node = nodes->node[node].parent) {
        const struct order_node *from = &nodes->node[node];
        for (uint32_t i = from->steps; i-- > 0;)
            permutation[--at] = nodes->step[from->first_step + i];
    }
}
