#include "solvers/order_exact/model/bundles.h"

#include <string.h>

#include "core/memory.h"

/* True if some operator reads the tensor after v in every order, or if it is kept. */
static bool is_read_after(const struct order_model *model, uint32_t t, uint32_t v)
{
    const struct order_lists *readers = &model->view->readers;
    const uint64_t *after = order_model_descendants(model, v);
    for (uint32_t i = readers->start[t]; i < readers->start[t + 1]; i++)
        if (order_set_has(after, readers->item[i]))
            return true;
    return model->view->kept[t];
}

/* Bytes of the inputs of v that may die when v runs. */
static uint64_t sum_freeable(const struct order_model *model, uint32_t v)
{
    const struct order_view *view = model->view;
    uint64_t bytes = 0;
    for (uint32_t i = view->inputs.start[v]; i < view->inputs.start[v + 1]; i++)
        if (!is_read_after(model, view->inputs.item[i], v))
            bytes += view->bytes[view->inputs.item[i]];
    return bytes;
}

/* Only such an operator may be lazy: it takes nothing but outputs that are read or kept, and some
   operator waits for it. */
static bool may_wait(const struct order_model *model, uint32_t v)
{
    return model->view->alloc_bytes[v] == model->left_bytes[v] &&
           order_lists_count(&model->view->successors, v) > 0;
}

/* True if each successor of v takes at least the bytes that v may free, and has no other
   predecessor that is lazy by ORDER_LAZY, so that a bundle has one order. */
static bool successors_agree(const struct order_model *model, const bool *has_chain, uint32_t v,
                             uint64_t freeable)
{
    const struct order_lists *after = &model->view->successors;
    for (uint32_t i = after->start[v]; i < after->start[v + 1]; i++)
        if (has_chain[after->item[i]] || model->view->alloc_bytes[after->item[i]] < freeable)
            return false;
    return true;
}

static void mark_chain(const struct order_model *model, bool *has_chain, uint32_t v)
{
    const struct order_lists *after = &model->view->successors;
    for (uint32_t i = after->start[v]; i < after->start[v + 1]; i++)
        has_chain[after->item[i]] = true;
}

static enum status find_lazy(struct order_model *model, struct error *error)
{
    const struct order_view *view = model->view;
    bool *has_chain;
    if (view->first_bytes)
        return STATUS_OK;
    TRY(memory_create(&has_chain, model->operators, sizeof *has_chain, error));
    for (uint32_t v = 0; v < model->operators; v++) {
        uint64_t freeable = sum_freeable(model, v);
        if (!may_wait(model, v))
            continue;
        if (!freeable) {
            model->lazy[v] = model->rules & ORDER_LAZY_SOURCES;
            continue;
        }
        model->lazy[v] = model->rules & ORDER_LAZY && !model->spares &&
                         model->left_bytes[v] >= freeable &&
                         successors_agree(model, has_chain, v, freeable);
        if (model->lazy[v])
            mark_chain(model, has_chain, v);
    }
    memory_free(has_chain);
    return STATUS_OK;
}

/* Fills lazies. Those that free something come first, so that what the others write lives for the
   shortest time. */
static enum status list_lazies(struct order_model *model, struct error *error)
{
    const struct order_lists *before = &model->view->predecessors;
    for (uint32_t v = 0; v < model->operators; v++) {
        for (int frees = 1; frees >= 0; frees--)
            for (uint32_t i = before->start[v]; i < before->start[v + 1]; i++) {
                uint32_t p = before->item[i];
                if (model->lazy[p] && (sum_freeable(model, p) > 0) == frees)
                    TRY(order_lists_add(&model->lazies, p, error));
            }
        TRY(order_lists_close_row(&model->lazies, error));
    }
    return STATUS_OK;
}

static enum status add_base(struct order_model *model, uint32_t *seen, uint32_t v, uint32_t p,
                            struct error *error)
{
    if (seen[p] == v)
        return STATUS_OK;
    seen[p] = v;
    return order_lists_add(&model->base, p, error);
}

