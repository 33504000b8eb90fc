/* The pools of PyTorch's Inductor, torch/_inductor/codegen/memory_planning.py at 016a041f79b5
   (config memory_planning, memory_pool="intermediates"). Buffers come largest first, of equals the
   one that lives longest. The pool is a tree. The children of a temporal node share its bytes, one
   after another in time; a spatial node has two temporal nodes side by side, the second one behind
   the first at a multiple of 64 bytes. To allocate a buffer in a temporal node:
   - it is refused where it is larger than the node, unless that may grow;
   - where one child is live together with it, that child is asked: a spatial node first asks its
     left side, which may not grow, and then its right side, a buffer refuses;
   - where several are, it is refused;
   - where none is, it becomes a child. A smaller one takes the rest of the bytes along as a spatial
     neighbour; for a larger one each child takes along the difference.
   What the root refuses lies behind all of it, under a new root.

   alignment: the 64 bytes.

   Departures: a problem does not say what is an output, so all buffers are intermediates, and one
   pool, which may grow, takes all. Time is steps, where Inductor has one for each run of lines that
   allocate and free.

   Each node keeps the steps in which something below is live. O(n * asked nodes * log n). */

#include "heuristics/allocators/inductor.h"
#include "core/binary_search.h"
#include "core/checked.h"
#include "core/list.h"
#include "heuristics/allocators/heap.h"
#include "heuristics/common/order.h"
#include "heuristics/common/rows.h"
#include "planning/arena/interval_union.h"

static const struct planner_option options[] = {
    [HEAP_ALIGNMENT] = {"alignment", "bytes that the left side of two is rounded up to", 64, 1,
                        1 << 20},
    {0},
};

static const struct order largest_first = {.key = {{ORDER_BY_SIZE, true}, {ORDER_BY_SPAN, true}}};

#define NO_NODE UINT32_MAX

enum kind { BUFFER, EMPTY, TEMPORAL, SPATIAL };

struct node {
    enum kind kind;
    uint64_t bytes, offset;
    uint32_t lower, upper;      /* steps in which a buffer is live */
    struct interval_union live; /* of other nodes: the steps in which some buffer below is live */
    uint32_t parent, next;      /* NO_NODE for none */
    uint32_t first, last;       /* the children; of a spatial node its left and its right side */
};

/* A spatial node whose right side is still to be asked. */
struct pending {
    uint32_t node;
    bool may_grow;
};

struct tree {
    LIST_OF(struct node) node;
    uint32_t root;
    uint64_t alignment;
    LIST_OF(struct pending) pending;
};

static enum status add_node(struct tree *tree, enum kind kind, uint64_t bytes, uint32_t *index,
                            struct error *error)
{
    *index = tree->node.count;
    TRY_ADD(tree->node, error,
            (struct node){kind, bytes, .parent = NO_NODE, .next = NO_NODE, .first = NO_NODE,
                          .last = NO_NODE});
    return STATUS_OK;
}

/* Where the right side of a spatial node begins in it. */
static uint64_t find_right(const struct tree *tree, const struct node *spatial)
{
    return align_up(tree->node.item[spatial->first].bytes, tree->alignment);
}

/* A child became larger: so may the node. Bytes above 2^63 stay there. */
static void grow_with_child(struct tree *tree, uint32_t index, uint32_t child)
{
    struct node *node = &tree->node.item[index], *below = &tree->node.item[child];
    if (node->kind == TEMPORAL)
        node->bytes = below->bytes > node->bytes ? below->bytes : node->bytes;
    else if (!checked_align(tree->node.item[node->first].bytes, tree->alignment, &node->bytes) ||
             (node->first != node->last &&
              !checked_add(node->bytes, tree->node.item[node->last].bytes, &node->bytes)) ||
             node->bytes > INT64_MAX)
        node->bytes = UINT64_MAX / 2 + 1;
}

