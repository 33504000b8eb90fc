/* The least load of a graph whose edges are series-parallel and whose tensors have one reader each,
   as in trees: Kayaaslan, Lambert, Marchal and Ucar (2018), here by the strings of Monma and Sidney
   (1979). For any other graph the order is that of liu_postorder. */

#include <assert.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/random.h"
#include "ordering/classes/strings.h"
#include "planning/order/order.h"

enum { MOST_CLOSED = 4096, OUT = 0, IN = 1 };

/* An edge of the graph. It joins two operators for good, though these are joined into nodes step by
   step. Edges have the numbers that they have in the view's successors, which tell where each one
   leads. */
struct edge {
    uint32_t from;               /* operator; ORDER_NONE where the edge is removed */
    uint32_t next[2], before[2]; /* edges of the same node, by its side: OUT or IN */
};

/* A node: operators that were joined. It has the number of the first of them, to which the edges
   into the node lead; the edges out of it begin at its last one, the tail. */
struct node {
    uint64_t sum[2];  /* of random numbers of the operators at its edges' other ends */
    uint32_t edge[2]; /* its first edge on each side; ORDER_NONE: none */
    uint32_t tail;
    uint32_t into; /* the node that it was joined into, itself if it was not */
    uint32_t next; /* the next node in its bucket, or on the stack */
    bool listed;   /* in a bucket */
    bool waits;    /* on the stack */
};

struct reduction {
    struct strings *strings;
    struct edge *edge; /* [edges] */
    struct node *node; /* [operators] */
    uint32_t *bucket;  /* [buckets] first node of each, by their sums; ORDER_NONE */
    uint32_t buckets;  /* a power of two */
    uint32_t top;      /* of the stack of nodes to look at; ORDER_NONE */
    uint32_t nodes;    /* that are left */
};

/* A random number of an operator at the other end of an edge. Nodes with the same neighbours have
   the same sums of them; nodes with other neighbours have equal sums only with a chance of one in
   2^64. */
static uint64_t get_key(uint32_t op, int side)
{
    return random_mix(2 * (uint64_t)op + (uint64_t)side);
}

static uint32_t find_node(struct reduction *reduction, uint32_t v)
{
    struct node *node = reduction->node;
    while (node[v].into != v)
        v = node[v].into = node[node[v].into].into;
    return v;
}

/* The operator at the other end of an edge, as seen from its side. */
static uint32_t get_end(const struct reduction *reduction, uint32_t edge, int side)
{
    return side == OUT ? reduction->strings->view->successors.item[edge]
                       : reduction->edge[edge].from;
}

static uint32_t find_end(struct reduction *reduction, uint32_t edge, int side)
{
    return find_node(reduction, get_end(reduction, edge, side));
}

static bool is_single(const struct reduction *reduction, uint32_t v, int side)
{
    uint32_t edge = reduction->node[v].edge[side];
    return edge != ORDER_NONE && reduction->edge[edge].next[side] == ORDER_NONE;
}

static uint32_t *find_bucket(const struct reduction *reduction, uint32_t v)
{
    const struct node *node = &reduction->node[v];
    uint64_t hash = random_mix(node->sum[OUT] * 5 + node->sum[IN]);
    return &reduction->bucket[hash & (reduction->buckets - 1)];
}

/* Takes a node out of its bucket. This comes before its sums change, as they say which bucket it is
   in. */
static void unlist(struct reduction *reduction, uint32_t v)
{
    uint32_t *at = find_bucket(reduction, v);
    if (!reduction->node[v].listed)
        return;
    while (*at != v)
        at = &reduction->node[*at].next;
    *at = reduction->node[v].next;
    reduction->node[v].listed = false;
}

static void look_again(struct reduction *reduction, uint32_t v)
{
    unlist(reduction, v);
    if (reduction->node[v].waits)
        return;
    reduction->node[v].waits = true;
    reduction->node[v].next = reduction->top;
    reduction->top = v;
}

static void link_edge(struct reduction *reduction, uint32_t edge, uint32_t v, int side)
{
    struct edge *linked = &reduction->edge[edge];
    struct node *node = &reduction->node[v];
    linked->before[side] = ORDER_NONE;
    linked->next[side] = node->edge[side];
    if (node->edge[side] != ORDER_NONE)
        reduction->edge[node->edge[side]].before[side] = edge;
    node->edge[side] = edge;
    node->sum[side] += get_key(get_end(reduction, edge, side), side);
}

