#include "ordering/hierarchy/layers.h"

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/set_table.h"
#include "ordering/hierarchy/group_orders.h"
#include "planning/order/order_load.h"

/* A position in the search among the sets of chains that may have run. It moves by running
   operators and taking them back. */
struct walker {
    const struct hierarchy *hierarchy;
    struct order_run run;
    uint64_t *ran;       /* [words] chains whose last operator ran */
    uint64_t hash;       /* of that set */
    uint64_t most_bytes; /* that an operator took since walker_begin */
    uint32_t *path;      /* [steps] operators that ran since walker_begin */
    uint32_t steps, words;
};

/* Begins where nothing ran; the hierarchy must outlive it. O(operators + tensors). */
static enum status walker_create(const struct hierarchy *hierarchy, struct walker *walker,
                                 struct scratch *scratch, struct error *error)
{
    *walker = (struct walker){.hierarchy = hierarchy, .words = (hierarchy->chains + 63) / 64};
    TRY(order_run_take(hierarchy->view, &walker->run, scratch, error));
    TRY(scratch_take(scratch, &walker->ran, walker->words, sizeof *walker->ran, error));
    return scratch_take(scratch, &walker->path, hierarchy->view->operators, sizeof *walker->path,
                        error);
}

/* Notes whether the chain of an operator ran: it does with its last operator. */
static void mark(struct walker *walker, uint32_t op)
{
    uint32_t chain = walker->hierarchy->chain_of[op];
    if (order_lists_end(&walker->hierarchy->ops, chain)[-1] != op)
        return;
    walker->ran[chain / 64] ^= UINT64_C(1) << chain % 64;
    walker->hash ^= random_mix(chain);
}

static void step(struct walker *walker, uint32_t op)
{
    order_run_step(&walker->run, op);
    mark(walker, op);
}

static void step_back(struct walker *walker, uint32_t op)
{
    order_run_back(&walker->run, op);
    mark(walker, op);
}

static void walker_begin(struct walker *walker)
{
    walker->steps = 0;
    walker->most_bytes = 0;
}

/* Moves to where nothing ran, and begins a new path there. */
static void walker_restart(struct walker *walker)
{
    order_run_restart(&walker->run);
    for (uint32_t w = 0; w < walker->words; w++)
        walker->ran[w] = 0;
    walker->hash = 0;
    walker_begin(walker);
}

/* Moves to where the chains of the set `ran` ran, and begins a new path there. Chains have greater
   numbers than those that they wait for. They are therefore taken back from the last to the first,
   and run from the first to the last. O(uses of the operators that differ). */
static void walker_move(struct walker *walker, const uint64_t *ran)
{
    const struct order_lists *ops = &walker->hierarchy->ops;
    for (uint32_t w = walker->words; w-- > 0;)
        for (uint64_t left = walker->ran[w] & ~ran[w]; left;) {
            uint32_t bit = 63 - (uint32_t)__builtin_clzll(left), chain = w * 64 + bit;
            left ^= UINT64_C(1) << bit;
            for (uint32_t i = ops->start[chain + 1]; i > ops->start[chain]; i--)
                step_back(walker, ops->item[i - 1]);
        }
    for (uint32_t w = 0; w < walker->words; w++)
        for (uint64_t left = ran[w] & ~walker->ran[w]; left; left &= left - 1) {
            uint32_t chain = w * 64 + (uint32_t)__builtin_ctzll(left);
            for (uint32_t i = ops->start[chain]; i < ops->start[chain + 1]; i++)
                step(walker, ops->item[i]);
        }
    walker_begin(walker);
}

/* Goes back to where the path began. */
static void walker_undo(struct walker *walker)
{
    while (walker->steps)
        step_back(walker, walker->path[--walker->steps]);
    walker_begin(walker);
}

static bool walker_run_ops(struct walker *walker, const uint32_t *op, uint32_t ops,
                           uint64_t limit_bytes)
{
    for (uint32_t i = 0; i < ops; i++) {
        uint64_t bytes = order_run_transient(&walker->run, op[i]);
        if (bytes > limit_bytes) {
            walker_undo(walker);
            return false;
        }
        walker->most_bytes = bytes > walker->most_bytes ? bytes : walker->most_bytes;
        step(walker, op[i]);
        walker->path[walker->steps++] = op[i];
    }
    return true;
}

