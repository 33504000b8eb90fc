#include "solvers/order_exact/model/must_live.h"

#include <string.h>

#include "core/memory.h"

/* Fills set[words] with the operators that run while the tensor is needed: its readers and their
   ancestors, or all operators if it is kept. */
static void find_wanting(const struct order_model *model, uint32_t t, uint64_t *set)
{
    const struct order_lists *readers = &model->view->readers;
    memset(set, model->view->kept[t] ? 0xff : 0, model->words * sizeof *set);
    for (uint32_t i = readers->start[t]; i < readers->start[t + 1]; i++) {
        order_set_add(set, readers->item[i]);
        order_set_join(set, order_model_ancestors(model, readers->item[i]), model->words);
    }
}

/* While must_bytes and the weights are filled. An operator that runs while a tensor is needed finds
   it live in every order if it follows the producer, which goes into must_bytes. If either may run
   first, it finds it live once the producer ran, which is a weight of the producer. */
struct weighing {
    struct order_model *model;
    uint64_t *wanting; /* [words] */
    uint64_t *bytes;   /* [operators] of the producer's weights */
    uint32_t *touched; /* [count] operators whose bytes are not 0 */
    uint32_t count;
    size_t capacity;
};

static void weigh_tensor(struct weighing *weighing, uint32_t t)
{
    struct order_model *model = weighing->model;
    const struct order_view *view = model->view;
    uint32_t producer = view->producer[t];
    find_wanting(model, t, weighing->wanting);
    for (uint32_t v = 0; v < model->operators; v++) {
        if (!weighing->wanting[v / 64]) {
            v |= 63;
            continue;
        }
        if (!order_set_has(weighing->wanting, v) || v == producer)
            continue;
        if (producer == ORDER_NONE || order_set_has(order_model_descendants(model, producer), v)) {
            model->must_bytes[v] += view->bytes[t];
        } else if (!order_set_has(order_model_ancestors(model, producer), v)) {
            if (!weighing->bytes[v])
                weighing->touched[weighing->count++] = v;
            weighing->bytes[v] += view->bytes[t];
        }
    }
}

static enum status weigh_operator(struct weighing *weighing, uint32_t op, struct error *error)
{
    struct order_model *model = weighing->model;
    const struct order_lists *outputs = &model->view->outputs;
    uint32_t first = model->first_weight[op];
    for (uint32_t i = outputs->start[op]; i < outputs->start[op + 1]; i++)
        if (model->view->bytes[outputs->item[i]])
            weigh_tensor(weighing, outputs->item[i]);
    TRY(memory_reserve(&model->weight, &weighing->capacity, (size_t)first + weighing->count,
                       sizeof *model->weight, error));
    for (uint32_t i = 0; i < weighing->count; i++) {
        uint32_t v = weighing->touched[i];
        model->weight[first + i] = (struct order_weight){v, weighing->bytes[v]};
        weighing->bytes[v] = 0;
    }
    model->first_weight[op + 1] = first + weighing->count;
    weighing->count = 0;
    return STATUS_OK;
}

static enum status weigh_all(struct order_model *model, struct error *error)
{
    const struct order_view *view = model->view;
    struct weighing weighing = {.model = model};
    enum status status;
    TRY_OR_DONE(status, memory_create(&weighing.wanting, model->words, sizeof(uint64_t), error));
    TRY_OR_DONE(status, memory_create(&weighing.bytes, model->operators, sizeof(uint64_t), error));
    TRY_OR_DONE(status,
                memory_create(&weighing.touched, model->operators, sizeof(uint32_t), error));
    for (uint32_t t = 0; t < view->tensors; t++)
        if (view->producer[t] == ORDER_NONE && view->bytes[t])
            weigh_tensor(&weighing, t);
    for (uint32_t v = 0; v < model->operators; v++)
        TRY_OR_DONE(status, weigh_operator(&weighing, v, error));
done:
    memory_free(weighing.wanting);
    memory_free(weighing.bytes);
    memory_free(weighing.touched);
    return status;
}

static void add_own_bytes(struct order_model *model)
{
    for (uint32_t v = 0; v < model->operators; v++)
        model->must_bytes[v] += order_model_own_bytes(model, v);
}

/* Finds most_must_bytes. The most bytes must be live when an operator runs if everything that adds
   a weight to it ran before. */
static enum status sum_weights(struct order_model *model, struct error *error)
{
    uint64_t *bytes;
    TRY(memory_create(&bytes, model->operators, sizeof *bytes, error));
    for (uint32_t i = 0; i < model->first_weight[model->operators]; i++)
        bytes[model->weight[i].op] += model->weight[i].bytes;
    for (uint32_t v = 0; v < model->operators; v++)
        if (bytes[v] + model->must_bytes[v] > model->most_must_bytes)
            model->most_must_bytes = bytes[v] + model->must_bytes[v];
    memory_free(bytes);
    return STATUS_OK;
}

enum status order_must_live_fill(struct order_model *model, struct error *error)
{
    if (model->rules & ORDER_MUST_LIVE)
        TRY(weigh_all(model, error));
    add_own_bytes(model);
    return sum_weights(model, error);
}
