#include "solvers/exact/sweep/order_tree.h"

#include <assert.h>
#include <string.h>

#include "core/random.h"

enum { BLOCK_BYTES = 1 << 18 };

void order_pool_free(struct order_pool *pool)
{
    scratch_free(&pool->memory);
    *pool = (struct order_pool){.used = 0};
}

static enum status take_node(struct order_pool *pool, uint32_t children, struct order_node **made,
                             struct error *error)
{
    size_t bytes = sizeof(struct order_node) + children * sizeof(struct order_node *);
    assert(children != 1);
    if (!pool->block || pool->used + bytes > BLOCK_BYTES) {
        TRY(scratch_take(&pool->memory, &pool->block, bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES, 1,
                         error));
        pool->used = 0;
    }
    *made = (struct order_node *)(void *)(pool->block + pool->used);
    pool->used += bytes;
    **made = (struct order_node){.children = children};
    return STATUS_OK;
}

enum status order_tree_leaf(struct order_pool *pool, uint32_t buffer, struct order_node **made,
                            struct error *error)
{
    TRY(take_node(pool, 0, made, error));
    (*made)->buffer = buffer;
    (*made)->leaves = 1;
    return STATUS_OK;
}

/* A node above count >= 1 children; of one child that child. Of two any order is a sequence. */
static enum status join(struct order_pool *pool, struct order_node *const *child, uint32_t count,
                        bool is_sequence, struct order_node **made, struct error *error)
{
    assert(count > 0);
    *made = child[0];
    if (count == 1)
        return STATUS_OK;
    TRY(take_node(pool, count, made, error));
    (*made)->is_sequence = is_sequence && count > 2;
    for (uint32_t i = 0; i < count; i++) {
        (*made)->child[i] = child[i];
        (*made)->leaves += child[i]->leaves;
    }
    return STATUS_OK;
}

enum status order_tree_group(struct order_pool *pool, const uint32_t *buffer, uint32_t count,
                             struct order_node **made, struct error *error)
{
    assert(count > 0);
    if (count == 1)
        return order_tree_leaf(pool, buffer[0], made, error);
    TRY(take_node(pool, count, made, error));
    (*made)->leaves = count;
    for (uint32_t i = 0; i < count; i++)
        TRY(order_tree_leaf(pool, buffer[i], &(*made)->child[i], error));
    return STATUS_OK;
}

enum status order_tree_copy(struct order_pool *pool, const struct order_node *tree,
                            struct order_node **made, struct error *error)
{
    assert(tree->leaves > 0 && (tree->children != 0) == (tree->leaves > 1));
    TRY(take_node(pool, tree->children, made, error));
    (*made)->leaves = tree->leaves;
    (*made)->buffer = tree->buffer;
    (*made)->is_sequence = tree->is_sequence;
    for (uint32_t i = 0; i < tree->children; i++)
        TRY(order_tree_copy(pool, tree->child[i], &(*made)->child[i], error));
    return STATUS_OK;
}

void order_tree_count(struct order_node *tree, const bool *mark)
{
    tree->marked = !tree->children && mark[tree->buffer];
    for (uint32_t i = 0; i < tree->children; i++) {
        order_tree_count(tree->child[i], mark);
        tree->marked += tree->child[i]->marked;
    }
    assert(tree->marked <= tree->leaves);
}

void order_tree_parts(struct order_node *tree, struct order_node **part, uint32_t *parts)
{
    if (tree->marked == tree->leaves)
        part[(*parts)++] = tree;
    else if (tree->marked)
        for (uint32_t i = 0; i < tree->children; i++)
            order_tree_parts(tree->child[i], part, parts);
}

void order_tree_leaves(const struct order_node *tree, uint32_t *buffer)
{
    if (!tree->children)
        *buffer = tree->buffer;
    for (uint32_t i = 0; i < tree->children; i++) {
        order_tree_leaves(tree->child[i], buffer);
        buffer += tree->child[i]->leaves;
    }
}

/* Builds nodes of the children that lie on a stack. */
struct builder {
    struct order_pool *pool;
    struct order_node **stack;
    uint32_t depth;
    struct order_node *replacement;
    struct error *error;
};

enum share { NOTHING, SOME, ALL };

static enum share get_share(const struct order_node *node)
{
    return !node->marked ? NOTHING : node->marked < node->leaves ? SOME : ALL;
}

static void push(struct builder *builder, struct order_node *node)
{
    builder->stack[builder->depth++] = node;
}

/* Pushes a node above all that was pushed since `from`, instead of it. */
static enum status push_joined(struct builder *builder, uint32_t from, bool is_sequence)
{
    struct order_node *made;
    assert(from < builder->depth);
    TRY(join(builder->pool, builder->stack + from, builder->depth - from, is_sequence, &made,
             builder->error));
    builder->depth = from;
    push(builder, made);
    return STATUS_OK;
}

static void reverse(struct builder *builder, uint32_t from)
{
    for (uint32_t to = builder->depth; from + 1 < to; from++) {
        struct order_node *node = builder->stack[from];
        builder->stack[from] = builder->stack[--to];
        builder->stack[to] = node;
    }
}

static void push_unmarked(struct builder *builder, const struct order_node *node)
{
    for (uint32_t i = 0; i < node->children; i++)
        if (!node->child[i]->marked)
            push(builder, node->child[i]);
}

/* Pushes what is unmarked of a node, as a sequence behind which all that is marked of it can lie;
 *possible is set to false where there is none. */
