#include "solvers/order_exact/search/pivots.h"

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/order/order_load.h"
#include "solvers/order_exact/bounds/cut.h"
#include "solvers/order_exact/bounds/pivot_cut.h"
#include "solvers/order_exact/model/nodes.h"
#include "solvers/order_exact/search/search.h"

/* Makes an order of all operators from an order of the pivots. Before each pivot, the operators of
   the downset run that has the fewest live bytes there. Of these, operators that take more than the
   bound run as late as possible, and of the others the one after which the fewest bytes are live
   runs first. */
struct order_chain {
    struct order_pivot_cut *cut;
    struct order_cut between; /* finds the fewest live bytes between two downsets */
    uint64_t bound_bytes;
    struct order_run run;
    uint64_t *downset;     /* [pivots + 1][words] before each pivot, and of all operators */
    uint64_t *ran;         /* [words] */
    uint64_t *least;       /* [words] */
    uint64_t *most;        /* [words] */
    uint32_t *permutation; /* [operators], filled */
    uint64_t *taken;       /* [operators] bytes that it takes, 0 for pivots */
    uint32_t *runs_with;   /* [operators] number of the downset with which it runs */
    size_t downset_capacity;
};

/* Cut and scratch must outlive the chain. */
static enum status order_chain_create(struct order_pivot_cut *cut, const struct order_model *model,
                                      struct order_chain *chain, struct scratch *memory,
                                      struct error *error)
{
    uint32_t n = model->operators, words = model->words;
    chain->cut = cut;
    TRY(order_run_take(model->view, &chain->run, memory, error));
    TRY(order_cut_create(model, &chain->between, error));
    TRY(scratch_take_all(memory, words, error, &chain->ran, &chain->least, &chain->most));
    TRY(scratch_take_all(memory, n, error, &chain->taken, &chain->runs_with));
    return scratch_take(memory, &chain->permutation, n, sizeof(uint32_t), error);
}

static void run_one(struct order_chain *chain, uint32_t op)
{
    assert(order_run_is_ready(&chain->run, op));
    assert(chain->run.done < chain->cut->model->operators && !order_set_has(chain->ran, op));
    chain->permutation[chain->run.done] = op;
    order_run_step(&chain->run, op);
    order_set_add(chain->ran, op);
}

static uint64_t *downset_of(const struct order_chain *chain, uint32_t number)
{
    return chain->downset + (size_t)number * chain->cut->model->words;
}

/* The best of the operators of the downset that may run now, ORDER_NONE where all ran: the one that
   takes the least, if that is beyond the bound, then that with the fewest live bytes behind it.
   *most_bytes is what it takes, or the bound. */
static uint32_t find_next(const struct order_chain *chain, const uint64_t *downset,
                          uint64_t *most_bytes)
{
    const struct order_run *run = &chain->run;
    uint64_t least_live = UINT64_MAX;
    uint32_t best = ORDER_NONE;
    *most_bytes = UINT64_MAX;
    for (uint32_t w = 0; w < chain->cut->model->words; w++)
        for (uint64_t left = downset[w] & ~chain->ran[w]; left; left &= left - 1) {
            uint32_t op = w * 64 + (uint32_t)__builtin_ctzll(left);
            if (!order_run_is_ready(run, op))
                continue;
            uint64_t live = run->live_bytes + order_run_left(run, op) - order_run_freed(run, op);
            assert(run->live_bytes + order_run_left(run, op) >= order_run_freed(run, op));
            uint64_t most = order_run_transient(run, op);
            if (most < chain->bound_bytes)
                most = chain->bound_bytes;
            if (most > *most_bytes || (most == *most_bytes && live >= least_live))
                continue;
            best = op;
            *most_bytes = most;
            least_live = live;
        }
    return best;
}

static void fill_downset(struct order_chain *chain, uint32_t number)
{
    uint64_t most;
    uint32_t next;
    while ((next = find_next(chain, downset_of(chain, number), &most)) != ORDER_NONE) {
        assert(most >= chain->bound_bytes);
        chain->taken[next] = most;
        chain->runs_with[next] = number;
        run_one(chain, next);
    }
}

/* Fills the permutation. order[] has the numbers of all pivots in an order that the edges allow.
   O(operators^2) and a flow for each pivot. */
