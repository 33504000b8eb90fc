#include "solvers/order_exact/bounds/pivot_cut.h"

#include <assert.h>
#include <string.h>

enum status order_pivot_cut_create(const struct order_model *model, struct order_pivot_cut *cut,
                                   struct error *error)
{
    uint32_t n = model->operators, words = model->words;
    struct scratch *memory = &cut->memory;
    *cut = (struct order_pivot_cut){.model = model};
    TRY(order_cut_create(model, &cut->cut, error));
    TRY(scratch_take_all(memory, n, error, &cut->pivot, &cut->ready, &cut->tie));
    TRY(scratch_take_all(memory, words, error, &cut->chosen, &cut->least, &cut->most));
    return scratch_take(memory, &cut->gate_tie, n, sizeof(uint32_t), error);
}

void order_pivot_cut_free(struct order_pivot_cut *cut)
{
    order_cut_free(&cut->cut);
    scratch_free(&cut->memory);
    *cut = (struct order_pivot_cut){0};
}

void order_pivot_cut_add(struct order_pivot_cut *cut, uint32_t op)
{
    assert(!order_set_has(cut->chosen, op));
    assert(op < cut->model->operators && cut->pivots < cut->model->operators);
    order_set_add(cut->chosen, op);
    cut->pivot[cut->pivots++] = op;
}

/* Lists the pivots that may run next, and finds what all downsets have in common. A pivot in the
   set has run, and so have its ancestors. A pivot that waits for others has not run, and neither
   have its descendants, whichever pivot runs next. */
static void sort_pivots(struct order_pivot_cut *cut, const uint64_t *set)
{
    const struct order_model *model = cut->model;
    cut->readies = 0;
    memset(cut->least, 0, model->words * sizeof *cut->least);
    memset(cut->most, 0xff, model->words * sizeof *cut->most);
    for (uint32_t i = 0; i < cut->pivots; i++) {
        uint32_t op = cut->pivot[i];
        const uint64_t *before = order_model_ancestors(model, op);
        const uint64_t *after = order_model_descendants(model, op);
        bool ran = order_set_has(set, op), waits = false;
        for (uint32_t w = 0; w < model->words; w++)
            waits |= (before[w] & cut->chosen[w] & ~set[w]) != 0;
        assert(!ran || !waits);
        if (!ran && !waits) {
            cut->ready[cut->readies++] = i;
            continue;
        }
        for (uint32_t w = 0; w < model->words; w++) {
            cut->least[w] |= ran ? before[w] : 0;
            cut->most[w] &= ran ? ~UINT64_C(0) : ~after[w];
        }
        if (ran)
            order_set_add(cut->least, op);
        else
            order_set_remove(cut->most, op);
    }
    /* What follows two pivots that may run next cannot have run either,
       as only one of them runs. */
    for (uint32_t w = 0; w < model->words; w++) {
        uint64_t once = 0;
        for (uint32_t i = 0; i < cut->readies; i++) {
            uint64_t after = order_model_descendants(model, cut->pivot[cut->ready[i]])[w];
            cut->most[w] &= ~(once & after);
            once |= after;
        }
    }
}

static uint64_t run_flow(struct order_pivot_cut *cut)
{
    cut->flow_bytes += flow_run(&cut->cut.flow, FLOW_UNLIMITED);
    return cut->cut.always_bytes + cut->flow_bytes;
}

enum status order_pivot_cut_open(struct order_pivot_cut *cut, const uint64_t *set,
                                 uint64_t *live_bytes, struct error *error)
{
    const struct order_interval interval = {cut->least, cut->most};
    const struct order_lists *before = &cut->model->view->predecessors;
    struct flow *flow = &cut->cut.flow;
    sort_pivots(cut, set);
    TRY(order_cut_open(&cut->cut, &interval, cut->readies, error));
    /* Ties let one network answer for each pivot in turn. The gate of a pivot is one more vertex,
       with the same predecessors and without successors: while it is tied to the source, all that
       the pivot waits for has run. */
    for (uint32_t i = 0; i < cut->readies; i++) {
        uint32_t op = cut->pivot[cut->ready[i]], gate = cut->cut.vertices++;
        assert(gate > FLOW_SINK && gate < flow->vertices);
        TRY(flow_add_tie(flow, cut->cut.vertex[op], &cut->tie[i], error));
        TRY(flow_add_tie(flow, gate, &cut->gate_tie[i], error));
        for (uint32_t k = before->start[op]; k < before->start[op + 1]; k++) {
            uint32_t vertex = cut->cut.vertex[before->item[k]];
            if (vertex != FLOW_SOURCE)
                TRY(flow_add_arc(flow, gate, vertex, FLOW_UNLIMITED, error));
        }
    }
    cut->flow_bytes = 0;
    cut->asked = 0;
    *live_bytes = run_flow(cut);
    return STATUS_OK;
}

static void tie_to(struct order_pivot_cut *cut, uint32_t tie, uint32_t end)
{
    cut->flow_bytes -= flow_turn_tie(&cut->cut.flow, tie, end);
}

uint64_t order_pivot_cut_before(struct order_pivot_cut *cut, uint32_t index)
{
    assert(index < cut->readies && cut->asked < cut->readies);
    tie_to(cut, cut->tie[cut->asked], FLOW_SINK);
    tie_to(cut, cut->gate_tie[cut->asked], FLOW_SINK);
    tie_to(cut, cut->gate_tie[index], FLOW_SOURCE);
    cut->asked = index;
    return run_flow(cut);
}

uint64_t order_pivot_cut_after(struct order_pivot_cut *cut)
{
    assert(cut->asked < cut->readies);
    tie_to(cut, cut->tie[cut->asked], FLOW_SOURCE);
    return run_flow(cut);
}

void order_pivot_cut_downset(struct order_pivot_cut *cut, uint64_t *downset)
{
    const struct order_interval interval = {cut->least, cut->most};
    order_cut_take_side(&cut->cut, &interval, downset);
}
