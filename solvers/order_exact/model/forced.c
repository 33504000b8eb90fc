#include "solvers/order_exact/model/forced.h"

#include <assert.h>

/* True if the bundle of some ready operator other than `op` may contain the member, and adds no
   more than `bytes` as yet, or it is not known what it adds. */
static bool has_head_below(const struct order_cursor *cursor, uint32_t member, uint32_t op,
                           uint64_t bytes)
{
    const struct order_lists *heads = &cursor->model->heads;
    assert(!order_set_has(cursor->ran, member));
    for (uint32_t i = heads->start[member]; i < heads->start[member + 1]; i++) {
        uint32_t head = heads->item[i];
        if (head != op && order_set_has(cursor->ready, head) &&
            (!order_set_has(cursor->fresh, head) || cursor->bundle[head].live_bytes <= bytes))
            return true;
    }
    return false;
}

/* True if, once the member ran, another bundle may be the one that frees an input of the member,
   so that it adds no live bytes any more. */
static bool leaves_last_reader(const struct order_cursor *cursor, uint32_t member, uint32_t op)
{
    const struct order_view *view = cursor->model->view;
    for (uint32_t i = view->inputs.start[member]; i < view->inputs.start[member + 1]; i++) {
        uint32_t t = view->inputs.item[i], left = cursor->unread[t] - 1;
        assert(cursor->unread[t] > 0);
        if (!left || left > cursor->model->most_uses[t])
            continue;
        for (uint32_t k = view->readers.start[t]; k < view->readers.start[t + 1]; k++) {
            uint32_t reader = view->readers.item[k];
            if (!order_set_has(cursor->ran, reader) &&
                has_head_below(cursor, reader, op, view->bytes[t]))
                return true;
        }
    }
    return false;
}

/* True if an operator that waits only for this one may free at least as much as it writes. */
static bool opens_falling(const struct order_cursor *cursor, uint32_t op)
{
    const struct order_model *model = cursor->model;
    const struct order_view *view = model->view;
    for (uint32_t i = model->above.start[op]; i < model->above.start[op + 1]; i++) {
        uint32_t next = model->above.item[i];
        uint64_t freed = 0;
        if (cursor->waiting[next] != 1 || model->lazy[next])
            continue;
        for (uint32_t k = view->inputs.start[next]; k < view->inputs.start[next + 1]; k++)
            if (cursor->unread[view->inputs.item[k]] <= 2)
                freed += view->bytes[view->inputs.item[k]];
        if (freed >= model->left_bytes[next])
            return true;
    }
    return false;
}

static bool may_force(const struct order_cursor *cursor, uint32_t member, uint32_t op)
{
    const struct order_model *model = cursor->model;
    const struct order_lists *lazies = &model->lazies;
    assert(member == op || model->lazy[member]);
    if (leaves_last_reader(cursor, member, op) ||
        (member != op && has_head_below(cursor, member, op, model->left_bytes[member])))
        return true;
    for (uint32_t i = lazies->start[member]; i < lazies->start[member + 1]; i++)
        if (!order_set_has(cursor->ran, lazies->item[i]) && may_force(cursor, lazies->item[i], op))
            return true;
    return false;
}

bool order_forced_may_follow(const struct order_cursor *cursor, uint32_t op)
{
    /* A bundle that adds no live bytes was not forced yet because it took more than the limit,
       which may be different behind the next step. */
    for (uint32_t w = 0; w < cursor->model->words; w++)
        if (cursor->ready[w] & cursor->falling[w])
            return true;
    assert(order_set_has(cursor->ready, op) && !order_set_has(cursor->ran, op));
    return opens_falling(cursor, op) || may_force(cursor, op, op);
}

/* Runs all forced bundles that it meets in one pass over the operators in ascending order; false if
   there were none. */
static bool run_forced(struct order_cursor *cursor, uint64_t limit_bytes, uint64_t *must_live_bytes)
{
    bool any = false;
    for (uint32_t w = 0; w < cursor->model->words; w++)
        for (uint32_t bit = 0; bit < 64; bit++) {
            /* Those that may be forced add no live bytes, or are not known;
               each run changes that. */
            uint64_t left =
                cursor->ready[w] & (cursor->falling[w] | ~cursor->fresh[w]) & ~UINT64_C(0) << bit;
            if (!left)
                break;
            bit = (uint32_t)__builtin_ctzll(left);
            uint32_t op = w * 64 + bit;
            assert(op < cursor->model->operators);
            if (order_cursor_waits_for_twin(cursor, op))
                continue;
            struct order_bundle bundle = order_cursor_try(cursor, op);
            if (bundle.live_bytes > cursor->live_bytes || bundle.most_bytes > limit_bytes)
                continue;
            order_cursor_run(cursor, op, must_live_bytes);
            assert(cursor->live_bytes == bundle.live_bytes);
            any = true;
        }
    return any;
}

/* Nothing is forced to be the first operator where some graph inputs are not read: these are live
   for the first operator only, so that it takes more than it would later. */
void order_forced_run(struct order_cursor *cursor, uint64_t limit_bytes, uint64_t *must_live_bytes)
{
    assert(cursor->count <= cursor->model->operators);
    if (!(cursor->model->rules & ORDER_FORCED) ||
        (!cursor->count && cursor->model->view->first_bytes))
        return;
    while (run_forced(cursor, limit_bytes, must_live_bytes))
        ;
}