static enum status push_rest(struct builder *builder, struct order_node *node, bool *possible)
{
    uint32_t from = builder->depth, some = 0;
    if (get_share(node) != SOME) {
        if (!node->marked)
            push(builder, node);
        return STATUS_OK;
    }
    if (!node->is_sequence) {
        push_unmarked(builder, node);
        if (builder->depth > from)
            TRY(push_joined(builder, from, false));
        for (uint32_t i = 0; i < node->children; i++)
            if (get_share(node->child[i]) == SOME) {
                *possible = *possible && !some++;
                TRY(push_rest(builder, node->child[i], possible));
            }
        return STATUS_OK;
    }
    struct order_node *const *child = node->child;
    uint32_t last = node->children - 1;
    assert(node->children > 2);
    bool is_turned = get_share(child[0]) > get_share(child[last]);
    enum share before = NOTHING;
    for (uint32_t i = 0; i <= last && *possible; i++) {
        struct order_node *next = child[is_turned ? last - i : i];
        enum share share = get_share(next);
        *possible = share >= before && !(share == SOME && before == SOME);
        TRY(push_rest(builder, next, possible));
        before = share;
    }
    return STATUS_OK;
}

/* Pushes what is unmarked of a node, as a sequence that can lie behind all that is marked of it. */
static enum status push_rest_behind(struct builder *builder, struct order_node *node,
                                    bool *possible)
{
    uint32_t from = builder->depth;
    TRY(push_rest(builder, node, possible));
    reverse(builder, from);
    return STATUS_OK;
}

/* At most two children can have marked and unmarked leaves; these and what is marked become a
   sequence among the others. */
static enum status replace_in_group(struct builder *builder, const struct order_node *node,
                                    bool *possible)
{
    uint32_t from = builder->depth, some = 0;
    assert(!node->is_sequence && node->marked < node->leaves);
    push_unmarked(builder, node);
    uint32_t sequence = builder->depth;
    struct order_node *partial[2] = {NULL, NULL};
    for (uint32_t i = 0; i < node->children; i++)
        if (get_share(node->child[i]) == SOME && some++ < 2)
            partial[some - 1] = node->child[i];
    *possible = some <= 2;
    if (*possible && partial[0])
        TRY(push_rest(builder, partial[0], possible));
    push(builder, builder->replacement);
    if (*possible && partial[1])
        TRY(push_rest_behind(builder, partial[1], possible));
    TRY(push_joined(builder, sequence, true));
    return push_joined(builder, from, false);
}

static enum status replace_in_sequence(struct builder *builder, const struct order_node *node,
                                       bool *possible)
{
    uint32_t from = builder->depth;
    bool begun = false, ended = false;
    assert(node->is_sequence && node->marked < node->leaves);
    for (uint32_t i = 0; i < node->children && *possible; i++) {
        struct order_node *child = node->child[i];
        enum share share = get_share(child);
        *possible = share == NOTHING || !ended;
        if (share == NOTHING || !begun)
            TRY(push_rest(builder, child, possible));
        else if (share == SOME)
            TRY(push_rest_behind(builder, child, possible));
        ended = ended || (begun && share != ALL);
        if (share != NOTHING && !begun) {
            push(builder, builder->replacement);
            begun = true;
        }
    }
    return *possible ? push_joined(builder, from, true) : STATUS_OK;
}

/* Pushes the tree of what is left of a node that has all marked leaves. */
static enum status replace(struct builder *builder, struct order_node *node, bool *possible)
{
    uint32_t from = builder->depth, holders = 0;
    if (get_share(node) == ALL) {
        push(builder, builder->replacement);
        return STATUS_OK;
    }
    for (uint32_t i = 0; i < node->children; i++)
        holders += node->child[i]->marked > 0;
    assert(holders > 0);
    if (holders > 1)
        return node->is_sequence ? replace_in_sequence(builder, node, possible)
                                 : replace_in_group(builder, node, possible);
    for (uint32_t i = 0; i < node->children && *possible; i++)
        if (node->child[i]->marked)
            TRY(replace(builder, node->child[i], possible));
        else
            push(builder, node->child[i]);
    return *possible ? push_joined(builder, from, node->is_sequence) : STATUS_OK;
}

enum status order_tree_replace(struct order_pool *pool, struct order_node *tree,
                               struct order_node *replacement, struct order_node **stack,
                               struct order_node **made, struct error *error)
{
    struct builder builder = {pool, stack, 0, replacement, error};
    bool possible = true;
    assert(tree->marked > 0 && replacement && stack);
    TRY(replace(&builder, tree, &possible));
    *made = possible ? stack[0] : NULL;
    assert(!possible || builder.depth == 1);
    return STATUS_OK;
}

double order_tree_freedom(const struct order_node *tree, const double *log_factorial)
{
    double sum = 0;
    if (tree->children)
        sum = log_factorial[tree->is_sequence ? 2 : tree->children];
    for (uint32_t i = 0; i < tree->children; i++)
        sum += order_tree_freedom(tree->child[i], log_factorial);
    return sum;
}

uint64_t order_tree_digest(const struct order_node *tree)
{
    const uint64_t base = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t any_order = 0, forwards = 0, backwards = 0, power = 1;
    if (!tree->children)
        return random_mix(tree->buffer);
    for (uint32_t i = 0; i < tree->children; i++) {
        uint64_t digest = order_tree_digest(tree->child[i]);
        any_order += random_mix(digest);
        forwards = forwards * base + digest;
        backwards += digest * power;
        power *= base;
    }
    return random_mix(tree->is_sequence ? forwards + backwards : any_order);
}
