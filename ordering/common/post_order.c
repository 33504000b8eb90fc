#include "ordering/common/post_order.h"

#include <stdlib.h>

#include "core/compare.h"

enum status post_order_create(struct post_order *walk, const struct order_lists *next,
                              uint32_t *emitted, struct scratch *scratch, struct error *error)
{
    *walk = (struct post_order){.next = next, .emitted = emitted};
    TRY(scratch_take_all(scratch, next->rows, error, &walk->stack, &walk->at));
    return scratch_take(scratch, &walk->seen, next->rows, sizeof *walk->seen, error);
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

void post_order_visit_ends(struct post_order *walk, const struct order_view *view)
{
    for (uint32_t v = 0; v < view->operators; v++)
        if (!order_lists_count(&view->successors, v))
            post_order_visit(walk, v);
}

enum status post_order_rank(const struct order_view *view, const uint32_t *rank,
                            struct order_lists *ranked, struct scratch *scratch,
                            struct error *error)
{
    const struct order_lists *after = &view->successors;
    uint32_t *filled;
    *ranked = view->predecessors;
    TRY(scratch_take(scratch, &ranked->item, ranked->start[view->operators], sizeof(uint32_t),
                     error));
    TRY(scratch_take(scratch, &filled, view->operators, sizeof *filled, error));
    for (uint32_t i = 0; i < view->operators; i++)
        for (const uint32_t *s = order_lists_begin(after, rank[i]);
             s < order_lists_end(after, rank[i]); s++)
            ranked->item[ranked->start[*s] + filled[*s]++] = rank[i];
    return STATUS_OK;
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
    return compare_numbers(first->position, second->position);
}

enum status post_order_by_gain(const struct order_view *view, const int64_t *gain,
                               const bool *as_listed, uint32_t *permutation,
                               struct scratch *scratch, struct error *error)
{
    const struct order_lists *before = &view->predecessors;
    struct order_lists ranked = *before;
    struct operand *operand;
    struct post_order walk;
    TRY(scratch_take(scratch, &ranked.item, before->start[view->operators], sizeof(uint32_t),
                     error));
    TRY(scratch_take(scratch, &operand, view->operators, sizeof *operand, error));
    for (uint32_t v = 0; v < view->operators; v++) {
        uint32_t first = before->start[v], count = order_lists_count(before, v);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t op = before->item[first + i];
            operand[i] = (struct operand){as_listed && as_listed[v] ? 0 : gain[op], i, op};
        }
        qsort(operand, count, sizeof *operand, compare_operands);
        for (uint32_t i = 0; i < count; i++)
            ranked.item[first + i] = operand[i].op;
    }
    TRY(post_order_create(&walk, &ranked, permutation, scratch, error));
    post_order_visit_ends(&walk, view);
    return STATUS_OK;
}
