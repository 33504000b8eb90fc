/* The least load of a graph whose edges are series-parallel and whose tensors have one reader each,
   as in trees: Kayaaslan, Lambert, Marchal and Ucar (2018), here by the strings of Monma and Sidney
   (1979). Nodes are joined for as long as two of them have the same predecessors and successors, or
   are each other's only ones; a graph that becomes one node is of the class. Of any other graph the
   order is that of liu_postorder. */

#include <string.h>

#include "core/memory.h"
#include "core/random.h"
#include "ordering/classes/strings.h"
#include "planning/order/order.h"

/* Beyond it edges that others imply stay, and few graphs but trees are of the class. */
enum { MOST_REDUCED = 4096 };

struct edge {
    uint32_t from, to;
};

struct reduction {
    struct strings strings;
    uint32_t nodes;    /* that are left */
    uint32_t *into;    /* [operators] node that it was joined into, itself while it is one */
    struct edge *edge; /* [edges] between nodes, each once */
    uint32_t edges;
    uint64_t *key;              /* [operators] random */
    uint64_t *before, *after;   /* [operators] sums of the keys of its neighbours */
    uint32_t *befores, *afters; /* [operators] how many there are */
    uint32_t *neighbour;        /* [operators] its successor, where it has one */
    struct error *error;
};

/* edge[] has room for all of them. */
static void list_edges(struct reduction *reduction)
{
    const struct order_lists *lists = &reduction->strings.view->predecessors;
    for (uint32_t v = 0; v < lists->rows; v++)
        for (uint32_t i = lists->start[v]; i < lists->start[v + 1]; i++)
            reduction->edge[reduction->edges++] = (struct edge){lists->item[i], v};
}

static bool has_bit(const uint64_t *set, uint32_t v)
{
    return set[v / 64] >> v % 64 & 1;
}

/* above: [operators][words] of zeros; drops edges that a longer way implies. */
static void drop_implied(struct reduction *reduction, uint64_t *above, uint32_t words)
{
    const struct order_lists *lists = &reduction->strings.view->predecessors;
    for (uint32_t v = 0; v < lists->rows; v++) {
        uint64_t *own = above + (size_t)v * words;
        for (uint32_t i = lists->start[v]; i < lists->start[v + 1]; i++) {
            const uint64_t *other = above + (size_t)lists->item[i] * words;
            for (uint32_t w = 0; w < words; w++)
                own[w] |= other[w];
        }
        for (uint32_t i = lists->start[v]; i < lists->start[v + 1]; i++)
            if (!has_bit(own, lists->item[i]))
                reduction->edge[reduction->edges++] = (struct edge){lists->item[i], v};
        for (uint32_t i = lists->start[v]; i < lists->start[v + 1]; i++)
            own[lists->item[i] / 64] |= UINT64_C(1) << lists->item[i] % 64;
    }
}

static enum status find_edges(struct reduction *reduction)
{
    uint32_t operators = reduction->strings.view->operators, words = (operators + 63) / 64;
    uint64_t *above;
    if (operators > MOST_REDUCED) {
        list_edges(reduction);
        return STATUS_OK;
    }
    TRY(memory_create(&above, (size_t)operators * words, sizeof *above, reduction->error));
    drop_implied(reduction, above, words);
    memory_free(above);
    return STATUS_OK;
}

static uint32_t find_node(struct reduction *reduction, uint32_t v)
{
    while (reduction->into[v] != v)
        v = reduction->into[v] = reduction->into[reduction->into[v]];
    return v;
}

/* Two edges between the same nodes are one: they stand for pairs of joined nodes. sum: of the keys
   of both ends of each edge, in a table of a power of two slots. */
static void merge_edges(struct reduction *reduction, uint32_t *slot, uint32_t slots)
{
    uint32_t kept = 0;
    memset(slot, 0xff, slots * sizeof *slot);
    for (uint32_t i = 0; i < reduction->edges; i++) {
        struct edge edge = {find_node(reduction, reduction->edge[i].from),
                            find_node(reduction, reduction->edge[i].to)};
        uint64_t hash = reduction->key[edge.from] * 3 + reduction->key[edge.to];
        uint32_t at = (uint32_t)(hash >> 32) & (slots - 1);
        bool again = edge.from == edge.to;
        for (; !again && slot[at] != ORDER_NONE; at = (at + 1) & (slots - 1)) {
            const struct edge *other = &reduction->edge[slot[at]];
            again = other->from == edge.from && other->to == edge.to;
        }
        if (again)
            continue;
        slot[at] = kept;
        reduction->edge[kept++] = edge;
    }
    reduction->edges = kept;
}

static void sum_neighbours(struct reduction *reduction)
{
    uint32_t operators = reduction->strings.view->operators;
    for (uint32_t v = 0; v < operators; v++) {
        reduction->before[v] = reduction->after[v] = 0;
        reduction->befores[v] = reduction->afters[v] = 0;
    }
    for (uint32_t i = 0; i < reduction->edges; i++) {
        struct edge edge = reduction->edge[i];
        reduction->before[edge.to] += reduction->key[edge.from];
        reduction->after[edge.from] += reduction->key[edge.to];
        reduction->befores[edge.to]++;
        reduction->afters[edge.from]++;
        reduction->neighbour[edge.from] = edge.to;
    }
}

