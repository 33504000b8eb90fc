#include "solvers/order_exact/model/cut.h"

#include <string.h>

#include "core/clock.h"
#include "core/memory.h"

enum { FIRST_VERTEX = 2 };

enum status order_cut_create(const struct order_model *model, struct order_cut *cut,
                             struct error *error)
{
    *cut = (struct order_cut){.model = model};
    return memory_create(&cut->vertex, model->operators, sizeof(uint32_t), error);
}

void order_cut_free(struct order_cut *cut)
{
    flow_free(&cut->flow);
    memory_free(cut->vertex);
    *cut = (struct order_cut){0};
}

static void number_vertices(struct order_cut *cut, const struct order_interval *interval)
{
    cut->vertices = FIRST_VERTEX;
    for (uint32_t v = 0; v < cut->model->operators; v++)
        if (order_set_has(interval->least, v))
            cut->vertex[v] = FLOW_SOURCE;
        else
            cut->vertex[v] = order_set_has(interval->most, v) ? cut->vertices++ : FLOW_SINK;
}

/* Where a tensor is relative to an interval: its producer, and whether it has readers between the
   two downsets, and beyond the greater one. A reader beyond has not run in any downset of the
   interval, so that the tensor is live in each one in which it is produced; a kept tensor is the
   same. */
struct tensor_ends {
    uint32_t producer; /* vertex */
    bool between, beyond;
};

static struct tensor_ends find_ends(const struct order_cut *cut, uint32_t t)
{
    const struct order_view *view = cut->model->view;
    struct tensor_ends ends = {
        .producer = view->producer[t] == ORDER_NONE ? FLOW_SOURCE : cut->vertex[view->producer[t]],
        .beyond = view->kept[t]};
    for (uint32_t i = view->readers.start[t]; i < view->readers.start[t + 1]; i++) {
        uint32_t reader = cut->vertex[view->readers.item[i]];
        ends.between |= reader >= FIRST_VERTEX;
        ends.beyond |= reader == FLOW_SINK;
    }
    return ends;
}

static enum status add_readers(struct order_cut *cut, uint32_t t, uint32_t vertex,
                               struct error *error)
{
    const struct order_lists *readers = &cut->model->view->readers;
    for (uint32_t i = readers->start[t]; i < readers->start[t + 1]; i++) {
        uint32_t reader = cut->vertex[readers->item[i]];
        if (reader >= FIRST_VERTEX)
            TRY(flow_add_arc(&cut->flow, vertex, reader, FLOW_UNLIMITED, error));
    }
    return STATUS_OK;
}

/* Adds the arcs of a tensor. One that is live in all downsets of the interval needs none; its bytes
   are counted in always_bytes. */
static enum status add_tensor(struct order_cut *cut, uint32_t t, struct error *error)
{
    uint64_t bytes = cut->model->view->bytes[t];
    struct tensor_ends ends = find_ends(cut, t);
    if (ends.producer == FLOW_SINK || !bytes || !(ends.between || ends.beyond))
        return STATUS_OK;
    if (ends.beyond) {
        if (ends.producer == FLOW_SOURCE)
            cut->always_bytes += bytes;
        else
            TRY(flow_add_arc(&cut->flow, ends.producer, FLOW_SINK, bytes, error));
        return STATUS_OK;
    }
    TRY(flow_add_arc(&cut->flow, ends.producer, cut->vertices, bytes, error));
    return add_readers(cut, t, cut->vertices++, error);
}

static enum status add_edges(struct order_cut *cut, struct error *error)
{
    const struct order_lists *before = &cut->model->view->predecessors;
    for (uint32_t v = 0; v < cut->model->operators; v++) {
        if (cut->vertex[v] < FIRST_VERTEX)
            continue;
        for (uint32_t i = before->start[v]; i < before->start[v + 1]; i++)
            if (cut->vertex[before->item[i]] >= FIRST_VERTEX)
                TRY(flow_add_arc(&cut->flow, cut->vertex[v], cut->vertex[before->item[i]],
                                 FLOW_UNLIMITED, error));
    }
    return STATUS_OK;
}

void order_cut_take_side(struct order_cut *cut, const struct order_interval *interval,
                         uint64_t *set)
{
    memcpy(set, interval->least, cut->model->words * sizeof *set);
    flow_find_sides(&cut->flow);
    for (uint32_t v = 0; v < cut->model->operators; v++)
        if (cut->vertex[v] >= FIRST_VERTEX && flow_is_beside_source(&cut->flow, cut->vertex[v]))
            order_set_add(set, v);
}

enum status order_cut_open(struct order_cut *cut, const struct order_interval *interval,
                           uint32_t more_vertices, struct error *error)
{
    const struct order_view *view = cut->model->view;
    cut->always_bytes = 0;
    number_vertices(cut, interval);
    TRY(flow_start(&cut->flow, cut->vertices + view->tensors + more_vertices, error));
    for (uint32_t t = 0; t < view->tensors; t++)
        TRY(add_tensor(cut, t, error));
    return add_edges(cut, error);
}

enum status order_cut_find(struct order_cut *cut, const struct order_interval *interval,
                           uint64_t limit_bytes, uint64_t *live_bytes, uint64_t *set,
                           struct error *error)
{
    TRY(order_cut_open(cut, interval, 0, error));
    *live_bytes = cut->always_bytes;
    if (*live_bytes < limit_bytes)
        *live_bytes += flow_run(&cut->flow, limit_bytes - *live_bytes);
    if (set && *live_bytes < limit_bytes)
        order_cut_take_side(cut, interval, set);
    return STATUS_OK;
}

/* Raises the bound to the fewest bytes that are taken while v runs: all its ancestors have run
   then, and neither v nor its descendants have. */
static enum status raise_by(struct order_cut *cut, uint32_t v, uint64_t *most, uint64_t *bound,
                            struct error *error)
{
    const struct order_model *model = cut->model;
    const uint64_t *after = order_model_descendants(model, v);
    uint64_t live, own = order_model_own_bytes(model, v);
    for (uint32_t w = 0; w < model->words; w++)
        most[w] = ~after[w];
    most[v / 64] &= ~(UINT64_C(1) << v % 64);
    const struct order_interval interval = {order_model_ancestors(model, v), most};
    TRY(order_cut_find(cut, &interval, FLOW_UNLIMITED, &live, NULL, error));
    if (live + own > *bound)
        *bound = live + own;
    return STATUS_OK;
}

enum status order_cut_bound(const struct order_model *model, uint64_t deadline_ns,
                            uint64_t *bound_bytes, struct error *error)
{
    struct order_cut cut;
    uint64_t *most = NULL;
    enum status status;
    TRY_OR_DONE(status, order_cut_create(model, &cut, error));
    TRY_OR_DONE(status, memory_create(&most, model->words, sizeof *most, error));
    for (uint32_t v = 0; v < model->operators && !status && clock_left_ns(deadline_ns); v++)
        status = raise_by(&cut, v, most, bound_bytes, error);
done:
    memory_free(most);
    order_cut_free(&cut);
    return status;
}
