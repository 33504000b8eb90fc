#include "planning/order/find_order.h"

#include <assert.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/clock.h"
#include "core/memory.h"
#include "planning/order/every_order.h"
#include "planning/order/order_load.h"

/* Orders region after region, and keeps what is known of those that are ordered already. */
struct finder {
    const struct graph_order_task *task;
    const struct order_row *row; /* NULL: the order is given, only its load is asked */
    struct graph_order *order;
    struct order_report *report;
    uint64_t *load; /* [regions]; of orders that are found for their bounds: these bounds */
    struct inplace_possibles possibles;
    enum order_owners owners;
    uint64_t deadline_ns;
    struct error *error;
};

static enum status create_view(const struct finder *finder, uint32_t region,
                               struct order_view **view)
{
    const struct graph_order_task *task = finder->task;
    return order_view_create(
        &(struct order_scope){.graph = task->graph,
                              .region = region,
                              .owners = finder->owners,
                              .side_by_side = strcmp(task->policy->name, "sum") == 0,
                              .possibles = &finder->possibles,
                              .region_load = finder->load},
        view, finder->error);
}

/* Translates the given order of a region into numbers of the view's operators. These ascend as the
   numbers of the graph's operators do. */
static void read_permutation(const struct finder *finder, const struct order_view *view,
                             uint32_t region, uint32_t *permutation)
{
    const uint32_t *op = finder->order->op + finder->order->first[region];
    for (uint32_t i = 0; i < view->operators; i++) {
        permutation[i] = BINARY_SEARCH(at, 0, view->operators, view->graph_operator[at] >= op[i]);
        assert(view->graph_operator[permutation[i]] == op[i]);
    }
}

/* How much of the time that is left this region may take: a share in proportion to its operators.
   What one region does not use is for the next ones. */
static uint64_t share_time(const struct finder *finder, uint32_t region, uint32_t operators)
{
    uint64_t left = clock_left_ns(finder->deadline_ns);
    uint32_t to_come = finder->order->first[region + 1];
    if (left == UINT64_MAX || region == 0)
        return left;
    return (uint64_t)((double)left * operators / to_come);
}

static enum status find_permutation(struct finder *finder, const struct order_view *view,
                                    uint32_t region, uint32_t *permutation)
{
    const struct graph_order_task *task = finder->task;
    struct order_report report = {0};
    const struct order_task region_task = {view, share_time(finder, region, view->operators),
                                           task->memory_limit_bytes, task->seed, NULL};
    TRY(order_ask(finder->row, &region_task, permutation, &report, finder->error));
    report.states += finder->report->states;
    if (!plan_status_is_found(report.status)) {
        for (uint32_t i = 0; i < view->operators; i++)
            permutation[i] = i;
        report.bound_bytes = 0;
    }
    *finder->report = report;
    TRY(order_permutation_check(view, permutation, finder->error));
    uint64_t load_bytes;
    TRY(order_load(view, permutation, &load_bytes, finder->error));
    if (plan_status_is_found(report.status) && load_bytes != report.load_bytes)
        return error_set(finder->error, STATUS_NO,
                         "order %s says that its load is %llu bytes, found %llu", finder->row->name,
                         (unsigned long long)report.load_bytes, (unsigned long long)load_bytes);
    uint32_t *op = finder->order->op + finder->order->first[region];
    for (uint32_t i = 0; i < view->operators; i++)
        op[i] = view->graph_operator[permutation[i]];
    return STATUS_OK;
}

static enum status order_region(struct finder *finder, uint32_t region)
{
    struct order_view *view = NULL;
    uint32_t *permutation = NULL;
    enum status status;
    TRY(create_view(finder, region, &view));
    TRY_OR_DONE(status,
                memory_create(&permutation, view->operators, sizeof *permutation, finder->error));
    if (!finder->row || !view->operators)
        read_permutation(finder, view, region, permutation);
    else
        TRY_OR_DONE(status, find_permutation(finder, view, region, permutation));
    if (finder->owners == ORDER_OWNERS_LEAST)
        finder->load[region] = view->operators ? finder->report->bound_bytes : 0;
    else
        status = order_load(view, permutation, &finder->load[region], finder->error);
done:
    memory_free(permutation);
    order_view_free(view);
    return status;
}

/* Orders all regions, the innermost first: a region has a higher number than those around it. */
static enum status order_regions(struct finder *finder)
{
    enum plan_status worst = PLAN_OPTIMAL;
    for (uint32_t r = finder->task->graph->regions; r-- > 0;) {
        TRY(order_region(finder, r));
        if (finder->report->status != PLAN_OPTIMAL && worst <= PLAN_FEASIBLE)
            worst = finder->report->status;
    }
    finder->report->status = worst;
    finder->report->load_bytes = finder->load[0];
    return STATUS_OK;
}

static enum status run_finder(struct finder *finder)
{
    const struct graph_order_task *task = finder->task;
    finder->deadline_ns = clock_deadline_ns(task->time_limit_ns);
    *finder->report = (struct order_report){.status = PLAN_OPTIMAL};
    TRY(memory_create(&finder->load, task->graph->regions, sizeof(uint64_t), finder->error));
    enum status status =
        inplace_find_possible(task->graph, &task->inplace, &finder->possibles, finder->error);
    if (!status)
        status = order_regions(finder);
    inplace_possibles_clear(&finder->possibles);
    memory_free(finder->load);
    return status;
}

/* What a row that proves something says of a graph with control flow: few orders are all measured;
   else it is asked for a bound that holds under every policy. What is merged across borders is in
   no view, so that there is none then. */
static enum status find_bound(const struct order_row *row, const struct graph_order_task *task,
                              struct graph_order *order, uint64_t *bound_bytes, struct error *error)
{
    struct order_report report;
    bool complete;
    struct finder finder = {
        .task = task, .row = row, .report = &report, .owners = ORDER_OWNERS_LEAST, .error = error};
    TRY(every_order_find(task, order, bound_bytes, &complete, error));
    if (complete || (task->inplace.rules && task->inplace.rules->merge_loop))
        return STATUS_OK;
    TRY(graph_order_create(task->graph, &finder.order, error));
    enum status status = run_finder(&finder);
    graph_order_free(finder.order);
    *bound_bytes = report.bound_bytes;
    return status;
}

enum status graph_order_find(const struct order_row *row, const struct graph_order_task *task,
                             struct graph_order **found, struct order_report *report,
                             struct error *error)
{
    struct graph_order_task part = *task;
    struct finder finder = {.task = &part,
                            .row = row,
                            .report = report,
                            .owners = graph_order_owners(task->policy),
                            .error = error};
    bool apart = graph_has_control_flow(task->graph);
    if (apart && part.time_limit_ns < UINT64_MAX)
        part.time_limit_ns /= 2;
    TRY(graph_order_create(task->graph, &finder.order, error));
    enum status status = run_finder(&finder);
    if (!status && apart) {
        report->bound_bytes = 0;
        if (row->flags & ORDER_EXACT && plan_status_is_found(report->status))
            status = find_bound(row, &part, finder.order, &report->bound_bytes, error);
    }
    if (status)
        graph_order_free(finder.order);
    else
        *found = finder.order;
    return status;
}

enum status graph_order_load(const struct graph_order_task *task, const struct graph_order *order,
                             uint64_t *load_bytes, struct error *error)
{
    struct order_report report;
    struct graph_order given = *order;
    struct finder finder = {.task = task,
                            .order = &given,
                            .report = &report,
                            .owners = graph_order_owners(task->policy),
                            .error = error};
    TRY(run_finder(&finder));
    *load_bytes = report.load_bytes;
    return STATUS_OK;
}