static enum status order_chain_fill(struct order_chain *chain, const uint32_t *order,
                                    uint64_t bound_bytes, struct error *error)
{
    struct order_pivot_cut *cut = chain->cut;
    const struct order_model *model = cut->model;
    uint64_t live;
    TRY(memory_reserve(&chain->downset, &chain->downset_capacity,
                       (cut->pivots + (size_t)1) * model->words, sizeof(uint64_t), error));
    chain->bound_bytes = bound_bytes;
    order_run_restart(&chain->run);
    memset(chain->ran, 0, model->words * sizeof *chain->ran);
    memset(chain->taken, 0, model->operators * sizeof *chain->taken);
    for (uint32_t i = 0; i < cut->pivots; i++) {
        /* The downset of the fewest live bytes right before the pivot, where just the pivots before
           it have run. */
        uint32_t index = 0;
        TRY(order_pivot_cut_open(cut, chain->ran, &live, error));
        while (cut->ready[index] != order[i])
            index++;
        assert(index < cut->readies);
        order_pivot_cut_before(cut, index);
        order_pivot_cut_downset(cut, downset_of(chain, i));
        fill_downset(chain, i);
        run_one(chain, cut->pivot[order[i]]);
    }
    memset(downset_of(chain, cut->pivots), 0, model->words * sizeof(uint64_t));
    for (uint32_t v = 0; v < model->operators; v++)
        order_set_add(downset_of(chain, cut->pivots), v);
    fill_downset(chain, cut->pivots);
    assert(chain->run.done == model->operators);
    return STATUS_OK;
}

/* Looks at the operators that are no pivots and take more than the bound in the permutation. *worst
   is the one that would take most even if what runs between the same two pivots ran in the best
   order for it; ORDER_NONE where there is none. Takes at most one flow for each of these
   operators. */
static enum status order_chain_find_worst(struct order_chain *chain, uint32_t *worst,
                                          struct error *error)
{
    const struct order_model *model = chain->cut->model;
    const struct order_interval interval = {chain->least, chain->most};
    uint64_t worst_bytes = 0, bytes;
    *worst = ORDER_NONE;
    assert(chain->run.done == model->operators);
    for (;;) {
        uint32_t op = 0;
        for (uint32_t v = 1; v < model->operators; v++)
            if (chain->taken[v] > chain->taken[op])
                op = v;
        if (chain->taken[op] <= chain->bound_bytes || chain->taken[op] <= worst_bytes)
            return STATUS_OK;
        /* While it runs, the downset before its own and its ancestors have run, and neither it nor
           its descendants have. */
        const uint64_t *before = order_model_ancestors(model, op);
        const uint64_t *after = order_model_descendants(model, op);
        uint32_t number = chain->runs_with[op];
        assert(number <= chain->cut->pivots);
        for (uint32_t w = 0; w < model->words; w++) {
            chain->least[w] = before[w] | (number ? downset_of(chain, number - 1)[w] : 0);
            chain->most[w] = downset_of(chain, number)[w] & ~after[w];
        }
        order_set_remove(chain->most, op);
        TRY(order_cut_find(&chain->between, &interval, FLOW_UNLIMITED, &bytes, NULL, error));
        assert(!order_set_has(chain->least, op));
        bytes += order_model_own_bytes(model, op);
        if (*worst == ORDER_NONE || bytes > worst_bytes) {
            *worst = op;
            worst_bytes = bytes;
        }
        chain->taken[op] = 0;
    }
}

enum { WIDTH = 16 }; /* of the beams beside a chain */

struct child {
    uint64_t load_bytes, live_bytes;
    uint32_t pivot; /* its number */
};

struct order_pivots {
    const struct order_model *model;
    const struct order_effort *effort;
    struct order_pivot_cut cut;
    struct order_chain chain;
    struct order_nodes nodes; /* sets of pivots, with steps that are numbers of pivots */
    uint64_t *set;            /* [words] */
    uint32_t *order;          /* [operators] numbers of pivots */
    struct child *child;      /* [operators] */
    uint32_t children;
    uint64_t states; /* expanded so far, beside those of beams */
    bool started;    /* the search for the best order of these pivots has begun */
    struct scratch memory;
    bool useless; /* more pivots are of no use: no operator takes more than the bound */
};