static void unlink_edge(struct reduction *reduction, uint32_t edge, uint32_t v, int side)
{
    const struct edge *linked = &reduction->edge[edge];
    struct node *node = &reduction->node[v];
    if (linked->before[side] == ORDER_NONE)
        node->edge[side] = linked->next[side];
    else
        reduction->edge[linked->before[side]].next[side] = linked->next[side];
    if (linked->next[side] != ORDER_NONE)
        reduction->edge[linked->next[side]].before[side] = linked->before[side];
    node->sum[side] -= get_key(get_end(reduction, edge, side), side);
}

/* Removes an edge. Both of its ends may then be joined with others, and have to be looked at
   again. */
static void remove_edge(struct reduction *reduction, uint32_t edge)
{
    uint32_t from = find_end(reduction, edge, IN), to = find_end(reduction, edge, OUT);
    look_again(reduction, from);
    look_again(reduction, to);
    unlink_edge(reduction, edge, from, OUT);
    unlink_edge(reduction, edge, to, IN);
    reduction->edge[edge].from = ORDER_NONE;
}

/* The number of the edge between two operators, found by bisection since successors ascend;
   ORDER_NONE where there is none. */
static uint32_t find_edge(const struct reduction *reduction, uint32_t from, uint32_t to)
{
    const struct order_lists *successors = &reduction->strings->view->successors;
    uint32_t end = successors->start[from + 1];
    uint32_t edge = BINARY_SEARCH(at, successors->start[from], end, successors->item[at] >= to);
    bool found =
        edge < end && successors->item[edge] == to && reduction->edge[edge].from != ORDER_NONE;
    return found ? edge : ORDER_NONE;
}

/* Joins a node with a neighbour, or with a node that has the same neighbours. A node that cannot be
   joined for now is listed in its bucket until its edges change. */
static void look_at(struct reduction *reduction, uint32_t v)
{
    struct node *node = reduction->node;
    bool one_in = is_single(reduction, v, IN), one_out = is_single(reduction, v, OUT);
    if (node[v].into != v)
        return;
    uint32_t from = one_in ? find_end(reduction, node[v].edge[IN], IN) : ORDER_NONE;
    uint32_t to = one_out ? find_end(reduction, node[v].edge[OUT], OUT) : ORDER_NONE;
    if (one_out && is_single(reduction, to, IN)) { /* in series */
        unlist(reduction, to);
        strings_join_in_series(reduction->strings, v, to);
        node[to].into = v;
        node[v].tail = node[to].tail;
        node[v].edge[OUT] = node[to].edge[OUT];
        node[v].sum[OUT] = node[to].sum[OUT];
        reduction->nodes--;
        look_again(reduction, v);
        return;
    }
    if (one_in && is_single(reduction, from, OUT)) {
        look_again(reduction, from);
        return;
    }
    if (one_in && one_out) {
        /* The way through the node implies the edge between its neighbours. */
        uint32_t edge = find_edge(reduction, node[from].tail, to);
        if (edge != ORDER_NONE)
            remove_edge(reduction, edge);
    }
    uint32_t *bucket = find_bucket(reduction, v), other = *bucket;
    while (other != ORDER_NONE &&
           (node[other].sum[OUT] != node[v].sum[OUT] || node[other].sum[IN] != node[v].sum[IN]))
        other = node[other].next;
    if (other == ORDER_NONE) {
        node[v].next = *bucket;
        node[v].listed = true;
        *bucket = v;
        return;
    }
    strings_join_in_parallel(reduction->strings, other, v);
    for (int side = OUT; side <= IN; side++)
        while (node[v].edge[side] != ORDER_NONE)
            remove_edge(reduction, node[v].edge[side]);
    node[v].into = other;
    reduction->nodes--;
}

/* Removes every edge that others imply. above[operators][words] is zero. */
static void drop_implied(struct reduction *reduction, uint64_t *above, uint32_t words)
{
    const struct order_lists *lists = &reduction->strings->view->predecessors;
    for (uint32_t v = 0; v < lists->rows; v++) {
        uint64_t *own = above + (size_t)v * words;
        for (uint32_t i = lists->start[v]; i < lists->start[v + 1]; i++)
            for (uint32_t w = 0; w < words; w++)
                own[w] |= above[(size_t)lists->item[i] * words + w];
        for (uint32_t i = lists->start[v]; i < lists->start[v + 1]; i++) {
            uint32_t p = lists->item[i];
            if (own[p / 64] >> p % 64 & 1)
                reduction->edge[find_edge(reduction, p, v)].from = ORDER_NONE;
        }
        for (uint32_t i = lists->start[v]; i < lists->start[v + 1]; i++)
            own[lists->item[i] / 64] |= UINT64_C(1) << lists->item[i] % 64;
    }
}

