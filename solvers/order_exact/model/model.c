#include "solvers/order_exact/model/model.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "core/random.h"

/* Adds the bytes of a tensor to the operators that find it live: those that run while it is needed,
   which are its readers and their ancestors, or all operators if it is kept. An operator that
   follows the producer finds the tensor live in every order, which goes into must_bytes. If either
   may run first, the operator finds the tensor live only if the producer has run, which goes into
   bytes[operators], for the producer's weights; touched lists the operators whose bytes are not 0.
   wanting[words] is scratch. */
static void weigh_tensor(struct order_model *model, uint32_t t, uint64_t *wanting, uint64_t *bytes,
                         uint32_t *touched, uint32_t *count)
{
    const struct order_view *view = model->view;
    const struct order_lists *readers = &view->readers;
    assert(t < view->tensors);
    uint32_t producer = view->producer[t];
    memset(wanting, view->kept[t] ? 0xff : 0, model->words * sizeof *wanting);
    for (uint32_t i = readers->start[t]; i < readers->start[t + 1]; i++) {
        order_set_add(wanting, readers->item[i]);
        order_set_join(wanting, order_model_ancestors(model, readers->item[i]), model->words);
    }
    for (uint32_t v = 0; v < model->operators; v++) {
        if (!wanting[v / 64]) {
            v |= 63;
            continue;
        }
        if (!order_set_has(wanting, v) || v == producer)
            continue;
        if (producer == ORDER_NONE || order_set_has(order_model_descendants(model, producer), v)) {
            model->must_bytes[v] += view->bytes[t];
            assert(model->must_bytes[v] >= view->bytes[t]);
        } else if (!order_set_has(order_model_ancestors(model, producer), v)) {
            if (!bytes[v])
                touched[(*count)++] = v;
            bytes[v] += view->bytes[t];
            assert(bytes[v] >= view->bytes[t] && *count <= model->operators);
        }
    }
}

static enum status weigh_all(struct order_model *model, struct error *error)
{
    const struct order_view *view = model->view;
    const struct order_lists *outputs = &view->outputs;
    SCOPED(scratch_free) struct scratch scratch = {0};
    uint64_t *wanting, *bytes;
    uint32_t *touched, count = 0;
    size_t capacity = 0;
    TRY(scratch_take(&scratch, &wanting, model->words, sizeof *wanting, error));
    TRY(scratch_take_all(&scratch, model->operators, error, &bytes, &touched));
    for (uint32_t t = 0; t < view->tensors; t++)
        if (view->producer[t] == ORDER_NONE && view->bytes[t])
            weigh_tensor(model, t, wanting, bytes, touched, &count);
    assert(!count);
    for (uint32_t v = 0; v < model->operators; v++) {
        uint32_t first = model->first_weight[v];
        for (uint32_t i = outputs->start[v]; i < outputs->start[v + 1]; i++)
            if (view->bytes[outputs->item[i]])
                weigh_tensor(model, outputs->item[i], wanting, bytes, touched, &count);
        TRY(memory_reserve(&model->weight, &capacity, (size_t)first + count, sizeof *model->weight,
                           error));
        for (uint32_t i = 0; i < count; i++) {
            model->weight[first + i] = (struct order_weight){touched[i], bytes[touched[i]]};
            bytes[touched[i]] = 0;
        }
        assert(count <= model->operators);
        model->first_weight[v + 1] = first + count;
        count = 0;
    }
    return STATUS_OK;
}

/* Fills the bytes of a model that have to be live when an operator runs: must_bytes whatever ran
   before, the weights by what ran, most_must_bytes. They are those of the operator alone unless the
   rules have ORDER_MUST_LIVE. The arrays are there and zero, ancestors and descendants are filled.
   O(tensors * operators). */
