#include "solvers/order_exact/pivot_cut.h"

#include <string.h>

#include "core/memory.h"

enum { FIRST_OPERATOR = 2 }; /* its vertex; the two ends come first */

#define NO_GATE UINT32_MAX

void order_pivot_cut_free(struct order_pivot_cut *cut)
{
    flow_free(&cut->flow);
    memory_free(cut->tie);
    *cut = (struct order_pivot_cut){0};
}

static enum status add_readers(struct order_pivot_cut *cut, uint32_t t, uint32_t vertex,
                               struct error *error)
{
    const struct order_lists *readers = &cut->model->view->readers;
    for (uint32_t i = readers->start[t]; i < readers->start[t + 1]; i++)
        TRY(flow_add_arc(&cut->flow, vertex, FIRST_OPERATOR + readers->item[i], FLOW_UNLIMITED,
                         error));
    return STATUS_OK;
}

/* A tensor is cut where its producer is on the source's side and some reader is not. */
static enum status add_tensor(struct order_pivot_cut *cut, uint32_t t, uint32_t *vertices,
                              struct error *error)
{
    const struct order_view *view = cut->model->view;
    uint64_t bytes = view->bytes[t];
    uint32_t readers = order_lists_count(&view->readers, t), producer = FLOW_SOURCE;
    if (view->producer[t] != ORDER_NONE)
        producer = FIRST_OPERATOR + view->producer[t];
    if (!bytes || !(readers || view->kept[t]))
        return STATUS_OK;
    if (view->kept[t]) {
        if (producer == FLOW_SOURCE)
            cut->always_bytes += bytes;
        else
            TRY(flow_add_arc(&cut->flow, producer, FLOW_SINK, bytes, error));
        return STATUS_OK;
    }
    if (readers == 1)
        return flow_add_arc(&cut->flow, producer,
                            FIRST_OPERATOR + *order_lists_begin(&view->readers, t), bytes, error);
    TRY(flow_add_arc(&cut->flow, producer, *vertices, bytes, error));
    return add_readers(cut, t, (*vertices)++, error);
}

/* Whoever is on the source's side takes its predecessors along. */
static enum status add_edges(struct order_pivot_cut *cut, uint32_t op, uint32_t vertex,
                             struct error *error)
{
    const struct order_lists *before = &cut->model->view->predecessors;
    for (uint32_t i = before->start[op]; i < before->start[op + 1]; i++)
        TRY(flow_add_arc(&cut->flow, vertex, FIRST_OPERATOR + before->item[i], FLOW_UNLIMITED,
                         error));
    return STATUS_OK;
}

/* A gate stands for a pivot that waits: it has the same predecessors, and nobody waits for it. */
static enum status add_ties(struct order_pivot_cut *cut, uint32_t *vertices, struct error *error)
{
    for (uint32_t i = 0; i < cut->pivots; i++) {
        uint32_t gate = (*vertices)++;
        TRY(flow_add_tie(&cut->flow, FIRST_OPERATOR + cut->pivot[i], &cut->tie[i], error));
        TRY(flow_add_tie(&cut->flow, gate, &cut->tie[cut->pivots + i], error));
        TRY(add_edges(cut, cut->pivot[i], gate, error));
    }
    return STATUS_OK;
}

enum status order_pivot_cut_start(struct order_pivot_cut *cut, const struct order_model *model,
                                  const uint32_t *pivot, uint32_t pivots, struct error *error)
{
    uint32_t vertices = FIRST_OPERATOR + model->operators;
    cut->model = model;
    cut->pivot = pivot;
    cut->pivots = pivots;
    cut->always_bytes = cut->flow_bytes = 0;
    TRY(memory_reserve(&cut->tie, &cut->tie_capacity, 2 * (size_t)pivots, sizeof *cut->tie, error));
    TRY(flow_start(&cut->flow, vertices + model->view->tensors + pivots, error));
    for (uint32_t t = 0; t < model->view->tensors; t++)
        TRY(add_tensor(cut, t, &vertices, error));
    for (uint32_t v = 0; v < model->operators; v++)
        TRY(add_edges(cut, v, FIRST_OPERATOR + v, error));
    return add_ties(cut, &vertices, error);
}

static uint64_t ask(struct order_pivot_cut *cut, const uint64_t *set, uint32_t open_gate)
{
    for (uint32_t i = 0; i < cut->pivots; i++) {
        bool ran = order_set_has(set, cut->pivot[i]);
        cut->flow_bytes -= flow_turn_tie(&cut->flow, cut->tie[i], ran ? FLOW_SOURCE : FLOW_SINK);
        cut->flow_bytes -= flow_turn_tie(&cut->flow, cut->tie[cut->pivots + i],
                                         i == open_gate ? FLOW_SOURCE : FLOW_SINK);
    }
    cut->flow_bytes += flow_run(&cut->flow, FLOW_UNLIMITED);
    return cut->always_bytes + cut->flow_bytes;
}

uint64_t order_pivot_cut_live(struct order_pivot_cut *cut, const uint64_t *set)
{
    return ask(cut, set, NO_GATE);
}

uint64_t order_pivot_cut_before(struct order_pivot_cut *cut, const uint64_t *set, uint32_t pivot)
{
    return ask(cut, set, pivot);
}

void order_pivot_cut_downset(struct order_pivot_cut *cut, uint64_t *downset)
{
    memset(downset, 0, cut->model->words * sizeof *downset);
    flow_find_sides(&cut->flow);
    for (uint32_t v = 0; v < cut->model->operators; v++)
        if (flow_is_beside_source(&cut->flow, FIRST_OPERATOR + v))
            order_set_add(downset, v);
}