/* Runs the operators of whole chains, one chain after another. Where one takes more than the limit,
   moves back to where the path began and returns false. */
static bool walker_run_chains(struct walker *walker, const uint32_t *chain, uint32_t chains,
                              uint64_t limit_bytes)
{
    const struct order_lists *lists = &walker->hierarchy->ops;
    for (uint32_t i = 0; i < chains; i++)
        if (!walker_run_ops(walker, order_lists_begin(lists, chain[i]),
                            order_lists_count(lists, chain[i]), limit_bytes))
            return false;
    return true;
}

/* Sets of chains that may have run, layer by layer, each with the best way to reach it. */

struct state {
    uint64_t load_bytes; /* the most that the way took */
    uint32_t parent;     /* ORDER_NONE: the first one */
    uint32_t first, ops; /* operators that ran since the parent, in states->op */
};

/* Zeroed but for sets.words it has no states, and its first layer is open. */
struct states {
    struct set_table sets; /* of each state; only those of the open layer can be looked up */
    struct state *state;   /* [sets.count] */
    uint32_t *op;          /* [ops] */
    uint32_t ops;
    size_t state_capacity, op_capacity;
};

/* How a state was reached: its set, and the operators that ran since its parent. */
struct states_arrival {
    uint64_t load_bytes, hash;
    const uint64_t *set; /* [words] */
    uint32_t parent;
    const uint32_t *op; /* [ops] */
    uint32_t ops;
};

static void states_free(struct states *states)
{
    set_table_free(&states->sets);
    memory_free_all(states->state, states->op);
    *states = (struct states){.sets.words = states->sets.words};
}

/* of memory */
static uint64_t states_bytes(const struct states *states)
{
    const struct set_table *sets = &states->sets;
    return sets->count * (sizeof(struct state) + (sets->words + UINT64_C(1)) * sizeof(uint64_t)) +
           states->ops * sizeof(uint32_t) + sets->slots * sizeof(uint32_t);
}

/* Adds a state to the open layer. If the layer has a state with the same set, only the way of the
   lesser load is kept. O(words + ops) expected. */
static enum status states_add(struct states *states, const struct states_arrival *arrival,
                              struct error *error)
{
    uint32_t at = set_table_find(&states->sets, arrival->set, arrival->hash);
    if (at != SET_TABLE_NONE && states->state[at].load_bytes <= arrival->load_bytes)
        return STATUS_OK;
    assert(arrival->parent == ORDER_NONE || arrival->parent < states->sets.first);
    TRY(memory_reserve(&states->op, &states->op_capacity, (size_t)states->ops + arrival->ops,
                       sizeof *states->op, error));
    if (at == SET_TABLE_NONE) {
        at = states->sets.count;
        TRY(memory_reserve(&states->state, &states->state_capacity, (size_t)at + 1,
                           sizeof *states->state, error));
        TRY(set_table_add(&states->sets, arrival->set, arrival->hash, error));
    }
    if (arrival->ops)
        memcpy(states->op + states->ops, arrival->op, arrival->ops * sizeof *arrival->op);
    states->state[at] =
        (struct state){arrival->load_bytes, arrival->parent, states->ops, arrival->ops};
    states->ops += arrival->ops;
    return STATUS_OK;
}

/* Closes the open layer, whose states are [*first, *end), and opens the next one. */
static void states_close_layer(struct states *states, uint32_t *first, uint32_t *end)
{
    *first = states->sets.first;
    *end = states->sets.count;
    set_table_hide(&states->sets);
}

/* Fills op[] with the operators that ran on the way to a state; returns how many. */
static uint32_t states_trace(const struct states *states, uint32_t state, uint32_t *op)
{
    uint32_t count = 0, end;
    for (uint32_t s = state; s != ORDER_NONE; s = states->state[s].parent)
        count += states->state[s].ops;
    end = count;
    for (uint32_t s = state; s != ORDER_NONE; s = states->state[s].parent) {
        const struct state *at = &states->state[s];
        end -= at->ops;
        if (at->ops)
            memcpy(op + end, states->op + at->first, at->ops * sizeof *op);
    }
    return count;
}

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