static enum status fill_must_live(struct order_model *model, struct error *error)
{
    SCOPED(memory_release) uint64_t *bytes = NULL;
    if (model->rules & ORDER_MUST_LIVE)
        TRY(weigh_all(model, error));
    /* The most bytes must be live when an operator runs if everything that adds a weight to it ran
       before. */
    TRY(memory_create(&bytes, model->operators, sizeof *bytes, error));
    for (uint32_t i = 0; i < model->first_weight[model->operators]; i++)
        bytes[model->weight[i].op] += model->weight[i].bytes;
    for (uint32_t v = 0; v < model->operators; v++) {
        model->must_bytes[v] += order_model_own_bytes(model, v);
        assert(model->must_bytes[v] >= order_model_own_bytes(model, v));
        if (bytes[v] + model->must_bytes[v] > model->most_must_bytes)
            model->most_must_bytes = bytes[v] + model->must_bytes[v];
    }
    return STATUS_OK;
}

/* Bytes of the inputs of v that may die when v runs: those that are not kept, and that no operator
   reads after v in every order. */
static uint64_t sum_freeable(const struct order_model *model, uint32_t v)
{
    assert(v < model->operators);
    const struct order_view *view = model->view;
    const uint64_t *after = order_model_descendants(model, v);
    uint64_t bytes = 0;
    for (uint32_t i = view->inputs.start[v]; i < view->inputs.start[v + 1]; i++) {
        uint32_t t = view->inputs.item[i], reader = view->readers.start[t];
        while (reader < view->readers.start[t + 1] &&
               !order_set_has(after, view->readers.item[reader]))
            reader++;
        if (reader == view->readers.start[t + 1] && !view->kept[t])
            bytes += view->bytes[t];
    }
    return bytes;
}

/* True if each successor of v takes at least the bytes that v may free, and has no other
   predecessor that is lazy by ORDER_LAZY, so that a bundle has one order. */
static bool successors_agree(const struct order_model *model, const bool *has_chain, uint32_t v,
                             uint64_t freeable)
{
    assert(v < model->operators);
    const struct order_lists *after = &model->view->successors;
    for (uint32_t i = after->start[v]; i < after->start[v + 1]; i++)
        if (has_chain[after->item[i]] || model->view->alloc_bytes[after->item[i]] < freeable)
            return false;
    return true;
}

/* Fills lazy and lazies. Only an operator that takes nothing but outputs that are read or kept, and
   for which another one waits, may be lazy. Of the lazy ones those that free something come first,
   so that what the others write lives for the shortest time. */
static enum status find_lazy(struct order_model *model, struct error *error)
{
    const struct order_view *view = model->view;
    const struct order_lists *after = &view->successors, *before = &view->predecessors;
    SCOPED(memory_release) bool *has_chain = NULL;
    TRY(memory_create(&has_chain, model->operators, sizeof *has_chain, error));
    for (uint32_t v = 0; v < model->operators && !view->first_bytes; v++) {
        assert(!model->lazy[v] && model->left_bytes[v] <= view->alloc_bytes[v]);
        uint64_t freeable = sum_freeable(model, v);
        if (view->alloc_bytes[v] != model->left_bytes[v] || !order_lists_count(after, v))
            continue;
        if (!freeable) {
            model->lazy[v] = model->rules & ORDER_LAZY_SOURCES;
            continue;
        }
        model->lazy[v] = model->rules & ORDER_LAZY && !model->spares &&
                         model->left_bytes[v] >= freeable &&
                         successors_agree(model, has_chain, v, freeable);
        for (uint32_t i = after->start[v]; model->lazy[v] && i < after->start[v + 1]; i++)
            has_chain[after->item[i]] = true;
    }
    for (uint32_t v = 0; v < model->operators; v++) {
        for (int frees = 1; frees >= 0; frees--)
            for (uint32_t i = before->start[v]; i < before->start[v + 1]; i++) {
                uint32_t p = before->item[i];
                if (model->lazy[p] && (sum_freeable(model, p) > 0) == frees)
                    TRY(order_lists_add(&model->lazies, p, error));
            }
        TRY(order_lists_close_row(&model->lazies, error));
        assert(model->lazies.rows == v + 1);
    }
    return STATUS_OK;
}

