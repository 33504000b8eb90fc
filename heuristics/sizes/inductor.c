/* The pools of PyTorch Inductor, pytorch torch/_inductor/codegen/memory_planning.py @ 016a041f79b5:
   a tree of what lies beside each other (spatial) and one after another in time (temporal), made
   for example sizes. The sizes that come are put into the same tree, in which what was empty
   counts nothing.

   Departures: all buffers are intermediates, so there is one pool, which may grow; a buffer with
   holes lives from its first step to its last. */

#include "core/checked.h"
#include "core/memory.h"
#include "core/sort.h"
#include "heuristics/sizes/calls.h"
#include "heuristics/sizes/size_rules.h"

enum node_kind { BUFFER, EMPTY, TEMPORAL, SPATIAL };
#define NO_NODE UINT32_MAX

struct node {
    enum node_kind kind;
    uint32_t buffer;      /* of BUFFER */
    uint32_t child, next; /* the first child, and the next one of the same parent; a spatial node
                             has two, left and right */
    uint64_t bytes;       /* for the hint; of EMPTY, what it stands for */
};

struct tree {
    const struct problem *problem;
    struct node *node;
    uint32_t count, root;
    size_t capacity;
    uint64_t unit;
};

static void free_tree(struct tree *tree)
{
    memory_free(tree->node);
}

static uint32_t add_node(struct tree *tree, enum node_kind kind, uint32_t child, uint64_t bytes)
{
    tree->node[tree->count] =
        (struct node){.kind = kind, .child = child, .next = NO_NODE, .bytes = bytes};
    return tree->count++;
}

static uint32_t add_leaf(struct tree *tree, uint32_t buffer, uint64_t bytes)
{
    uint32_t leaf = add_node(tree, BUFFER, NO_NODE, bytes);
    tree->node[leaf].buffer = buffer;
    return leaf;
}

/* A spatial node of the left one and of bytes beside it, each in a temporal node of its own. */
static uint32_t add_beside(struct tree *tree, uint32_t left, uint64_t bytes)
{
    uint32_t right = add_node(tree, TEMPORAL, add_node(tree, EMPTY, NO_NODE, bytes), bytes);
    tree->node[left].next = NO_NODE;
    left = add_node(tree, TEMPORAL, left, tree->node[left].bytes);
    tree->node[left].next = right;
    return add_node(tree, SPATIAL, left, align_up(tree->node[left].bytes, tree->unit) + bytes);
}

static bool meets(const struct tree *tree, uint32_t index, uint32_t buffer)
{
    const struct node *node = &tree->node[index];
    if (node->kind == BUFFER)
        return problem_lower(tree->problem, node->buffer) < problem_upper(tree->problem, buffer) &&
               problem_lower(tree->problem, buffer) < problem_upper(tree->problem, node->buffer);
    bool found = false;
    for (uint32_t c = node->child; c != NO_NODE && !found; c = tree->node[c].next)
        found = meets(tree, c, buffer);
    return found;
}

/* Puts a buffer that meets no child of a temporal node into it. A larger one makes all children as
   large as it. */
static void add_child(struct tree *tree, uint32_t index, uint32_t buffer, uint64_t bytes)
{
    uint64_t before = tree->node[index].bytes;
    uint32_t added = add_leaf(tree, buffer, bytes);
    if (bytes < before) {
        added = add_beside(tree, added, before - bytes);
    } else if (bytes > before) {
        uint32_t *link = &tree->node[index].child;
        while (*link != NO_NODE) {
            uint32_t child = *link, next = tree->node[child].next;
            *link = add_beside(tree, child, bytes - before);
            tree->node[*link].next = next;
            link = &tree->node[*link].next;
        }
    }
    tree->node[added].next = tree->node[index].child;
    tree->node[index].child = added;
}

static bool allocate(struct tree *tree, uint32_t index, uint32_t buffer, uint64_t bytes,
                     bool may_grow)
{
    struct node *node = &tree->node[index];
    if (node->kind == SPATIAL)
        return allocate(tree, node->child, buffer, bytes, false) ||
               allocate(tree, tree->node[node->child].next, buffer, bytes, may_grow);
    if (node->kind != TEMPORAL || (bytes > node->bytes && !may_grow))
        return false;
    uint32_t met = NO_NODE;
    for (uint32_t c = node->child; c != NO_NODE; c = tree->node[c].next)
        if (meets(tree, c, buffer)) {
            if (met != NO_NODE)
                return false;
            met = c;
        }
    if (met != NO_NODE)
        return allocate(tree, met, buffer, bytes, may_grow);
    add_child(tree, index, buffer, bytes);
    return true;
}

