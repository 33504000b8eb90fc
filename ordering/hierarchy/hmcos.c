/* HMCOS (Wang et al. 2022): operators in chains, chains in groups, a dynamic program over both.
   Then the groups around the peak of the order found are dissolved: those whose chains write or
   read tensors that are live at the peak. The program runs again until there are no such groups.
   HMCOS takes graphs with one input and one output; here there may be several, and chains at the
   ends of the graph are dominated by nothing. HMCOS leaves ties to sets without an order; here ties
   keep the stored order. At the time or memory limit HMCOS has no order; here the result is the
   best order so far, which is the stored one at first. A group that would wait for itself is not
   made. */

#include <string.h>

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

/* Dissolves the groups around the steps of the order that take the most bytes: those of chains that
   write what is live there, and of the chains that wait for these. */
static enum status dissolve(struct hierarchy *hierarchy, const uint32_t *permutation,
                            uint64_t load_bytes, bool *changed, struct error *error)
{
    const struct order_view *view = hierarchy->view;
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct order_run run;
    uint32_t *place; /* [operators] its step in the order */
    uint32_t *peaks; /* [operators + 1] how many of the steps before take the most */
    TRY(scratch_take(&scratch, &place, view->operators, sizeof *place, error));
    TRY(scratch_take(&scratch, &peaks, (size_t)view->operators + 1, sizeof *peaks, error));
    TRY(order_run_take(view, &run, &scratch, error));
    for (uint32_t i = 0; i < view->operators; i++) {
        bool is_peak = order_run_transient(&run, permutation[i]) == load_bytes;
        place[permutation[i]] = i;
        peaks[i + 1] = peaks[i] + is_peak;
        order_run_step(&run, permutation[i]);
    }
    *changed = false;
    for (uint32_t t = 0; t < view->tensors; t++) {
        if (view->producer[t] == ORDER_NONE)
            continue;
        uint32_t first = place[view->producer[t]], last = first;
        for (const uint32_t *r = order_lists_begin(&view->readers, t);
             r < order_lists_end(&view->readers, t); r++)
            last = place[*r] > last ? place[*r] : last;
        if (view->kept[t])
            last = view->operators - 1;
        if (peaks[last + 1] == peaks[first])
            continue;
        uint32_t chain = hierarchy->chain_of[view->producer[t]];
        *changed |= hierarchy_dissolve(hierarchy, chain);
        for (const uint32_t *c = order_lists_begin(&hierarchy->after, chain);
             c < order_lists_end(&hierarchy->after, chain); c++)
            *changed |= hierarchy_dissolve(hierarchy, *c);
    }
    return STATUS_OK;
}

static void release_layers(struct layers **layers)
{
    layers_free(*layers);
}

static enum status order_by_hierarchy(const struct order_row *row, const struct order_task *task,
                                      uint32_t *permutation, struct order_report *report,
                                      struct error *error)
{
    const struct order_view *view = task->view;
    struct layers_limits limits = {.deadline_ns = clock_deadline_ns(task->time_limit_ns),
                                   .most_bytes = order_option_value(row, MEMORY) << 20};
    SCOPED(hierarchy_free) struct hierarchy hierarchy = {0};
    SCOPED(release_layers) struct layers *layers = NULL;
    uint64_t best_bytes = UINT64_MAX, load_bytes;
    uint32_t *tried;
    if (task->memory_limit_bytes < limits.most_bytes)
        limits.most_bytes = task->memory_limit_bytes;
    for (uint32_t v = 0; v < view->operators; v++)
        permutation[v] = v;
    TRY(hierarchy_create(view, &hierarchy, error));
    TRY(groups_make(&hierarchy, task->scratch, error));
    TRY(layers_create(&hierarchy, &limits, &layers, task->scratch, error));
    TRY(scratch_take(task->scratch, &tried, view->operators, sizeof *tried, error));
    for (bool changed = true; changed;) {
        enum layers_end end;
        TRY(layers_search(layers, best_bytes, tried, &end, error));
        if (end != LAYERS_FOUND)
            break;
        TRY(order_load(view, tried, &load_bytes, error));
        if (load_bytes < best_bytes) {
            best_bytes = load_bytes;
            memcpy(permutation, tried, view->operators * sizeof *tried);
        }
        TRY(dissolve(&hierarchy, tried, load_bytes, &changed, error));
    }
    TRY(order_report_feasible(view, permutation, report, error));
    report->states = layers_expanded(layers);
    return STATUS_OK;
}

const struct order_row order_hmcos = {
    .name = "hmcos",
    .title = "chains and groups, dissolved around the peak, by a dynamic program",
    .source = "Wang et al. 2022, HMCOS",
    .flags = ORDER_SEARCHES,
    .options = options,
    .order = order_by_hierarchy,
};
