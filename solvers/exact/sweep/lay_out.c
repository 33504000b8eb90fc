#include "solvers/exact/sweep/lay_out.h"

#include "solvers/exact/sweep/order_tree.h"

/* The offsets in which the buffers of a node lie. A block is looked at backwards in time: where
   what begins lies is known, so is the place of what ends, but not the order within it, and all of
   it has the offset of the place. */
struct span {
    uint64_t lower, upper;
};

struct layout {
    const struct sweep_pieces *pieces;
    uint64_t *offset;          /* [pieces] */
    bool *mark;                /* [pieces] */
    struct order_node **tree;  /* [blocks + 1] before each block, and after the last one */
    struct order_node **stack; /* for order_tree_replace */
    struct span *span;         /* as the stack */
    uint32_t *leaf;            /* [pieces] */
    struct order_pool pool;
    struct scratch memory;
};

static bool is_above(struct span a, struct span b)
{
    return a.lower != b.lower ? a.lower > b.lower : a.upper > b.upper;
}

static void swap_children(struct order_node *node, struct span *span, uint32_t i, uint32_t j)
{
    struct order_node *child = node->child[i];
    struct span moved = span[i];
    node->child[i] = node->child[j];
    node->child[j] = child;
    span[i] = span[j];
    span[j] = moved;
}

/* Puts the children of all nodes into the order of their offsets, and returns the node's span.
   `span` has room for one entry for each node that is not yet in order. */
static struct span arrange(struct order_node *node, const uint64_t *offset, struct span *span)
{
    uint32_t count = node->children;
    if (!count)
        return (struct span){offset[node->buffer], offset[node->buffer]};
    for (uint32_t i = 0; i < count; i++)
        span[i] = arrange(node->child[i], offset, span + count);
    if (!node->is_sequence) {
        for (uint32_t i = 1; i < count; i++)
            for (uint32_t j = i; j > 0 && is_above(span[j - 1], span[j]); j--)
                swap_children(node, span, j - 1, j);
    } else if (is_above(span[0], span[count - 1])) {
        for (uint32_t i = 0, j = count - 1; i < j; i++, j--)
            swap_children(node, span, i, j);
    }
    struct span whole = {UINT64_MAX, 0};
    assert(count > 1);
    for (uint32_t i = 0; i < count; i++) {
        whole.lower = span[i].lower < whole.lower ? span[i].lower : whole.lower;
        whole.upper = span[i].upper > whole.upper ? span[i].upper : whole.upper;
    }
    assert(whole.lower <= whole.upper);
    return whole;
}

static enum status create_layout(struct layout *layout, uint32_t blocks, struct error *error)
{
    size_t buffers = layout->pieces->count;
    struct scratch *memory = &layout->memory;
    TRY(scratch_take_all(memory, buffers, error, &layout->mark, &layout->leaf));
    TRY(scratch_take_all(memory, 4 * buffers, error, &layout->stack, &layout->span));
    return scratch_take(memory, &layout->tree, (size_t)blocks + 1, sizeof *layout->tree, error);
}

static void set_marks(struct layout *layout, const struct sweep_block *block, bool value)
{
    for (uint32_t i = 0; i < block->endings; i++)
        layout->mark[block->ending[i]] = value;
}

/* The trees before and after each block, in the order of the sweep. */
static enum status build_trees(struct layout *layout, const struct sweep_block *block,
                               uint32_t blocks, struct error *error)
{
    for (uint32_t k = 0; k < blocks; k++) {
        struct order_node *placed;
        TRY(order_tree_group(&layout->pool, block[k].beginning, block[k].beginnings, &placed,
                             error));
        set_marks(layout, &block[k], true);
        order_tree_count(layout->tree[k], layout->mark);
        set_marks(layout, &block[k], false);
        TRY(order_tree_replace(&layout->pool, layout->tree[k], placed, layout->stack,
                               &layout->tree[k + 1], error));
        assert(layout->tree[k + 1]);
    }
    return STATUS_OK;
}

/* Places what ends where what begins lies, in an order of the tree before the block. */
static void place_ending(struct layout *layout, struct order_node *tree,
                         const struct sweep_block *block)
{
    uint64_t *offset = layout->offset, end = UINT64_MAX;
    for (uint32_t i = 0; i < block->beginnings; i++)
        if (offset[block->beginning[i]] < end)
            end = offset[block->beginning[i]];
    assert(end != UINT64_MAX);
    for (uint32_t i = 0; i < block->endings; i++)
        offset[block->ending[i]] = end;
    set_marks(layout, block, true);
    arrange(tree, offset, layout->span);
    order_tree_leaves(tree, layout->leaf);
    for (uint32_t i = 0; i < tree->leaves; i++)
        if (layout->mark[layout->leaf[i]]) {
            offset[layout->leaf[i]] = end;
            end += layout->pieces->size[layout->leaf[i]];
        }
    set_marks(layout, block, false);
}

static enum status lay_out(struct layout *layout, const uint32_t *first, uint32_t firsts,
                           const struct sweep_block *block, uint32_t blocks, struct error *error)
{
    uint64_t end = 0;
    TRY(create_layout(layout, blocks, error));
    TRY(order_tree_group(&layout->pool, first, firsts, &layout->tree[0], error));
    TRY(build_trees(layout, block, blocks, error));
    const struct order_node *last = layout->tree[blocks];
    assert(last->leaves <= layout->pieces->count);
    order_tree_leaves(last, layout->leaf);
    for (uint32_t i = 0; i < last->leaves; i++) {
        layout->offset[layout->leaf[i]] = end;
        end += layout->pieces->size[layout->leaf[i]];
    }
    for (uint32_t k = blocks; k-- > 0;)
        place_ending(layout, layout->tree[k], &block[k]);
    return STATUS_OK;
}

enum status sweep_lay_out(const struct sweep_pieces *pieces, const uint32_t *first, uint32_t firsts,
                          const struct sweep_block *block, uint32_t blocks, uint64_t *offset,
                          struct error *error)
{
    struct layout layout = {.pieces = pieces, .offset = offset};
    assert(firsts > 0 && firsts <= pieces->count && pieces->count > 0);
    enum status status = lay_out(&layout, first, firsts, block, blocks, error);
    order_pool_free(&layout.pool);
    scratch_free(&layout.memory);
    return status;
}
