#include "ordering/hierarchy/layers.h"

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "ordering/hierarchy/group_orders.h"
#include "ordering/hierarchy/states.h"
#include "ordering/hierarchy/walker.h"

struct layers {
    const struct hierarchy *hierarchy;
    struct layers_limits limits;
    struct walker walker;
    struct group_orders orders;
    uint32_t *unit; /* [chains] of the graph: those that stand alone, and the first of each group */
    uint64_t *base; /* [words] where the group at hand began */
    uint64_t expanded, budget_bytes;
    bool stopped;
};

/* What a search goes over: chains and groups of the graph, or the chains of a group. */
struct level {
    const uint32_t *unit; /* [units] chains; of a group of the graph its first one */
    uint32_t units;
    uint32_t group; /* ORDER_NONE: the graph */
    struct states states;
    uint64_t load_bytes; /* where it begins */
};

static void free_level(struct level *level)
{
    states_free(&level->states);
}

static bool has_run(const struct layers *layers, uint32_t chain)
{
    return layers->walker.ran[chain / 64] >> chain % 64 & 1;
}

/* True if all that the chain waits for ran; of a chain of a group of the graph, if that holds for
   each chain of the group, but for what it waits for within the group. */
static bool is_ready(const struct layers *layers, const struct level *level, uint32_t chain)
{
    const struct hierarchy *hierarchy = layers->hierarchy;
    uint32_t group = hierarchy->group_of[chain], member = chain;
    if (level->group != ORDER_NONE || group == ORDER_NONE)
        return order_run_is_ready(&layers->walker.run, *order_lists_begin(&hierarchy->ops, chain));
    do {
        for (const uint32_t *c = order_lists_begin(&hierarchy->before, member);
             c < order_lists_end(&hierarchy->before, member); c++)
            if (!has_run(layers, *c) && hierarchy->group_of[*c] != group)
                return false;
        member = hierarchy->ring[member];
    } while (member != chain);
    return true;
}

static enum status search_level(struct layers *layers, struct level *level, bool *found,
                                struct error *error);

/* Orders a group by the program over its chains, from where the walker is, which is there again at
   the end. If *found, the order is kept under *key. */
static enum status search_group(struct layers *layers, const struct group_key *key, bool *found,
                                struct error *error)
{
    SCOPED(free_level)
    struct level level = {.unit = group_orders_chains(&layers->orders, key->group),
                          .units = group_orders_count(&layers->orders, key->group),
                          .group = key->group,
                          .states.sets.words = layers->walker.words};
    SCOPED(memory_release) uint32_t *op = NULL;
    memcpy(layers->base, layers->walker.ran, layers->walker.words * sizeof *layers->base);
    TRY(search_level(layers, &level, found, error));
    walker_move(&layers->walker, layers->base);
    if (!*found)
        return STATUS_OK;
    TRY(memory_create(&op, layers->hierarchy->view->operators, sizeof *op, error));
    uint32_t ops = states_trace(&level.states, level.states.sets.count - 1, op);
    return group_orders_keep(&layers->orders, key, op, ops, error);
}

/* Runs a group that is ready, if that is possible within the budget. load_bytes is the load of the
   way so far; an order by a walk backwards that takes no more needs no search. */
static enum status run_group(struct layers *layers, uint32_t group, uint64_t load_bytes,
                             bool *found, struct error *error)
{
    struct walker *walker = &layers->walker;
    const struct group_key key = group_orders_key(&layers->orders, group, &walker->run);
    struct group_order known;
    *found = true;
    if (!group_orders_find(&layers->orders, &key, &known)) {
        uint64_t limit = load_bytes < layers->budget_bytes ? load_bytes : layers->budget_bytes;
        if (walker_run_chains(walker, group_orders_chains(&layers->orders, group),
                              group_orders_count(&layers->orders, group), limit))
            return STATUS_OK;
        TRY(search_group(layers, &key, found, error));
        if (!*found)
            return STATUS_OK;
        group_orders_find(&layers->orders, &key, &known);
    }
    *found = walker_run_ops(walker, known.op, known.ops, layers->budget_bytes);
    return STATUS_OK;
}