/* Joins nodes, at first the operators, and with them their strings, as long as there are two nodes
   that have the same predecessors and successors, or of which the second is the only successor of
   the first and the first the only predecessor of the second. A graph that becomes one node is
   series-parallel (Valdes, Tarjan and Lawler 1982). An edge that is implied by other edges is
   removed: in graphs of at most 4096 operators all of them, in others those between the only two
   neighbours of a node.

   *root is the node that is left, whose string has all operators; ORDER_NONE where there are
   several. O((operators + edges) log operators) expected, 45 bytes for each operator and 20 for
   each edge. */
static enum status reduce_graph(struct strings *strings, uint32_t *root, struct scratch *scratch,
                                struct error *error)
{
    const struct order_view *view = strings->view;
    const struct order_lists *successors = &view->successors;
    uint32_t count = view->operators, words = (count + 63) / 64;
    struct reduction reduction = {
        .strings = strings, .top = ORDER_NONE, .nodes = count, .buckets = 1};
    uint64_t *above;
    while (reduction.buckets < count / 2)
        reduction.buckets *= 2;
    TRY(scratch_take(scratch, &reduction.edge, successors->start[count], sizeof *reduction.edge,
                     error));
    TRY(scratch_take(scratch, &reduction.node, count, sizeof *reduction.node, error));
    TRY(scratch_take(scratch, &reduction.bucket, reduction.buckets, sizeof(uint32_t), error));
    if (count <= MOST_CLOSED) {
        TRY(scratch_take(scratch, &above, (size_t)count * words, sizeof *above, error));
        drop_implied(&reduction, above, words);
    }
    memset(reduction.bucket, 0xff, reduction.buckets * sizeof *reduction.bucket);
    /* Every operator is a node that has to be looked at, the first ones on top of the stack. */
    for (uint32_t v = count; v-- > 0;) {
        reduction.node[v] = (struct node){.edge = {ORDER_NONE, ORDER_NONE}, .tail = v, .into = v};
        look_again(&reduction, v);
    }
    for (uint32_t v = 0; v < count; v++)
        for (uint32_t i = successors->start[v]; i < successors->start[v + 1]; i++) {
            if (reduction.edge[i].from == ORDER_NONE)
                continue;
            reduction.edge[i].from = v;
            link_edge(&reduction, i, v, OUT);
            link_edge(&reduction, i, successors->item[i], IN);
        }
    while (reduction.top != ORDER_NONE) {
        uint32_t v = reduction.top;
        reduction.top = reduction.node[v].next;
        reduction.node[v].waits = false;
        look_at(&reduction, v);
    }
    assert(reduction.nodes >= 1 || !count);
    *root = reduction.nodes == 1 ? find_node(&reduction, 0) : ORDER_NONE;
    return STATUS_OK;
}

extern const struct order_row order_liu_postorder;

static enum status order_class(const struct order_row *row, const struct order_task *task,
                               uint32_t *permutation, struct order_report *report,
                               struct error *error)
{
    struct strings strings;
    bool is_constant;
    uint32_t root = ORDER_NONE;
    (void)row;
    TRY(strings_create(task->view, &strings, &is_constant, task->scratch, error));
    if (is_constant)
        TRY(reduce_graph(&strings, &root, task->scratch, error));
    if (root == ORDER_NONE)
        return order_ask(&order_liu_postorder, task, permutation, report, error);
    strings_list(&strings, root, permutation);
    TRY(order_report_feasible(task->view, permutation, report, error));
    report->status = PLAN_OPTIMAL;
    report->bound_bytes = report->load_bytes;
    return STATUS_OK;
}

const struct order_row order_series_parallel = {
    .name = "series_parallel",
    .title = "the least load where edges are series-parallel and tensors have one reader",
    .source = "Kayaaslan et al. 2018; Monma and Sidney 1979",
    .flags = ORDER_EXACT | ORDER_CLASS,
    .order = order_class,
};
