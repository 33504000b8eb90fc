#include "solvers/order_exact/model/build.h"

#include "core/memory.h"
#include "core/random.h"
#include "solvers/order_exact/model/bundles.h"
#include "solvers/order_exact/model/must_live.h"

enum { KEY_SEED = 20221122 };

static uint64_t *row_of(uint64_t *sets, const struct order_model *model, uint32_t op)
{
    return sets + (size_t)op * model->words;
}

/* Fills ancestors and descendants. One pass each is enough, as each predecessor is stored
   earlier. */
static void relate_operators(struct order_model *model)
{
    const struct order_lists *before = &model->view->predecessors;
    for (uint32_t v = 0; v < model->operators; v++) {
        uint64_t *set = row_of(model->ancestors, model, v);
        for (uint32_t i = before->start[v]; i < before->start[v + 1]; i++) {
            order_set_add(set, before->item[i]);
            order_set_join(set, order_model_ancestors(model, before->item[i]), model->words);
        }
    }
    for (uint32_t v = model->operators; v-- > 0;) {
        const uint64_t *set = order_model_descendants(model, v);
        for (uint32_t i = before->start[v]; i < before->start[v + 1]; i++) {
            order_set_add(row_of(model->descendants, model, before->item[i]), v);
            order_set_join(row_of(model->descendants, model, before->item[i]), set, model->words);
        }
    }
}

static void sum_outputs(struct order_model *model)
{
    const struct order_view *view = model->view;
    for (uint32_t v = 0; v < model->operators; v++)
        for (uint32_t i = view->outputs.start[v]; i < view->outputs.start[v + 1]; i++)
            if (order_view_is_needed(view, view->outputs.item[i]))
                model->left_bytes[v] += view->bytes[view->outputs.item[i]];
}

/* True if two lists have the same items, in whatever order. */
static bool same_items(const struct order_lists *lists, uint32_t a, uint32_t b)
{
    uint32_t count = order_lists_count(lists, a);
    if (count != order_lists_count(lists, b))
        return false;
    const uint32_t *first = order_lists_begin(lists, a), *second = order_lists_begin(lists, b);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = 0;
        while (k < count && first[i] != second[k])
            k++;
        if (k == count)
            return false;
    }
    return true;
}

/* Two operators are twins if no load changes when they are exchanged: each has one output, of as
   many bytes and with the same readers, and both have the same inputs and edges. */
static bool are_twins(const struct order_model *model, uint32_t a, uint32_t b)
{
    const struct order_view *view = model->view;
    if (order_lists_count(&view->outputs, a) != 1 || order_lists_count(&view->outputs, b) != 1 ||
        view->alloc_bytes[a] != view->alloc_bytes[b])
        return false;
    uint32_t s = *order_lists_begin(&view->outputs, a), t = *order_lists_begin(&view->outputs, b);
    return view->bytes[s] == view->bytes[t] && view->kept[s] == view->kept[t] &&
           same_items(&view->readers, s, t) && same_items(&view->inputs, a, b) &&
           same_items(&view->predecessors, a, b) && same_items(&view->successors, a, b);
}

/* Finds for each operator the twin that is stored last before it, among the readers of its first
   input. Operators without inputs get none. */
static void find_twins(struct order_model *model)
{
    const struct order_view *view = model->view;
    for (uint32_t v = 0; v < model->operators; v++) {
        model->twin[v] = ORDER_NONE;
        if (!(model->rules & ORDER_TWINS) || model->spares || view->first_bytes || model->lazy[v] ||
            !order_lists_count(&view->inputs, v))
            continue;
        uint32_t input = *order_lists_begin(&view->inputs, v);
        for (const uint32_t *u = order_lists_begin(&view->readers, input);
             u < order_lists_end(&view->readers, input) && *u < v; u++)
            if (!model->lazy[*u] && are_twins(model, *u, v))
                model->twin[v] = *u;
    }
}

static void draw_keys(struct order_model *model)
{
    struct random_state random = random_seed(KEY_SEED);
    for (uint32_t v = 0; v < model->operators; v++)
        model->key[v] = random_next(&random);
}

static enum status fill_model(struct order_model *model, struct error *error)
{
    uint32_t n = model->operators;
    size_t set_words = (size_t)n * model->words;
    TRY(memory_create(&model->ancestors, set_words, sizeof(uint64_t), error));
    TRY(memory_create(&model->descendants, set_words, sizeof(uint64_t), error));
    TRY(memory_create(&model->used_by, (size_t)model->view->tensors * model->words,
                      sizeof(uint64_t), error));
    TRY(memory_create(&model->most_uses, model->view->tensors, sizeof(uint32_t), error));
    TRY(memory_create(&model->lazy, n, sizeof(bool), error));
    TRY(memory_create(&model->twin, n, sizeof(uint32_t), error));
    TRY(memory_create(&model->left_bytes, n, sizeof(uint64_t), error));
    TRY(memory_create(&model->must_bytes, n, sizeof(uint64_t), error));
    TRY(memory_create(&model->first_weight, (size_t)n + 1, sizeof(uint32_t), error));
    TRY(memory_create(&model->key, n, sizeof(uint64_t), error));
    relate_operators(model);
    sum_outputs(model);
    draw_keys(model);
    TRY(order_bundles_fill(model, error));
    find_twins(model);
    return order_must_live_fill(model, error);
}

enum status order_model_create(const struct order_view *view, unsigned rules, uint64_t most_bytes,
                               struct order_model **created, struct error *error)
{
    struct order_model *model;
    uint32_t words = (view->operators + 63) / 64;
    if ((2 * (uint64_t)view->operators + view->tensors) * words > most_bytes / sizeof(uint64_t))
        return error_set(error, STATUS_LIMIT, "%u operators need more memory than there may be",
                         view->operators);
    TRY(memory_create(&model, 1, sizeof *model, error));
    model->view = view;
    model->operators = view->operators;
    model->words = words;
    model->rules = rules;
    model->spares = view->first_spared[view->operators] > 0;
    enum status status = fill_model(model, error);
    if (status)
        order_model_free(model);
    else
        *created = model;
    return status;
}
