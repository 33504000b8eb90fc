#include "solvers/order_exact/pivots/pivots.h"

#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "solvers/order_exact/model/nodes.h"
#include "solvers/order_exact/pivots/chain.h"
#include "solvers/order_exact/pivots/pivot_cut.h"

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
    bool useless;    /* more pivots are of no use: no operator takes more than the bound */
};

enum status order_pivots_create(const struct order_model *model, const struct order_effort *effort,
                                struct order_pivots **created, struct error *error)
{
    struct order_pivots *pivots;
    enum status status;
    uint32_t n = model->operators;
    TRY(memory_create(&pivots, 1, sizeof *pivots, error));
    pivots->model = model;
    pivots->effort = effort;
    TRY_OR_DONE(status, order_pivot_cut_create(model, &pivots->cut, error));
    TRY_OR_DONE(status, order_chain_create(&pivots->cut, model, &pivots->chain, error));
    TRY_OR_DONE(status, order_nodes_create(model, &pivots->nodes, error));
    TRY_OR_DONE(status, memory_create(&pivots->set, model->words, sizeof(uint64_t), error));
    TRY_OR_DONE(status, memory_create(&pivots->order, n, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&pivots->child, n, sizeof *pivots->child, error));
    *created = pivots;
    return STATUS_OK;
done:
    order_pivots_free(pivots);
    return status;
}

void order_pivots_free(struct order_pivots *pivots)
{
    if (!pivots)
        return;
    order_chain_free(&pivots->chain);
    order_pivot_cut_free(&pivots->cut);
    order_nodes_free(&pivots->nodes);
    memory_free(pivots->set);
    memory_free(pivots->order);
    memory_free(pivots->child);
    memory_free(pivots);
}

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The hash of a set of pivots when one more is in it, or one less. */
static uint64_t hash_with(const struct order_pivots *pivots, uint64_t hash, uint32_t pivot)
{
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
        state.step = &child->pivot;
        state.steps = 1;
        state.count = parent->count + 1;
        state.hash = hash_with(pivots, parent->hash, child->pivot);
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

/* The child of a node by the pivot for which order_pivot_cut_before was called last. Where its set
   is known, no flow is needed for its live bytes. */
static struct child find_child(struct order_pivots *pivots, const struct order_node *node,
                               uint32_t pivot, uint64_t most_bytes)
{
    struct child child = {greater(most_bytes, node->load_bytes), 0, pivot};
    flip_pivot(pivots, pivot);
    uint32_t known =
        order_nodes_find(&pivots->nodes, pivots->set, hash_with(pivots, node->hash, pivot));
    child.live_bytes = known == ORDER_NODE_NONE ? order_pivot_cut_after(&pivots->cut)
                                                : pivots->nodes.node[known].live_bytes;
    flip_pivot(pivots, pivot);
    return child;
}

/* A pivot that adds nothing to the live bytes and takes no more than what came before is forced, as
   an operator is: the fewest live bytes are submodular in the set of pivots, too. */
static void list_children(struct order_pivots *pivots, const struct order_node *node,
                          uint64_t limit_bytes)
{
    struct order_pivot_cut *cut = &pivots->cut;
    pivots->children = 0;
    for (uint32_t i = 0; i < cut->readies; i++) {
        uint64_t most = order_pivot_cut_before(cut, i) +
                        order_model_own_bytes(pivots->model, cut->pivot[cut->ready[i]]);
        if (most >= limit_bytes)
            continue;
        struct child child = find_child(pivots, node, cut->ready[i], most);
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
    list_children(pivots, &nodes->node[node], answer->load_bytes);
    answer->states++;
    pivots->states++;
    for (uint32_t i = 0; i < pivots->children; i++) {
        const struct order_arrival arrival = {node, pivots->child[i].load_bytes};
        flip_pivot(pivots, pivots->child[i].pivot);
        TRY(add_node(pivots, &arrival, &pivots->child[i], error));
        flip_pivot(pivots, pivots->child[i].pivot);
    }
    return STATUS_OK;
}

/* Runs beams that go from each downset of the chain to the next. */
static enum status search_beside(const struct order_pivots *pivots, struct order_answer *answer,
                                 struct error *error)
{
    struct order_effort effort = *pivots->effort;
    effort.width = WIDTH;
    effort.lane = pivots->chain.downset;
    effort.lanes = pivots->cut.pivots + 1;
    for (int i = 0; i < 2 && answer->load_bytes > answer->bound_bytes; i++) {
        effort.fewest_live = i;
        TRY(order_beam(pivots->model, &effort, answer, error));
    }
    return STATUS_OK;
}

/* The best order of the pivots is known: it makes an order of all operators, and the next pivot. */
static enum status end_search(struct order_pivots *pivots, uint32_t node,
                              struct order_answer *answer, struct error *error)
{
    struct order_chain *chain = &pivots->chain;
    uint64_t load;
    uint32_t worst;
    order_nodes_trace(&pivots->nodes, node, pivots->order);
    TRY(order_chain_fill(chain, pivots->order, answer->bound_bytes, error));
    TRY(order_load(pivots->model->view, chain->permutation, &load, error));
    if (load < answer->load_bytes) {
        answer->load_bytes = load;
        memcpy(answer->permutation, chain->permutation,
               pivots->model->operators * sizeof *answer->permutation);
    }
    TRY(search_beside(pivots, answer, error));
    pivots->started = false;
    TRY(order_chain_find_worst(chain, &worst, error));
    pivots->useless = worst == ORDER_NONE;
    if (pivots->useless)
        return STATUS_OK;
    order_pivot_cut_add(&pivots->cut, worst);
    return STATUS_OK;
}

/* Takes the set of pivots whose best order may have the least load. That load is a bound. If all
   pivots ran, their best order is known, else the set is expanded. */
static enum status look_at_next(struct order_pivots *pivots, struct order_answer *answer,
                                struct error *error)
{
    struct order_nodes *nodes = &pivots->nodes;
    uint32_t node = order_nodes_pop(nodes);
    if (node == ORDER_NODE_NONE || nodes->node[node].load_bytes >= answer->load_bytes) {
        answer->bound_bytes = answer->load_bytes;
        return STATUS_OK;
    }
    if (nodes->node[node].stale)
        return STATUS_OK;
    answer->bound_bytes = greater(answer->bound_bytes, nodes->node[node].load_bytes);
    if (nodes->node[node].count == pivots->cut.pivots)
        return end_search(pivots, node, answer, error);
    return expand(pivots, node, answer, error);
}

enum status order_pivots_run(struct order_pivots *pivots, uint64_t states,
                             struct order_answer *answer, struct error *error)
{
    uint64_t most_states =
        states < UINT64_MAX - pivots->states ? pivots->states + states : UINT64_MAX;
    while (answer->bound_bytes < answer->load_bytes && pivots->states < most_states &&
           !pivots->useless && order_nodes_bytes(&pivots->nodes) <= pivots->effort->most_bytes &&
           clock_left_ns(pivots->effort->deadline_ns)) {
        if (!pivots->started)
            TRY(start_search(pivots, answer, error));
        TRY(look_at_next(pivots, answer, error));
    }
    return STATUS_OK;
}

bool order_pivots_are_useless(const struct order_pivots *pivots)
{
    return pivots->useless;
}