static enum status try_unit(struct layers *layers, struct level *level, uint32_t state,
                            uint32_t chain, struct error *error)
{
    struct walker *walker = &layers->walker;
    uint64_t load_bytes = level->states.state[state].load_bytes;
    uint32_t group = level->group == ORDER_NONE ? layers->hierarchy->group_of[chain] : ORDER_NONE;
    bool found = true;
    walker_begin(walker);
    if (group != ORDER_NONE)
        TRY(run_group(layers, group, load_bytes, &found, error));
    else
        found = walker_run_chains(walker, &chain, 1, layers->budget_bytes);
    if (!found)
        return STATUS_OK;
    const struct states_arrival arrival = {
        .load_bytes = walker->most_bytes > load_bytes ? walker->most_bytes : load_bytes,
        .hash = walker->hash,
        .set = walker->ran,
        .parent = state,
        .op = walker->path,
        .ops = walker->steps};
    TRY(states_add(&level->states, &arrival, error));
    layers->stopped = layers->stopped || states_bytes(&level->states) > layers->limits.most_bytes;
    walker_undo(walker);
    return STATUS_OK;
}

static enum status expand(struct layers *layers, struct level *level, uint32_t state,
                          struct error *error)
{
    walker_move(&layers->walker, set_table_at(&level->states.sets, state));
    layers->expanded++;
    for (uint32_t i = 0; i < level->units && !layers->stopped; i++) {
        uint32_t chain = level->unit[i];
        if (!has_run(layers, chain) && is_ready(layers, level, chain))
            TRY(try_unit(layers, level, state, chain, error));
    }
    return STATUS_OK;
}

/* Runs the program layer by layer. If *found, the last state is the best one in which all ran. */
static enum status search_level(struct layers *layers, struct level *level, bool *found,
                                struct error *error)
{
    const struct walker *walker = &layers->walker;
    struct states *states = &level->states;
    const struct states_arrival start = {.load_bytes = level->load_bytes,
                                         .hash = walker->hash,
                                         .set = walker->ran,
                                         .parent = ORDER_NONE,
                                         .op = walker->path};
    uint32_t first, end;
    *found = true;
    TRY(states_add(states, &start, error));
    for (uint32_t i = 0; i < level->units && *found; i++) {
        states_close_layer(states, &first, &end);
        for (uint32_t state = first; state < end && !layers->stopped; state++) {
            TRY(expand(layers, level, state, error));
            layers->stopped |= states_bytes(states) + group_orders_bytes(&layers->orders) >
                                   layers->limits.most_bytes ||
                               !clock_left_ns(layers->limits.deadline_ns);
        }
        *found = states->sets.count > end && !layers->stopped;
    }
    return STATUS_OK;
}

enum status layers_search(struct layers *layers, uint64_t budget_bytes, uint32_t *permutation,
                          enum layers_end *end, struct error *error)
{
    const struct hierarchy *hierarchy = layers->hierarchy;
    SCOPED(free_level)
    struct level level = {
        .unit = layers->unit, .group = ORDER_NONE, .states.sets.words = layers->walker.words};
    bool found = false;
    for (uint32_t c = 0; c < hierarchy->chains; c++) {
        bool is_first = true;
        for (uint32_t o = hierarchy->ring[c]; o != c && is_first; o = hierarchy->ring[o])
            is_first = o > c;
        if (is_first)
            layers->unit[level.units++] = c;
    }
    layers->budget_bytes = budget_bytes;
    walker_restart(&layers->walker);
    level.load_bytes = layers->walker.run.load_bytes;
    TRY(search_level(layers, &level, &found, error));
    *end = layers->stopped ? LAYERS_STOPPED : found ? LAYERS_FOUND : LAYERS_NONE;
    if (!found)
        return STATUS_OK;
    uint32_t ops = states_trace(&level.states, level.states.sets.count - 1, permutation);
    assert(ops == hierarchy->view->operators);
    (void)ops;
    return STATUS_OK;
}

uint64_t layers_expanded(const struct layers *layers)
{
    return layers->expanded;
}

enum status layers_create(const struct hierarchy *hierarchy, const struct layers_limits *limits,
                          struct layers **created, struct scratch *scratch, struct error *error)
{
    struct layers *layers;
    TRY(scratch_take(scratch, &layers, 1, sizeof *layers, error));
    *created = layers;
    layers->hierarchy = hierarchy;
    layers->limits = *limits;
    TRY(walker_create(hierarchy, &layers->walker, scratch, error));
    TRY(group_orders_create(hierarchy, &layers->orders, error));
    TRY(scratch_take(scratch, &layers->unit, hierarchy->chains, sizeof(uint32_t), error));
    return scratch_take(scratch, &layers->base, layers->walker.words, sizeof(uint64_t), error);
}

void layers_free(struct layers *layers)
{
    if (layers)
        group_orders_free(&layers->orders);
}