static enum status add_base(struct order_model *model, uint32_t *seen, uint32_t v, uint32_t p,
                            struct error *error)
{
    assert(p < v);
    if (seen[p] == v)
        return STATUS_OK;
    seen[p] = v;
    return order_lists_add(&model->base, p, error);
}

/* Fills base, what has to run before an operator's bundle, and above. A lazy predecessor is a part
   of the bundle, so that what it waits for stands instead of it. */
static enum status list_base(struct order_model *model, struct error *error)
{
    const struct order_lists *before = &model->view->predecessors;
    SCOPED(memory_release) uint32_t *seen = NULL; /* [operators] in whose row it is already */
    TRY(memory_create(&seen, model->operators, sizeof *seen, error));
    memset(seen, 0xff, model->operators * sizeof *seen);
    for (uint32_t v = 0; v < model->operators; v++) {
        for (uint32_t i = before->start[v]; i < before->start[v + 1]; i++) {
            uint32_t p = before->item[i];
            assert(p < v);
            if (!model->lazy[p]) {
                TRY(add_base(model, seen, v, p, error));
                continue;
            }
            for (uint32_t k = model->base.start[p]; k < model->base.start[p + 1]; k++)
                TRY(add_base(model, seen, v, model->base.item[k], error));
        }
        TRY(order_lists_close_row(&model->base, error));
    }
    assert(model->base.rows == model->operators);
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
    assert(!model->lazy[v]);
    return order_lists_close_row(bundle, error);
}

/* Fills used_by, most_uses and heads, which tell whose bundles take or leave other bytes once an
   operator ran. */
static enum status relate_bundles(struct order_model *model, struct error *error)
{
    const struct order_lists *inputs = &model->view->inputs;
    SCOPED(order_lists_free) struct order_lists bundles = {0};
    SCOPED(memory_release) uint32_t *uses = NULL; /* [tensors] operators of a bundle that read it */
    TRY(memory_create(&uses, model->view->tensors, sizeof *uses, error));
    for (uint32_t v = 0; v < model->operators; v++)
        TRY(model->lazy[v] ? order_lists_close_row(&bundles, error)
                           : collect_bundle(model, v, &bundles, error));
    for (uint32_t v = 0; v < model->operators; v++) {
        const uint32_t *member = order_lists_begin(&bundles, v),
                       *end = order_lists_end(&bundles, v);
        assert(model->lazy[v] ? member == end : *member == v);
        for (const uint32_t *m = member; m < end; m++)
            for (uint32_t i = inputs->start[*m]; i < inputs->start[*m + 1]; i++) {
                uint32_t t = inputs->item[i];
                order_set_add(model->used_by + (size_t)t * model->words, v);
                if (++uses[t] > model->most_uses[t])
                    model->most_uses[t] = uses[t];
            }
        for (const uint32_t *m = member; m < end; m++)
            for (uint32_t i = inputs->start[*m]; i < inputs->start[*m + 1]; i++)
                uses[inputs->item[i]] = 0;
    }
    assert(bundles.rows == model->operators);
    return order_lists_turn(&bundles, model->operators, &model->heads, error);
}

void order_model_free(struct order_model *model)
{
    if (!model)
        return;
    order_lists_free(&model->heads);
    memory_free(model->weight);
    scratch_free(&model->memory);
    order_lists_free(&model->lazies);
    order_lists_free(&model->base);
    order_lists_free(&model->above);
    memory_free(model);
}

uint64_t order_model_own_bytes(const struct order_model *model, uint32_t op)
{
    const struct order_view *view = model->view;
    assert(op < model->operators && order_view_spared(view, op, NULL) <= view->alloc_bytes[op]);
    return view->alloc_bytes[op] - order_view_spared(view, op, NULL);
}

