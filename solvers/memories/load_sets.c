#include "solvers/memories/load_sets.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"

enum {
    MOST_FOUND = 60,       /* in one search: all of them become rows */
    MOST_STEPS = 20000000, /* of a search: neighbours looked at */
};

enum status load_sets_create(const struct memory_model *model, struct load_sets *sets,
                             struct error *error)
{
    size_t nodes = model->classes.count;
    *sets = (struct load_sets){.model = model};
    TRY(memory_reserve(&sets->first, &sets->first_capacity, 1, sizeof(uint32_t), error));
    sets->first[0] = 0;
    TRY(memory_create_all(nodes, error, &sets->met, &sets->open));
    return memory_create(&sets->gain, nodes, sizeof(double), error);
}

void load_sets_free(struct load_sets *sets)
{
    memory_free_all(sets->first, sets->node, sets->met, sets->open, sets->gain, sets->old_hash);
    *sets = (struct load_sets){0};
}

/* A set while it grows; it is the open end of sets->node. */
struct growth {
    const double *in, *paid;
    uint32_t arena, size, opens;
    double load;
    uint64_t hash, steps;
};

static uint64_t mix(uint64_t value)
{
    value = (value + 1) * UINT64_C(0x9E3779B97F4A7C15);
    return value ^ value >> 29;
}

/* What a neighbour of the node that just joined would add now: `shared` bytes less. */
static void meet(struct load_sets *sets, struct growth *growth, uint32_t other, double shared)
{
    assert(growth->size > 0 && sets->met[other] <= growth->size);
    if (sets->met[other] + 1 != growth->size)
        return;
    sets->met[other]++;
    sets->gain[other] -= shared;
    if (growth->size == 1) {
        assert(growth->opens < sets->model->classes.count);
        sets->open[growth->opens++] = other;
    }
}

/* Takes a node into the set and tells its neighbours. */
static enum status join(struct load_sets *sets, struct growth *growth, uint32_t node,
                        struct error *error)
{
    const struct memory_model *model = sets->model;
    size_t end = (size_t)sets->first[sets->count] + growth->size;
    assert(sets->met[node] == growth->size); /* it meets all of the set */
    TRY(memory_reserve(&sets->node, &sets->node_capacity, end + 1, sizeof(uint32_t), error));
    sets->node[end] = node;
    growth->size++;
    growth->load += sets->gain[node];
    growth->hash += mix(node);
    growth->steps += model->first[node + 1] - model->first[node] + model->first_edge[node + 1] -
                     model->first_edge[node] + growth->opens;
    for (uint64_t i = model->first[node]; i < model->first[node + 1]; i++)
        meet(sets, growth, model->other[i], 0);
    for (uint32_t i = model->first_edge[node]; i < model->first_edge[node + 1]; i++) {
        uint32_t e = model->edge_of[i];
        uint32_t other =
            model->edge[e].first == node ? model->edge[e].second : model->edge[e].first;
        uint64_t bytes = model->nodes->size[node], others = model->nodes->size[other];
        meet(sets, growth, other, growth->paid[e] * (double)(bytes < others ? bytes : others));
    }
    return STATUS_OK;
}

/* The node that adds most among those that meet all nodes of the set; nodes that do not meet all
   are dropped. MEMORY_NONE where no node adds anything. */
static uint32_t choose_next(struct load_sets *sets, struct growth *growth)
{
    uint32_t best = MEMORY_NONE, kept = 0;
    for (uint32_t i = 0; i < growth->opens; i++) {
        uint32_t n = sets->open[i];
        if (sets->met[n] != growth->size)
            continue;
        sets->open[kept++] = n;
        if (sets->gain[n] > 0 && (best == MEMORY_NONE || sets->gain[n] > sets->gain[best]))
            best = n;
    }
    growth->opens = kept;
    return best;
}

static bool is_known(const struct load_sets *sets, uint64_t hash)
{
    for (size_t i = 0; i < sets->hashes; i++)
        if (sets->old_hash[i] == hash)
            return true;
    return false;
}

/* Grows a set from a node and keeps it where its load is too much. */
static enum status grow(struct load_sets *sets, struct growth *growth, uint32_t node,
                        struct error *error)
{
    const struct memory_model *model = sets->model;
    double most = (double)model->arena[growth->arena].capacity;
    for (uint32_t n = 0; n < model->classes.count; n++) {
        sets->met[n] = 0;
        sets->gain[n] = growth->in[n] * (double)model->nodes->size[n];
    }
    growth->size = growth->opens = 0;
    growth->load = 0;
    growth->hash = 0;
    for (uint32_t next = node; next != MEMORY_NONE; next = choose_next(sets, growth))
        TRY(join(sets, growth, next, error));
    if (growth->load <= most * (1 + 1e-6) + 1e-6 || is_known(sets, growth->hash))
        return STATUS_OK;
    TRY(memory_reserve(&sets->first, &sets->first_capacity, (size_t)sets->count + 2,
                       sizeof(uint32_t), error));
    TRY(memory_reserve(&sets->old_hash, &sets->hash_capacity, sets->hashes + 1, sizeof(uint64_t),
                       error));
    sets->old_hash[sets->hashes++] = growth->hash;
    sets->first[sets->count + 1] = sets->first[sets->count] + growth->size;
    sets->count++;
    return STATUS_OK;
}

enum status load_sets_search(struct load_sets *sets, uint32_t arena, const double *in,
                             const double *paid, struct error *error)
{
    struct growth growth = {.in = in, .paid = paid, .arena = arena};
    uint32_t nodes = sets->model->classes.count, before = sets->count;
    assert(arena < sets->model->arenas);
    assert(sets->model->arena[arena].capacity != UINT64_MAX);
    sets->hashes = 0;
    for (uint32_t i = 0; i < nodes && growth.steps < MOST_STEPS; i++) {
        uint32_t n = sets->start;
        sets->start = (n + 1) % nodes;
        if (in[n] > 0)
            TRY(grow(sets, &growth, n, error));
        growth.steps += nodes;
        if (sets->count - before >= MOST_FOUND)
            break;
    }
    return STATUS_OK;
}
