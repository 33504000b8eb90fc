#include "ordering/common/post_order.h"

#include <stdlib.h>

#include "core/memory.h"

enum status post_order_create(struct post_order *walk, const struct order_lists *next,
                              uint32_t *emitted, struct error *error)
{
    enum status status;
    *walk = (struct post_order){.next = next, .emitted = emitted};
    TRY_OR_DONE(status, memory_create(&walk->stack, next->rows, sizeof *walk->stack, error));
    TRY_OR_DONE(status, memory_create(&walk->at, next->rows, sizeof *walk->at, error));
    TRY_OR_DONE(status, memory_create(&walk->seen, next->rows, sizeof *walk->seen, error));
    return STATUS_OK;
done:
    post_order_free(walk);
    return status;
}

void post_order_free(struct post_order *walk)
{
    memory_free(walk->stack);
    memory_free(walk->at);
    memory_free(walk->seen);
}

static void enter(struct post_order *walk, uint32_t *depth, uint32_t op)
{
    if (walk->seen[op])
        return;
    walk->seen[op] = true;
    walk->at[*depth] = walk->next->start[op];
    walk->stack[(*depth)++] = op;
}

void post_order_visit(struct post_order *walk, uint32_t root)
{
    uint32_t depth = 0;
    enter(walk, &depth, root);
    while (depth > 0) {
        uint32_t op = walk->stack[depth - 1], *at = &walk->at[depth - 1];
        if (*at < walk->next->start[op + 1]) {
            enter(walk, &depth, walk->next->item[(*at)++]);
            continue;
        }
        walk->emitted[walk->count++] = op;
        depth--;
    }
}

enum status post_order_rank(const struct order_view *view, const uint32_t *rank,
                            struct order_lists *ranked, struct error *error)
{
    struct order_lists followers = {0}, turned = {0};
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < view->operators && !status; i++) {
        for (const uint32_t *s = order_lists_begin(&view->successors, rank[i]);
             s < order_lists_end(&view->successors, rank[i]) && !status; s++)
            status = order_lists_add(&followers, *s, error);
        if (!status)
            status = order_lists_close_row(&followers, error);
    }
    if (!status)
        status = order_lists_turn(&followers, view->operators, &turned, error);
    if (!status)
        for (uint32_t i = 0; i < turned.start[view->operators]; i++)
            turned.item[i] = rank[turned.item[i]];
    order_lists_free(&followers);
    if (status)
        order_lists_free(&turned);
    else
        *ranked = turned;
    return status;
}

struct operand {
    int64_t gain;
    uint32_t position, op;
};

static int compare_operands(const void *a, const void *b)
{
    const struct operand *first = a, *second = b;
    if (first->gain != second->gain)
        return first->gain > second->gain ? -1 : 1;
    return (first->position > second->position) - (first->position < second->position);
}

struct listed {
    const uint32_t *op; /* [count] */
    uint32_t count;
};

static void rank_listed(struct listed listed, const int64_t *gain, struct operand *operand)
{
    for (uint32_t i = 0; i < listed.count; i++)
        operand[i] = (struct operand){gain ? gain[listed.op[i]] : 0, i, listed.op[i]};
    if (listed.count > 1)
        qsort(operand, listed.count, sizeof *operand, compare_operands);
}

static enum status add_row(const struct operand *operand, uint32_t count,
                           struct order_lists *ranked, struct error *error)
{
    for (uint32_t i = 0; i < count; i++)
        TRY(order_lists_add(ranked, operand[i].op, error));
    return order_lists_close_row(ranked, error);
}

/* Fills *ranked, the predecessors of each operator in the order of post_order_by_gain. */
static enum status rank_operands(const struct order_view *view, const int64_t *gain,
                                 const bool *as_listed, struct order_lists *ranked,
                                 struct error *error)
{
    struct operand *operand;
    enum status status = STATUS_OK;
    TRY(memory_create(&operand, view->operators, sizeof *operand, error));
    for (uint32_t v = 0; v < view->operators && !status; v++) {
        uint32_t count = order_lists_count(&view->predecessors, v);
        rank_listed((struct listed){order_lists_begin(&view->predecessors, v), count},
                    as_listed && as_listed[v] ? NULL : gain, operand);
        status = add_row(operand, count, ranked, error);
    }
    memory_free(operand);
    return status;
}

enum status post_order_by_gain(const struct order_view *view, const int64_t *gain,
                               const bool *as_listed, uint32_t *permutation, struct error *error)
{
    struct order_lists ranked = {0};
    struct post_order walk = {0};
    enum status status;
    TRY_OR_DONE(status, rank_operands(view, gain, as_listed, &ranked, error));
    TRY_OR_DONE(status, post_order_create(&walk, &ranked, permutation, error));
    for (uint32_t v = 0; v < view->operators; v++)
        if (!order_lists_count(&view->successors, v))
            post_order_visit(&walk, v);
    post_order_free(&walk);
done:
    order_lists_free(&ranked);
    return status;
}
