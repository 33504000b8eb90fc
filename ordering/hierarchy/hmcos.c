/* HMCOS (Wang et al. 2022): operators in chains, chains in groups, a dynamic program over both. Of
   the order that it finds the groups around the peak are dissolved, those of chains that write what
   is live at the peak and of those that read it; then the program runs again, until there are no
   such groups.
   HMCOS takes graphs with one input and one output; here there may be several, and chains at the
   ends of the graph are dominated by nothing. Its sets have no order; here ties keep the stored
   order. Where it does not end within the time or the memory it has no order; here the result is
   the best order so far, which is the stored one at first. A group that would wait for itself is
   not made. */

#include "core/clock.h"
#include "ordering/hierarchy/groups.h"
#include "ordering/hierarchy/layers.h"
#include "planning/order/order.h"
#include "planning/order/order_load.h"

enum { MEMORY };

static const struct planner_option options[] = {
    [MEMORY] = {"memory", "MiB that sets of operators may take", 256, 1, 1000000},
    {NULL, NULL, 0, 0, 0},
};

/* The place of each operator in an order, and the steps that take the most bytes. */
struct peak {
    const struct order_view *view;
    uint32_t *place; /* [operators] its step in the order */
    uint32_t *peaks; /* [operators + 1] how many of the steps before take the most */
};

static enum status count_peaks(const struct peak *peak, const uint32_t *permutation,
                               uint64_t load_bytes, struct scratch *scratch, struct error *error)
{
    struct order_run run;
    TRY(order_run_take(peak->view, &run, scratch, error));
    for (uint32_t i = 0; i < peak->view->operators; i++) {
        bool is_peak = order_run_transient(&run, permutation[i]) == load_bytes;
        peak->place[permutation[i]] = i;
        peak->peaks[i + 1] = peak->peaks[i] + is_peak;
        order_run_step(&run, permutation[i]);
    }
    return STATUS_OK;
}

static bool is_live_at_peak(const struct peak *peak, uint32_t tensor)
{
    const struct order_view *view = peak->view;
    uint32_t first = peak->place[view->producer[tensor]], last = first;
    for (const uint32_t *r = order_lists_begin(&view->readers, tensor);
         r < order_lists_end(&view->readers, tensor); r++)
        last = peak->place[*r] > last ? peak->place[*r] : last;
    if (view->kept[tensor])
        last = view->operators - 1;
    return peak->peaks[last + 1] > peak->peaks[first];
}

/* Dissolves the group of a chain and those of the chains that wait for it; false where there are
   none. */
static bool dissolve_around(struct hierarchy *hierarchy, uint32_t chain)
{
    bool changed = hierarchy_dissolve(hierarchy, chain);
    for (const uint32_t *c = order_lists_begin(&hierarchy->after, chain);
         c < order_lists_end(&hierarchy->after, chain); c++)
        changed |= hierarchy_dissolve(hierarchy, *c);
    return changed;
}

static enum status dissolve(struct hierarchy *hierarchy, const uint32_t *permutation,
                            uint64_t load_bytes, bool *changed, struct error *error)
{
    const struct order_view *view = hierarchy->view;
    struct scratch scratch = {0};
    struct peak peak = {.view = view};
    size_t places = (size_t)view->operators + 1;
    enum status status;
    *changed = false;
    TRY_OR_DONE(status, scratch_take(&scratch, &peak.place, places, sizeof(uint32_t), error));
    TRY_OR_DONE(status, scratch_take(&scratch, &peak.peaks, places, sizeof(uint32_t), error));
    TRY_OR_DONE(status, count_peaks(&peak, permutation, load_bytes, &scratch, error));
    for (uint32_t t = 0; t < view->tensors; t++)
        if (view->producer[t] != ORDER_NONE && is_live_at_peak(&peak, t))
            *changed |= dissolve_around(hierarchy, hierarchy->chain_of[view->producer[t]]);
done:
    scratch_free(&scratch);
    return status;
}

/* What the rounds share. */
struct rounds {
    struct hierarchy hierarchy;
    struct layers *layers;
    uint32_t *tried; /* [operators] */
    uint64_t best_bytes;
};

static enum status run_rounds(struct rounds *rounds, uint32_t *permutation, struct error *error)
{
    const struct order_view *view = rounds->hierarchy.view;
    bool changed = true;
    while (changed) {
        enum layers_end end;
        uint64_t load_bytes;
        TRY(layers_search(rounds->layers, rounds->best_bytes, rounds->tried, &end, error));
        if (end != LAYERS_FOUND)
            return STATUS_OK;
        TRY(order_load(view, rounds->tried, &load_bytes, error));
        for (uint32_t i = 0; i < view->operators && load_bytes < rounds->best_bytes; i++)
            permutation[i] = rounds->tried[i];
        if (load_bytes < rounds->best_bytes)
            rounds->best_bytes = load_bytes;
        TRY(dissolve(&rounds->hierarchy, rounds->tried, load_bytes, &changed, error));
    }
    return STATUS_OK;
}

static enum status order_by_hierarchy(const struct order_row *row, const struct order_task *task,
                                      uint32_t *permutation, struct order_report *report,
                                      struct error *error)
{
    struct layers_limits limits = {.deadline_ns = clock_deadline_ns(task->time_limit_ns),
                                   .most_bytes = order_option_value(row, MEMORY) << 20};
    struct rounds rounds = {.best_bytes = UINT64_MAX};
    enum status status;
    if (task->memory_limit_bytes < limits.most_bytes)
        limits.most_bytes = task->memory_limit_bytes;
    for (uint32_t v = 0; v < task->view->operators; v++)
        permutation[v] = v;
    TRY_OR_DONE(status, hierarchy_create(task->view, &rounds.hierarchy, error));
    TRY_OR_DONE(status, groups_make(&rounds.hierarchy, task->scratch, error));
    TRY_OR_DONE(status,
                layers_create(&rounds.hierarchy, &limits, &rounds.layers, task->scratch, error));
    TRY_OR_DONE(status, scratch_take(task->scratch, &rounds.tried, task->view->operators,
                                     sizeof(uint32_t), error));
    TRY_OR_DONE(status, run_rounds(&rounds, permutation, error));
    status = order_report_feasible(task->view, permutation, report, error);
    report->states = layers_expanded(rounds.layers);
done:
    layers_free(rounds.layers);
    hierarchy_free(&rounds.hierarchy);
    return status;
}

const struct order_row order_hmcos = {
    .name = "hmcos",
    .title = "chains and groups, dissolved around the peak, by a dynamic program",
    .source = "Wang et al. 2022, HMCOS",
    .flags = ORDER_SEARCHES,
    .options = options,
    .order = order_by_hierarchy,
};