/* The bytes of all nodes for sizes size[buffers]; of empty ones what they stand for, or 0. */
static uint64_t measure(struct tree *tree, uint32_t index, const uint64_t *size, bool with_empty)
{
    struct node *node = &tree->node[index];
    if (node->kind == BUFFER)
        return node->bytes = size[node->buffer];
    if (node->kind == EMPTY)
        return with_empty ? node->bytes : (node->bytes = 0);
    uint64_t bytes = measure(tree, node->child, size, with_empty);
    for (uint32_t c = tree->node[node->child].next; c != NO_NODE; c = tree->node[c].next) {
        uint64_t other = measure(tree, c, size, with_empty);
        bytes = node->kind == SPATIAL ? align_up(bytes, tree->unit) + other
                : other > bytes       ? other
                                      : bytes;
    }
    return node->bytes = bytes;
}

static void place(const struct tree *tree, uint32_t index, uint64_t begin, uint64_t *offset)
{
    const struct node *node = &tree->node[index];
    if (node->kind == BUFFER)
        offset[node->buffer] = begin;
    for (uint32_t c = node->child; c != NO_NODE; c = tree->node[c].next) {
        place(tree, c, begin, offset);
        if (node->kind == SPATIAL)
            begin += align_up(tree->node[c].bytes, tree->unit);
    }
}

static uint64_t get_span(const void *context, uint32_t buffer)
{
    return problem_upper(context, buffer) - problem_lower(context, buffer);
}

enum status size_rules_inductor(const struct size_rule_task *task, uint64_t *offset,
                                uint64_t *peak_bytes, struct error *error)
{
    enum { ALIGNMENT = 64, MOST_TIMES_NODES = 4, MORE_NODES = 8 };
    const struct problem *problem = task->family->problem;
    SCOPED(free_tree) struct tree tree = {.problem = problem};
    SCOPED(scratch_free) struct scratch scratch = {0};
    uint64_t sum = 0, bytes;
    uint32_t *sorted;
    TRY(size_rules_find_unit(problem, ALIGNMENT, &tree.unit, error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint64_t larger = task->hint[b] > task->size[b] ? task->hint[b] : task->size[b];
        if (!checked_align(larger, tree.unit, &bytes) || !checked_add(sum, bytes, &sum) ||
            sum > INT64_MAX)
            return size_rules_fail_full(error);
    }
    TRY(scratch_take(&scratch, &sorted, problem->buffers, sizeof *sorted, error));
    TRY(sort_by_keys(
        (const struct sort_key[SORT_MOST_KEYS]){{.descending = true, SORT_ARRAY(task->hint)},
                                                {.descending = true, .value = get_span}},
        problem, problem->buffers, sorted, error));
    for (uint32_t i = 0; i < problem->buffers; i++) {
        uint32_t b = sorted[i];
        /* What one buffer adds at most, where all children of a node become wider. */
        TRY(memory_reserve(&tree.node, &tree.capacity,
                           (size_t)tree.count * MOST_TIMES_NODES + MORE_NODES, sizeof *tree.node,
                           error));
        if (!i) {
            tree.root = add_node(&tree, TEMPORAL, add_leaf(&tree, b, task->hint[b]), 0);
        } else if (!allocate(&tree, tree.root, b, task->hint[b], true)) {
            uint32_t right = add_node(&tree, TEMPORAL, add_leaf(&tree, b, task->hint[b]), 0);
            tree.node[tree.root].next = right;
            tree.root = add_node(&tree, TEMPORAL, add_node(&tree, SPATIAL, tree.root, 0), 0);
        }
        measure(&tree, tree.root, task->hint, true);
    }
    *peak_bytes = measure(&tree, tree.root, task->size, false);
    place(&tree, tree.root, 0, offset);
    return STATUS_OK;
}