static void add_child(struct tree *tree, uint32_t index, uint32_t child)
{
    struct node *node = &tree->node.item[index];
    if (node->first == NO_NODE)
        node->first = child;
    else
        tree->node.item[node->last].next = child;
    node->last = child;
    tree->node.item[child].parent = index;
    tree->node.item[child].next = NO_NODE;
    grow_with_child(tree, index, child);
}

/* Adds the steps of a node below to those of the node. */
static enum status add_live(struct tree *tree, uint32_t index, uint32_t below, struct error *error)
{
    const struct node *from = &tree->node.item[below];
    struct interval_union *live = &tree->node.item[index].live;
    bool changed;
    if (from->kind == BUFFER)
        return interval_union_add(live, (struct interval){from->lower, from->upper}, &changed,
                                  error);
    for (uint32_t i = 0; i < from->live.count; i++)
        TRY(interval_union_add(live, from->live.item[i], &changed, error));
    return STATUS_OK;
}

/* Makes a spatial node with `left` alone on its left side and free bytes on its right side. */
static enum status put_beside(struct tree *tree, uint32_t left, uint64_t free_bytes,
                              uint32_t *spatial, struct error *error)
{
    uint32_t left_side, right_side, empty;
    TRY(add_node(tree, SPATIAL, 0, spatial, error));
    TRY(add_node(tree, TEMPORAL, 0, &left_side, error));
    TRY(add_node(tree, TEMPORAL, 0, &right_side, error));
    TRY(add_node(tree, EMPTY, free_bytes, &empty, error));
    add_child(tree, left_side, left);
    add_child(tree, right_side, empty);
    add_child(tree, *spatial, left_side);
    add_child(tree, *spatial, right_side);
    TRY(add_live(tree, left_side, left, error));
    return add_live(tree, *spatial, left, error);
}

/* Whether a buffer at the node or below is live with another one. */
static bool is_live(const struct node *node, const struct node *buffer)
{
    const struct interval *item = node->live.item;
    if (node->kind == BUFFER)
        return node->lower < buffer->upper && buffer->lower < node->upper;
    uint32_t at = BINARY_SEARCH(i, 0, node->live.count, item[i].end > buffer->lower);
    return at < node->live.count && item[at].begin < buffer->upper;
}

/* The buffer becomes a child of the temporal node, none of whose children is live with it. */
static enum status insert(struct tree *tree, uint32_t index, uint32_t leaf, struct error *error)
{
    uint64_t slot = tree->node.item[index].bytes, bytes = tree->node.item[leaf].bytes;
    uint32_t child = tree->node.item[index].first, added = leaf, spatial;
    if (child == tree->node.item[index].last && tree->node.item[child].kind == EMPTY)
        child = tree->node.item[index].first = tree->node.item[index].last = NO_NODE;
    if (slot > bytes) {
        TRY(put_beside(tree, leaf, slot - bytes, &added, error));
    } else if (slot < bytes) {
        tree->node.item[index].first = tree->node.item[index].last = NO_NODE;
        for (uint32_t next; child != NO_NODE; child = next) {
            next = tree->node.item[child].next;
            TRY(put_beside(tree, child, bytes - slot, &spatial, error));
            add_child(tree, index, spatial);
        }
    }
    add_child(tree, index, added);
    for (uint32_t i = index; i != NO_NODE; i = tree->node.item[i].parent) {
        TRY(add_live(tree, i, leaf, error));
        if (tree->node.item[i].parent != NO_NODE)
            grow_with_child(tree, tree->node.item[i].parent, i);
    }
    return STATUS_OK;
}

/* The only child of a temporal node that is live with the buffer; NO_NODE for none. *several says
   that there are more. */
static uint32_t find_live_child(const struct tree *tree, uint32_t index, const struct node *buffer,
                                bool *several)
{
    uint32_t found = NO_NODE;
    *several = false;
    if (!is_live(&tree->node.item[index], buffer))
        return NO_NODE;
    for (uint32_t i = tree->node.item[index].first; i != NO_NODE && !*several;
         i = tree->node.item[i].next)
        if (is_live(&tree->node.item[i], buffer)) {
            *several = found != NO_NODE;
            found = i;
        }
    return found;
}