uint64_t order_model_bound(const struct order_model *model)
{
    const struct order_view *view = model->view;
    uint64_t inputs = 0, outputs = 0, bound;
    for (uint32_t t = 0; t < view->tensors; t++) {
        if (view->producer[t] == ORDER_NONE && order_view_is_needed(view, t))
            inputs += view->bytes[t];
        if (view->kept[t])
            outputs += view->bytes[t];
    }
    inputs += view->first_bytes;
    bound = inputs > outputs ? inputs : outputs;
    for (uint32_t v = 0; v < model->operators; v++)
        if (model->must_bytes[v] > bound)
            bound = model->must_bytes[v];
    return bound;
}

enum { KEY_SEED = 20221122 };

/* Fills ancestors and descendants. One pass each is enough, as each predecessor is stored
   earlier. */
static void relate_operators(struct order_model *model)
{
    const struct order_lists *before = &model->view->predecessors;
    uint32_t words = model->words;
    for (uint32_t v = 0; v < model->operators; v++) {
        uint64_t *set = model->ancestors + (size_t)v * words;
        for (uint32_t i = before->start[v]; i < before->start[v + 1]; i++) {
            assert(before->item[i] < v);
            order_set_add(set, before->item[i]);
            order_set_join(set, order_model_ancestors(model, before->item[i]), words);
        }
    }
    for (uint32_t v = model->operators; v-- > 0;)
        for (uint32_t i = before->start[v]; i < before->start[v + 1]; i++) {
            uint64_t *set = model->descendants + (size_t)before->item[i] * words;
            assert(!order_set_has(order_model_descendants(model, v), before->item[i]));
            order_set_add(set, v);
            order_set_join(set, order_model_descendants(model, v), words);
        }
}

/* True if two lists have the same items, in whatever order. */
static bool same_items(const struct order_lists *lists, uint32_t a, uint32_t b)
{
    assert(a != b);
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

enum status order_model_create(const struct order_view *view, unsigned rules, uint64_t most_bytes,
                               struct order_model **created, struct error *error)
{
    SCOPED(order_model_release) struct order_model *model = NULL;
    struct random_state random = random_seed(KEY_SEED);
    const struct order_lists *outputs = &view->outputs;
    uint32_t n = view->operators, words = (n + 63) / 64;
    size_t set_words = (size_t)n * words, tensor_words = (size_t)view->tensors * words;
    if ((2 * (uint64_t)n + view->tensors) * words > most_bytes / sizeof(uint64_t))
        return error_set(error, STATUS_LIMIT, "%u operators need more memory than there may be", n);
    TRY(memory_create(&model, 1, sizeof *model, error));
    model->view = view;
    model->operators = n;
    model->words = words;
    model->rules = rules;
    model->spares = view->first_spared[n] > 0;
    struct scratch *memory = &model->memory;
    TRY(scratch_take_all(memory, set_words, error, &model->ancestors, &model->descendants));
    TRY(scratch_take(memory, &model->used_by, tensor_words, sizeof(uint64_t), error));
    TRY(scratch_take(memory, &model->most_uses, view->tensors, sizeof(uint32_t), error));
    TRY(scratch_take_all(memory, n, error, &model->lazy, &model->twin, &model->left_bytes,
                         &model->must_bytes, &model->key));
    TRY(scratch_take(memory, &model->first_weight, (size_t)n + 1, sizeof(uint32_t), error));
    assert((size_t)words * 64 >= n);
    relate_operators(model);
    for (uint32_t v = 0; v < n; v++) {
        model->key[v] = random_next(&random);
        for (uint32_t i = outputs->start[v]; i < outputs->start[v + 1]; i++)
            if (order_view_is_needed(view, outputs->item[i]))
                model->left_bytes[v] += view->bytes[outputs->item[i]];
    }
    TRY(find_lazy(model, error));
    TRY(relate_bundles(model, error));
    TRY(list_base(model, error));
    find_twins(model);
    TRY(fill_must_live(model, error));
    HAND_OVER(model, created);
}