/* Fills base, what has to run before an operator's bundle, and above. A lazy predecessor is a part
   of the bundle, so that what it waits for stands instead of it. */
static enum status list_base(struct order_model *model, uint32_t *seen, struct error *error)
{
    const struct order_lists *before = &model->view->predecessors;
    memset(seen, 0xff, model->operators * sizeof *seen);
    for (uint32_t v = 0; v < model->operators; v++) {
        for (uint32_t i = before->start[v]; i < before->start[v + 1]; i++) {
            uint32_t p = before->item[i];
            if (!model->lazy[p]) {
                TRY(add_base(model, seen, v, p, error));
                continue;
            }
            for (uint32_t k = model->base.start[p]; k < model->base.start[p + 1]; k++)
                TRY(add_base(model, seen, v, model->base.item[k], error));
        }
        TRY(order_lists_close_row(&model->base, error));
    }
    return order_lists_turn(&model->base, model->operators, &model->above, error);
}

/* Adds to `bundle` what the bundle of v may hold: its lazy predecessors, theirs, and itself. */
static enum status collect_bundle(const struct order_model *model, uint32_t v,
                                  struct order_lists *bundle, struct error *error)
{
    TRY(order_lists_add(bundle, v, error));
    for (uint32_t i = bundle->start[bundle->rows]; i < bundle->start[bundle->rows + 1]; i++) {
        uint32_t member = bundle->item[i];
        for (const uint32_t *p = order_lists_begin(&model->lazies, member);
             p < order_lists_end(&model->lazies, member); p++)
            if (!order_lists_has(bundle, *p))
                TRY(order_lists_add(bundle, *p, error));
    }
    return order_lists_close_row(bundle, error);
}

/* Notes which tensors the bundle of v may read, and how many of its operators read each.
   uses[tensors] is 0 before and after. */
static void note_uses(struct order_model *model, const struct order_lists *bundles, uint32_t v,
                      uint32_t *uses)
{
    const struct order_lists *inputs = &model->view->inputs;
    for (uint32_t i = bundles->start[v]; i < bundles->start[v + 1]; i++)
        for (const uint32_t *t = order_lists_begin(inputs, bundles->item[i]);
             t < order_lists_end(inputs, bundles->item[i]); t++) {
            order_set_add(model->used_by + (size_t)*t * model->words, v);
            if (++uses[*t] > model->most_uses[*t])
                model->most_uses[*t] = uses[*t];
        }
    for (uint32_t i = bundles->start[v]; i < bundles->start[v + 1]; i++)
        for (const uint32_t *t = order_lists_begin(inputs, bundles->item[i]);
             t < order_lists_end(inputs, bundles->item[i]); t++)
            uses[*t] = 0;
}

/* Fills used_by, most_uses and heads, which tell whose bundles take or leave other bytes once an
   operator ran. */
static enum status relate_bundles(struct order_model *model, struct error *error)
{
    struct order_lists bundles = {0};
    enum status status = STATUS_OK;
    uint32_t *uses;
    TRY(memory_create(&uses, model->view->tensors, sizeof *uses, error));
    for (uint32_t v = 0; v < model->operators && !status; v++)
        status = model->lazy[v] ? order_lists_close_row(&bundles, error)
                                : collect_bundle(model, v, &bundles, error);
    for (uint32_t v = 0; v < model->operators && !status; v++)
        note_uses(model, &bundles, v, uses);
    if (!status)
        status = order_lists_turn(&bundles, model->operators, &model->heads, error);
    order_lists_free(&bundles);
    memory_free(uses);
    return status;
}

enum status order_bundles_fill(struct order_model *model, struct error *error)
{
    uint32_t *seen;
    TRY(find_lazy(model, error));
    TRY(list_lazies(model, error));
    TRY(relate_bundles(model, error));
    TRY(memory_create(&seen, model->operators, sizeof *seen, error));
    enum status status = list_base(model, seen, error);
    memory_free(seen);
    return status;
}
