#include "solvers/order_exact/bounds/cut.h"

#include <assert.h>
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

/* Adds the arcs of a tensor. */
static enum status add_tensor(struct order_cut *cut, uint32_t t, struct error *error)
{
    const struct order_view *view = cut->model->view;
    const struct order_lists *readers = &view->readers;
    uint32_t producer =
        view->producer[t] == ORDER_NONE ? FLOW_SOURCE : cut->vertex[view->producer[t]];
    bool between = false, beyond = view->kept[t];
    for (uint32_t i = readers->start[t]; i < readers->start[t + 1]; i++) {
        between |= cut->vertex[readers->item[i]] >= FIRST_VERTEX;
        beyond |= cut->vertex[readers->item[i]] == FLOW_SINK;
    }
    if (producer == FLOW_SINK || !view->bytes[t] || !(between || beyond))
        return STATUS_OK;
    /* A reader beyond the greater downset has not run in any downset of the interval, so that the
       tensor is live in each one in which it is produced; a kept tensor is the same. One that is
       live in all downsets needs no arcs. */
    if (beyond && producer == FLOW_SOURCE) {
        cut->always_bytes += view->bytes[t];
        return STATUS_OK;
    }
    if (beyond)
        return flow_add_arc(&cut->flow, producer, FLOW_SINK, view->bytes[t], error);
    uint32_t vertex = cut->vertices++;
    assert(vertex < cut->flow.vertices);
    TRY(flow_add_arc(&cut->flow, producer, vertex, view->bytes[t], error));
    for (uint32_t i = readers->start[t]; i < readers->start[t + 1]; i++)
        if (cut->vertex[readers->item[i]] >= FIRST_VERTEX)
            TRY(flow_add_arc(&cut->flow, vertex, cut->vertex[readers->item[i]], FLOW_UNLIMITED,
                             error));
    return STATUS_OK;
}

void order_cut_take_side(struct order_cut *cut, const struct order_interval *interval,
                         uint64_t *set)
{
    memcpy(set, interval->least, cut->model->words * sizeof *set);
    assert(cut->vertices >= FIRST_VERTEX && cut->vertices <= cut->flow.vertices);
    flow_find_sides(&cut->flow);
    for (uint32_t v = 0; v < cut->model->operators; v++)
        if (cut->vertex[v] >= FIRST_VERTEX && flow_is_beside_source(&cut->flow, cut->vertex[v]))
            order_set_add(set, v);
}

enum status order_cut_open(struct order_cut *cut, const struct order_interval *interval,
                           uint32_t more_vertices, struct error *error)
{
    const struct order_view *view = cut->model->view;
    const struct order_lists *before = &view->predecessors;
    cut->always_bytes = 0;
    cut->vertices = FIRST_VERTEX;
    for (uint32_t v = 0; v < view->operators; v++)
        if (order_set_has(interval->least, v))
            cut->vertex[v] = FLOW_SOURCE;
        else
            cut->vertex[v] = order_set_has(interval->most, v) ? cut->vertices++ : FLOW_SINK;
    assert(cut->vertices <= view->operators + FIRST_VERTEX);
    TRY(flow_start(&cut->flow, cut->vertices + view->tensors + more_vertices, error));
    for (uint32_t t = 0; t < view->tensors; t++)
        TRY(add_tensor(cut, t, error));
    for (uint32_t v = 0; v < view->operators; v++) {
        if (cut->vertex[v] < FIRST_VERTEX)
            continue;
        for (uint32_t i = before->start[v]; i < before->start[v + 1]; i++)
            if (cut->vertex[before->item[i]] >= FIRST_VERTEX)
                TRY(flow_add_arc(&cut->flow, cut->vertex[v], cut->vertex[before->item[i]],
                                 FLOW_UNLIMITED, error));
    }
    return STATUS_OK;
}

enum status order_cut_find(struct order_cut *cut, const struct order_interval *interval,
                           uint64_t limit_bytes, uint64_t *live_bytes, uint64_t *set,
                           struct error *error)
{
    TRY(order_cut_open(cut, interval, 0, error));
    assert(cut->vertices <= cut->flow.vertices);
    *live_bytes = cut->always_bytes;
    if (*live_bytes < limit_bytes)
        *live_bytes += flow_run(&cut->flow, limit_bytes - *live_bytes);
    assert(*live_bytes >= cut->always_bytes);
    if (set && *live_bytes < limit_bytes)
        order_cut_take_side(cut, interval, set);
    return STATUS_OK;
}

enum status order_cut_bound(const struct order_model *model, uint64_t deadline_ns,
                            uint64_t *bound_bytes, struct error *error)
{
    SCOPED(order_cut_free) struct order_cut cut = {.model = model};
    SCOPED(memory_release) uint64_t *most = NULL;
    TRY(order_cut_create(model, &cut, error));
    TRY(memory_create(&most, model->words, sizeof *most, error));
    for (uint32_t v = 0; v < model->operators && clock_left_ns(deadline_ns); v++) {
        /* While v runs all its ancestors have run, and neither v nor its descendants have. */
        const uint64_t *after = order_model_descendants(model, v);
        const struct order_interval interval = {order_model_ancestors(model, v), most};
        uint64_t live, own = order_model_own_bytes(model, v);
        for (uint32_t w = 0; w < model->words; w++)
            most[w] = ~after[w];
        order_set_remove(most, v);
        assert(!order_set_has(interval.least, v));
        TRY(order_cut_find(&cut, &interval, FLOW_UNLIMITED, &live, NULL, error));
        if (live + own > *bound_bytes)
            *bound_bytes = live + own;
    }
    return STATUS_OK;
}