enum status order_pivots_create(const struct order_model *model, const struct order_effort *effort,
                                struct order_pivots **created, struct error *error)
{
    SCOPED(order_pivots_release) struct order_pivots *pivots = NULL;
    uint32_t n = model->operators;
    TRY(memory_create(&pivots, 1, sizeof *pivots, error));
    struct scratch *memory = &pivots->memory;
    pivots->model = model;
    pivots->effort = effort;
    pivots->nodes.sets.words = model->words;
    TRY(order_pivot_cut_create(model, &pivots->cut, error));
    TRY(order_chain_create(&pivots->cut, model, &pivots->chain, memory, error));
    TRY(scratch_take(memory, &pivots->set, model->words, sizeof(uint64_t), error));
    TRY(scratch_take_all(memory, n, error, &pivots->order, &pivots->child));
    HAND_OVER(pivots, created);
}

void order_pivots_free(struct order_pivots *pivots)
{
    if (!pivots)
        return;
    order_cut_free(&pivots->chain.between);
    memory_free(pivots->chain.downset);
    order_pivot_cut_free(&pivots->cut);
    order_nodes_free(&pivots->nodes);
    scratch_free(&pivots->memory);
    memory_free(pivots);
}

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The hash of a set of pivots when one more is in it, or one less. */
static uint64_t hash_with(const struct order_pivots *pivots, uint64_t hash, uint32_t pivot)
{
    assert(pivot < pivots->cut.pivots);
    return hash ^ pivots->model->key[pivots->cut.pivot[pivot]];
}

/* Adds a node for the set of pivots that ran, pivots->set: the root, or the child of the arrival's
   parent. */
static enum status add_node(struct order_pivots *pivots, const struct order_arrival *arrival,
                            const struct child *child, struct error *error)
{
    struct order_nodes *nodes = &pivots->nodes;
    struct order_state state = {.set = pivots->set, .live_bytes = child->live_bytes};
    uint32_t added;
    if (arrival->parent != ORDER_NODE_NONE) {
        const struct order_node *parent = &nodes->node[arrival->parent];
        assert(arrival->load_bytes >= parent->load_bytes);
        state.step = &child->pivot;
        state.steps = 1;
        state.count = parent->count + 1;
        state.hash = hash_with(pivots, nodes->sets.hash[arrival->parent], child->pivot);
        assert(state.count <= pivots->cut.pivots);
    }
    TRY(order_nodes_add(nodes, &state, arrival, &added, error));
    return added == ORDER_NODE_NONE ? STATUS_OK : order_nodes_push(nodes, added, error);
}

static enum status start_search(struct order_pivots *pivots, const struct order_answer *answer,
                                struct error *error)
{
    const struct order_arrival root = {ORDER_NODE_NONE, answer->bound_bytes};
    struct child none = {.live_bytes = 0};
    order_nodes_clear(&pivots->nodes);
    memset(pivots->set, 0, pivots->model->words * sizeof *pivots->set);
    TRY(order_pivot_cut_open(&pivots->cut, pivots->set, &none.live_bytes, error));
    pivots->started = true;
    return add_node(pivots, &root, &none, error);
}

static void flip_pivot(struct order_pivots *pivots, uint32_t pivot)
{
    uint32_t op = pivots->cut.pivot[pivot];
    pivots->set[op / 64] ^= UINT64_C(1) << op % 64;
}

/* A pivot that adds nothing to the live bytes and takes no more than what came before is forced, as
   an operator is: the fewest live bytes are submodular in the set of pivots, too. */
static void list_children(struct order_pivots *pivots, const struct order_node *node, uint64_t hash,
                          uint64_t limit_bytes)
{
    struct order_pivot_cut *cut = &pivots->cut;
    pivots->children = 0;
    for (uint32_t i = 0; i < cut->readies; i++) {
        uint32_t pivot = cut->ready[i];
        uint64_t most = order_pivot_cut_before(cut, i) +
                        order_model_own_bytes(pivots->model, cut->pivot[pivot]);
        if (most >= limit_bytes)
            continue;
        /* Where the set behind the pivot is known, no flow is needed for its live bytes. */
        struct child child = {greater(most, node->load_bytes), 0, pivot};
        assert(!order_set_has(pivots->set, cut->pivot[pivot]));
        flip_pivot(pivots, pivot);
        uint32_t known =
            order_nodes_find(&pivots->nodes, pivots->set, hash_with(pivots, hash, pivot));
        flip_pivot(pivots, pivot);
        child.live_bytes = known == ORDER_NODE_NONE ? order_pivot_cut_after(cut)
                                                    : pivots->nodes.node[known].live_bytes;
        bool forced = child.live_bytes <= node->live_bytes && most <= node->load_bytes;
        if (forced)
            pivots->children = 0;
        pivots->child[pivots->children++] = child;
        if (forced)
            return;
    }
}