static enum status add_at_end(struct tree *tree, uint32_t leaf, struct error *error)
{
    uint32_t root, spatial, side;
    TRY(add_node(tree, TEMPORAL, 0, &root, error));
    TRY(add_node(tree, SPATIAL, 0, &spatial, error));
    TRY(add_node(tree, TEMPORAL, 0, &side, error));
    add_child(tree, side, leaf);
    add_child(tree, spatial, tree->root);
    add_child(tree, spatial, side);
    add_child(tree, root, spatial);
    TRY(add_live(tree, side, leaf, error));
    TRY(add_live(tree, root, tree->root, error));
    TRY(add_live(tree, root, leaf, error));
    TRY(add_live(tree, spatial, root, error));
    tree->root = root;
    return STATUS_OK;
}

static enum status allocate(struct tree *tree, uint32_t leaf, struct error *error)
{
    struct pending asked = {tree->root, true};
    if (tree->root == NO_NODE) {
        TRY(add_node(tree, TEMPORAL, 0, &tree->root, error));
        add_child(tree, tree->root, leaf);
        return add_live(tree, tree->root, leaf, error);
    }
    for (tree->pending.count = 0;;) {
        bool several;
        uint32_t child = find_live_child(tree, asked.node, &tree->node.item[leaf], &several);
        bool is_refused = several || (!asked.may_grow && tree->node.item[leaf].bytes >
                                                             tree->node.item[asked.node].bytes);
        if (!is_refused && child == NO_NODE)
            return insert(tree, asked.node, leaf, error);
        if (!is_refused && tree->node.item[child].kind == SPATIAL) {
            TRY_ADD(tree->pending, error, (struct pending){child, asked.may_grow});
            asked = (struct pending){tree->node.item[child].first, false};
        } else if (tree->pending.count > 0) {
            asked = tree->pending.item[--tree->pending.count];
            asked.node = tree->node.item[asked.node].last;
        } else {
            return add_at_end(tree, leaf, error);
        }
    }
}

/* Fills the offsets of all nodes, each after its parent. */
static void place_nodes(struct tree *tree, uint64_t base)
{
    uint32_t i = tree->root;
    if (i == NO_NODE)
        return;
    for (;;) {
        struct node *node = &tree->node.item[i];
        const struct node *parent = node->parent == NO_NODE ? NULL : &tree->node.item[node->parent];
        node->offset = parent ? parent->offset : base;
        if (parent && parent->kind == SPATIAL && parent->last == i)
            node->offset += find_right(tree, parent);
        if (node->first != NO_NODE) {
            i = node->first;
            continue;
        }
        while (i != tree->root && tree->node.item[i].next == NO_NODE)
            i = tree->node.item[i].parent;
        if (i == tree->root)
            return;
        i = tree->node.item[i].next;
    }
}

static void free_tree(struct tree *tree)
{
    for (uint32_t i = 0; i < tree->node.count; i++)
        interval_union_free(&tree->node.item[i].live);
    memory_free_all(tree->node.item, tree->pending.item);
}

/* Allocates all buffers that are not fixed. leaf[problem->buffers] gets the node of each, *count is
   how many these are. */
static enum status make_tree(struct tree *tree, const struct problem *problem, uint32_t *leaf,
                             uint32_t *count, struct error *error)
{
    SCOPED(memory_release) uint32_t *sorted = NULL;
    TRY(memory_create(&sorted, problem->buffers, sizeof *sorted, error));
    TRY(order_sort(&largest_first, problem, 0, sorted, error));
    *count = order_drop_fixed(problem, sorted);
    for (uint32_t i = 0; i < *count; i++) {
        uint32_t b = sorted[i];
        TRY(add_node(tree, BUFFER, problem->size[b], &leaf[b], error));
        tree->node.item[leaf[b]].lower = problem_lower(problem, b);
        tree->node.item[leaf[b]].upper = problem_upper(problem, b);
        TRY(allocate(tree, leaf[b], error));
    }
    return STATUS_OK;
}