static void join(struct reduction *reduction, uint32_t a, uint32_t b)
{
    reduction->into[b] = a;
    reduction->nodes--;
}

/* Whole chains, from their first nodes. */
static void join_series(struct reduction *reduction)
{
    uint32_t operators = reduction->strings.view->operators;
    for (uint32_t v = 0; v < operators; v++) {
        if (reduction->into[v] != v)
            continue;
        while (reduction->afters[v] == 1) {
            uint32_t next = reduction->neighbour[v];
            if (reduction->befores[next] != 1)
                break;
            strings_join_in_series(&reduction->strings, v, next);
            join(reduction, v, next);
            reduction->afters[v] = reduction->afters[next];
            reduction->after[v] = reduction->after[next];
            reduction->neighbour[v] = reduction->neighbour[next];
        }
    }
}

/* Nodes of the same sums have, but for a chance of one in 2^64, the same neighbours. */
static void join_parallel(struct reduction *reduction, uint32_t *slot, uint32_t slots)
{
    uint32_t operators = reduction->strings.view->operators;
    memset(slot, 0xff, slots * sizeof *slot);
    for (uint32_t v = 0; v < operators; v++) {
        if (reduction->into[v] != v)
            continue;
        uint64_t hash = reduction->before[v] * 5 + reduction->after[v];
        uint32_t at = (uint32_t)((hash * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (slots - 1);
        for (; slot[at] != ORDER_NONE; at = (at + 1) & (slots - 1))
            if (reduction->before[slot[at]] == reduction->before[v] &&
                reduction->after[slot[at]] == reduction->after[v])
                break;
        if (slot[at] == ORDER_NONE) {
            slot[at] = v;
            continue;
        }
        strings_join_in_parallel(&reduction->strings, slot[at], v);
        join(reduction, slot[at], v);
    }
}

static enum status reduce(struct reduction *reduction)
{
    uint32_t operators = reduction->strings.view->operators, slots = 2, *slot;
    uint32_t most = reduction->edges > operators ? reduction->edges : operators;
    while (slots < 2 * most)
        slots *= 2;
    TRY(memory_create(&slot, slots, sizeof *slot, reduction->error));
    for (uint32_t before = 0; before != reduction->nodes;) {
        before = reduction->nodes;
        sum_neighbours(reduction);
        join_series(reduction);
        merge_edges(reduction, slot, slots);
        sum_neighbours(reduction);
        join_parallel(reduction, slot, slots);
        merge_edges(reduction, slot, slots);
    }
    memory_free(slot);
    return STATUS_OK;
}

static enum status create_reduction(struct reduction *reduction)
{
    const struct order_view *view = reduction->strings.view;
    uint32_t count = view->operators, edges = view->predecessors.start[count];
    struct random_state random = random_seed(1);
    TRY(memory_create(&reduction->edge, edges, sizeof *reduction->edge, reduction->error));
    uint32_t **numbers[] = {&reduction->into, &reduction->befores, &reduction->afters,
                            &reduction->neighbour};
    for (int i = 0; i < 4; i++)
        TRY(memory_create(numbers[i], count, sizeof(uint32_t), reduction->error));
    uint64_t **keys[] = {&reduction->key, &reduction->before, &reduction->after};
    for (int i = 0; i < 3; i++)
        TRY(memory_create(keys[i], count, sizeof(uint64_t), reduction->error));
    for (uint32_t v = 0; v < count; v++) {
        reduction->into[v] = v;
        reduction->key[v] = random_next(&random);
    }
    reduction->nodes = count;
    return find_edges(reduction);
}

static void free_reduction(struct reduction *reduction)
{
    strings_free(&reduction->strings);
    memory_free(reduction->into);
    memory_free(reduction->edge);
    memory_free(reduction->key);
    memory_free(reduction->before);
    memory_free(reduction->after);
    memory_free(reduction->befores);
    memory_free(reduction->afters);
    memory_free(reduction->neighbour);
}

extern const struct order_row order_liu_postorder;

static enum status order_class(const struct order_row *row, const struct order_task *task,
                               uint32_t *permutation, struct order_report *report,
                               struct error *error)
{
    struct reduction reduction = {.error = error};
    bool is_constant;
    (void)row;
    TRY(strings_create(task->view, &reduction.strings, &is_constant, error));
    enum status status = is_constant ? create_reduction(&reduction) : STATUS_OK;
    if (!status && is_constant)
        status = reduce(&reduction);
    bool is_of_class = !status && is_constant && reduction.nodes == 1;
    if (is_of_class) {
        strings_list(&reduction.strings, find_node(&reduction, 0), permutation);
        status = order_report_feasible(task->view, permutation, report, error);
        report->status = PLAN_OPTIMAL;
        report->bound_bytes = report->load_bytes;
    }
    free_reduction(&reduction);
    if (status || is_of_class)
        return status;
    return order_liu_postorder.order(&order_liu_postorder, task, permutation, report, error);
}

const struct order_row order_series_parallel = {
    .name = "series_parallel",
    .title = "the least load where edges are series-parallel and tensors have one reader",
    .source = "Kayaaslan et al. 2018; Monma and Sidney 1979",
    .flags = ORDER_EXACT | ORDER_CLASS,
    .order = order_class,
};