static enum status expand(struct order_pivots *pivots, uint32_t node, struct order_answer *answer,
                          struct error *error)
{
    struct order_nodes *nodes = &pivots->nodes;
    uint64_t live;
    memcpy(pivots->set, order_nodes_set(nodes, node), pivots->model->words * sizeof *pivots->set);
    TRY(order_pivot_cut_open(&pivots->cut, pivots->set, &live, error));
    list_children(pivots, &nodes->node[node], nodes->sets.hash[node], answer->load_bytes);
    answer->states++;
    assert(pivots->children <= pivots->cut.readies);
    pivots->states++;
    for (uint32_t i = 0; i < pivots->children; i++) {
        const struct order_arrival arrival = {node, pivots->child[i].load_bytes};
        flip_pivot(pivots, pivots->child[i].pivot);
        TRY(add_node(pivots, &arrival, &pivots->child[i], error));
        flip_pivot(pivots, pivots->child[i].pivot);
    }
    return STATUS_OK;
}

/* The best order of the pivots is known: it makes an order of all operators, and the next pivot. */
static enum status end_search(struct order_pivots *pivots, uint32_t node,
                              struct order_answer *answer, struct error *error)
{
    struct order_chain *chain = &pivots->chain;
    struct order_effort effort = *pivots->effort;
    uint64_t load;
    uint32_t worst;
    order_nodes_trace(&pivots->nodes, node, pivots->order);
    assert(pivots->nodes.node[node].count == pivots->cut.pivots);
    TRY(order_chain_fill(chain, pivots->order, answer->bound_bytes, error));
    TRY(order_load(pivots->model->view, chain->permutation, &load, error));
    assert(load >= answer->bound_bytes);
    if (load < answer->load_bytes) {
        answer->load_bytes = load;
        memcpy(answer->permutation, chain->permutation,
               pivots->model->operators * sizeof *answer->permutation);
    }
    /* Beams go from each downset of the chain to the next, with either ranking. */
    effort.width = WIDTH;
    effort.lane = chain->downset;
    effort.lanes = pivots->cut.pivots + 1;
    for (int i = 0; i < 2 && answer->load_bytes > answer->bound_bytes; i++) {
        effort.fewest_live = i;
        TRY(order_beam(pivots->model, &effort, answer, error));
    }
    pivots->started = false;
    TRY(order_chain_find_worst(chain, &worst, error));
    pivots->useless = worst == ORDER_NONE;
    if (!pivots->useless)
        order_pivot_cut_add(&pivots->cut, worst);
    return STATUS_OK;
}

enum status order_pivots_run(struct order_pivots *pivots, uint64_t states,
                             struct order_answer *answer, struct error *error)
{
    struct order_nodes *nodes = &pivots->nodes;
    uint64_t most_states =
        states < UINT64_MAX - pivots->states ? pivots->states + states : UINT64_MAX;
    while (answer->bound_bytes < answer->load_bytes && pivots->states < most_states &&
           !pivots->useless && order_nodes_bytes(nodes) <= pivots->effort->most_bytes &&
           clock_left_ns(pivots->effort->deadline_ns)) {
        if (!pivots->started)
            TRY(start_search(pivots, answer, error));
        /* The load of the set of pivots whose best order may have the least load is a bound. If all
           pivots ran, their best order is known, else the set is expanded. */
        assert(answer->bound_bytes < answer->load_bytes);
        uint32_t node = order_nodes_pop(nodes);
        if (node == ORDER_NODE_NONE || nodes->node[node].load_bytes >= answer->load_bytes) {
            answer->bound_bytes = answer->load_bytes;
            return STATUS_OK;
        }
        if (nodes->node[node].stale)
            continue;
        assert(nodes->node[node].count <= pivots->cut.pivots);
        answer->bound_bytes = greater(answer->bound_bytes, nodes->node[node].load_bytes);
        if (nodes->node[node].count == pivots->cut.pivots)
            TRY(end_search(pivots, node, answer, error));
        else
            TRY(expand(pivots, node, answer, error));
    }
    return STATUS_OK;
}

bool order_pivots_are_useless(const struct order_pivots *pivots)
{
    return pivots->useless;
}