static enum status plan_inductor(const struct planner *planner, const struct planner_task *task,
                                 struct plan *plan, struct error *error)
{
    const struct problem *problem = task->problem;
    SCOPED(free_tree) struct tree tree = {.root = NO_NODE};
    struct heap_calls calls;
    uint32_t *leaf, count;
    uint64_t end;
    plan->status = PLAN_UNSUPPORTED;
    TRY(heap_calls_create(problem, planner_option_value(planner, HEAP_ALIGNMENT), &calls,
                          task->scratch, error));
    if (!calls.fits)
        return STATUS_OK;
    tree.alignment = calls.granule;
    TRY(scratch_take(task->scratch, &leaf, problem->buffers, sizeof *leaf, error));
    TRY(make_tree(&tree, problem, leaf, &count, error));
    uint64_t pool_bytes = count > 0 ? tree.node.item[tree.root].bytes : 0;
    if (!checked_add(calls.base, pool_bytes, &end) || end > INT64_MAX)
        return STATUS_OK;
    plan->measures.pool_bytes = pool_bytes;
    plan->measures.pools = count > 0;
    place_nodes(&tree, calls.base);
    for (uint32_t b = 0; b < problem->buffers; b++)
        plan->offset[b] = problem_fixed_offset(problem, b) != PROBLEM_FREE
                              ? problem_fixed_offset(problem, b)
                              : tree.node.item[leaf[b]].offset;
    return plan_set_feasible(plan, problem, error);
}

/* The bytes of all nodes above the leaves, which have theirs already, each after its children. */
static void measure_nodes(struct tree *tree)
{
    uint32_t i = tree->root;
    for (;;) {
        while (tree->node.item[i].first != NO_NODE)
            i = tree->node.item[i].first;
        for (; i != tree->root; i = tree->node.item[i].parent) {
            grow_with_child(tree, tree->node.item[i].parent, i);
            if (tree->node.item[i].next != NO_NODE)
                break;
        }
        if (i == tree->root)
            return;
        i = tree->node.item[i].next;
    }
}

enum status inductor_place_sizes(const struct problem *example, const uint64_t *size,
                                 uint64_t *offset, uint64_t *pool_bytes, struct error *error)
{
    SCOPED(free_tree) struct tree tree = {.root = NO_NODE};
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct heap_calls calls;
    uint32_t *leaf, count;
    TRY(heap_calls_create(example, options[HEAP_ALIGNMENT].initial, &calls, &scratch, error));
    TRY(scratch_take(&scratch, &leaf, example->buffers, sizeof *leaf, error));
    tree.alignment = calls.granule;
    if (calls.fits)
        TRY(make_tree(&tree, example, leaf, &count, error));
    for (uint32_t i = 0; i < tree.node.count; i++)
        tree.node.item[i].bytes = 0;
    for (uint32_t b = 0; b < example->buffers && calls.fits; b++)
        tree.node.item[leaf[b]].bytes = size[b];
    if (calls.fits)
        measure_nodes(&tree);
    if (!calls.fits || tree.node.item[tree.root].bytes > INT64_MAX)
        return error_set(error, STATUS_BAD_INPUT, "the pool needs more than 2^63 - 1 bytes");
    place_nodes(&tree, 0);
    for (uint32_t b = 0; b < example->buffers; b++)
        offset[b] = tree.node.item[leaf[b]].offset;
    *pool_bytes = tree.node.item[tree.root].bytes;
    return STATUS_OK;
}

static const struct planner rows[] = {
    {ALLOCATOR("inductor_pools", "as Inductor: a tree of places side by side and in turns",
               "pytorch torch/_inductor/codegen/memory_planning.py at 016a041f79b5"),
     .options = options, .plan = plan_inductor},
};

HEURISTICS_ROWS(inductor, rows);
