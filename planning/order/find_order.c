#include "planning/order/find_order.h"

#include <assert.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/clock.h"
#include "core/memory.h"
#include "planning/order/order_load.h"

/* Orders one region after another, and keeps what is known of the regions that have been
   ordered. */
struct finder {
    const struct graph_order_task *task;
    const struct order_row *row; /* NULL where an order is given and only its load is wanted */
    struct graph_order *order;
    struct order_report *report;
    uint64_t *load; /* [regions]; of orders that are found for their bounds: these bounds */
    struct inplace_possibles possibles;
    enum order_owners owners;
    uint64_t deadline_ns;
    struct error *error;
};

static enum status find_permutation(struct finder *finder, const struct order_view *view,
                                    uint32_t region, uint32_t *permutation)
{
    const struct graph_order_task *task = finder->task;
    struct order_report report = {0};
    assert(view->operators == finder->order->first[region + 1] - finder->order->first[region]);
    /* A region may take a share of the time left in proportion to its operators. What it does not
       use is left to the next ones. */
    uint64_t left = clock_left_ns(finder->deadline_ns);
    assert(finder->row && view->operators > 0);
    if (left < UINT64_MAX && region > 0)
        left = (uint64_t)((double)left * view->operators / finder->order->first[region + 1]);
    const struct order_task region_task = {view, left, task->memory_limit_bytes, task->seed, NULL};
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
    SCOPED(order_view_release) struct order_view *view = NULL;
    SCOPED(memory_release) uint32_t *permutation = NULL;
    const struct graph_order_task *task = finder->task;
    const struct order_scope scope = {.graph = task->graph,
                                      .region = region,
                                      .owners = finder->owners,
                                      .side_by_side = strcmp(task->policy->name, "sum") == 0,
                                      .possibles = &finder->possibles,
                                      .region_load = finder->load};
    TRY(order_view_create(&scope, &view, finder->error));
    assert(view->operators == finder->order->first[region + 1] - finder->order->first[region]);
    TRY(memory_create(&permutation, view->operators, sizeof *permutation, finder->error));
    if (finder->row && view->operators)
        TRY(find_permutation(finder, view, region, permutation));
    /* A given order is of numbers of the graph, which ascend as those of the view do. */
    const uint32_t *op = finder->order->op + finder->order->first[region];
    for (uint32_t i = 0; i < view->operators && !finder->row; i++) {
        permutation[i] = BINARY_SEARCH(at, 0, view->operators, view->graph_operator[at] >= op[i]);
        assert(view->graph_operator[permutation[i]] == op[i]);
    }
    if (finder->owners != ORDER_OWNERS_LEAST)
        return order_load(view, permutation, &finder->load[region], finder->error);
    finder->load[region] = view->operators ? finder->report->bound_bytes : 0;
    return STATUS_OK;
}

/* Orders all regions, the innermost first: a region has a higher number than those around it. */
static enum status run_finder(struct finder *finder)
{
    const struct graph_order_task *task = finder->task;
    struct order_report *report = finder->report;
    enum plan_status worst = PLAN_OPTIMAL;
    finder->deadline_ns = clock_deadline_ns(task->time_limit_ns);
    *report = (struct order_report){.status = PLAN_OPTIMAL};
    TRY(memory_create(&finder->load, task->graph->regions, sizeof(uint64_t), finder->error));
    TRY(inplace_find_possible(task->graph, &task->inplace, &finder->possibles, finder->error));
    for (uint32_t r = task->graph->regions; r-- > 0;) {
        TRY(order_region(finder, r));
        if (report->status != PLAN_OPTIMAL && worst <= PLAN_FEASIBLE)
            worst = report->status;
    }
    report->status = worst;
    report->load_bytes = finder->load[0];
    return STATUS_OK;
}

static void free_finder(struct finder *finder)
{
    inplace_possibles_clear(&finder->possibles);
    memory_free(finder->load);
}

/* The most operators that every order may have: in all orders together, and in one of them. */
enum { MOST_WORK = 100000, MOST_OPERATORS = 5000 };

struct every {
    const struct graph_order_task *task;
    struct order_view **view;  /* [regions] of which only the predecessors are asked */
    struct graph_order *order; /* what is tried */
    bool *ran;                 /* [operators] */
    uint32_t *best;            /* [operators] as order->op; NULL while orders are only counted */
    uint64_t least_bytes, deadline_ns;
    uint32_t orders, most; /* with one more than the most of them it gives up */
    struct scratch scratch;
    struct error *error;
};

static bool gives_up(const struct every *every)
{
    return every->orders > every->most || (every->best && !clock_left_ns(every->deadline_ns));
}

static enum status measure(struct every *every)
{
    const struct graph_order_task *task = every->task;
    SCOPED(graph_release) struct graph *reordered = NULL;
    uint64_t load;
    TRY(graph_reorder(task->graph, every->order, &reordered, every->error));
    TRY(graph_order_measure(reordered, task->policy, &task->inplace, &load, every->error));
    assert(every->orders > 0 && every->orders <= every->most);
    if (load < every->least_bytes) {
        assert(every->best);
        every->least_bytes = load;
        memcpy(every->best, every->order->op, task->graph->operators * sizeof *every->best);
    }
    return STATUS_OK;
}

/* Tries every order of the operators from a position of a region on; the regions before it have
   some order. The recursion is as deep as there are operators. */
static enum status go_on(struct every *every, uint32_t region, uint32_t at)
{
    while (region < every->task->graph->regions && at == every->view[region]->operators) {
        region++;
        at = 0;
    }
    if (region == every->task->graph->regions) {
        every->orders++;
        return every->best ? measure(every) : STATUS_OK;
    }
    const struct order_view *view = every->view[region];
    assert(every->order->first[region] + at < every->order->first[region + 1]);
    for (uint32_t v = 0; v < view->operators && !gives_up(every); v++) {
        uint32_t op = view->graph_operator[v];
        assert(op < every->task->graph->operators);
        const uint32_t *before = order_lists_begin(&view->predecessors, v);
        while (before < order_lists_end(&view->predecessors, v) &&
               every->ran[view->graph_operator[*before]])
            before++;
        if (every->ran[op] || before < order_lists_end(&view->predecessors, v))
            continue;
        every->ran[op] = true;
        every->order->op[every->order->first[region] + at] = op;
        TRY(go_on(every, region, at + 1));
        assert(every->ran[op]);
        every->ran[op] = false;
    }
    return STATUS_OK;
}

static void free_every(struct every *every)
{
    for (uint32_t r = 0; every->view && r < every->task->graph->regions; r++)
        order_view_free(every->view[r]);
    scratch_free(&every->scratch);
    graph_order_free(every->order);
}

/* Measures every order of the operators of all regions, where there are few enough for that and for
   the time. *complete says whether it did: then *order, which has to be some order of the graph
   before, is the first one of the least load, and *load_bytes that load. */
static enum status try_every_order(const struct graph_order_task *task, struct graph_order *order,
                                   uint64_t *load_bytes, bool *complete, struct error *error)
{
    const struct graph *graph = task->graph;
    uint32_t operators = graph->operators, regions = graph->regions;
    SCOPED(free_every)
    struct every every = {.task = task,
                          .least_bytes = UINT64_MAX,
                          .deadline_ns = clock_deadline_ns(task->time_limit_ns),
                          .error = error};
    uint64_t *loads;
    *complete = false;
    if (!operators || operators > MOST_OPERATORS)
        return STATUS_OK;
    every.most = MOST_WORK / operators;
    assert(every.most > 0 && regions > 0);
    TRY(scratch_take_all(&every.scratch, regions, error, &every.view, &loads));
    TRY(scratch_take(&every.scratch, &every.ran, operators, sizeof *every.ran, error));
    TRY(graph_order_create(graph, &every.order, error));
    for (uint32_t r = 0; r < regions; r++) {
        const struct order_scope scope = {
            .graph = graph, .region = r, .owners = ORDER_OWNERS_LEAST, .region_load = loads};
        TRY(order_view_create(&scope, &every.view[r], error));
    }
    TRY(go_on(&every, 0, 0));
    if (gives_up(&every))
        return STATUS_OK;
    assert(every.orders > 0 && every.orders <= every.most);

    /* Now that they are counted, all are measured. */
    every.orders = 0;
    TRY(scratch_take(&every.scratch, &every.best, operators, sizeof *every.best, error));
    TRY(go_on(&every, 0, 0));
    *complete = !gives_up(&every);
    if (*complete) {
        assert(every.least_bytes < UINT64_MAX);
        memcpy(order->op, every.best, operators * sizeof *order->op);
        *load_bytes = every.least_bytes;
    }
    return STATUS_OK;
}

/* The bound that an order which may prove something gives for a graph with control flow. Where the
   graph has few orders, all are measured, unless the policy is one of streams, whose plans may have
   a lower load than is measured. Else the order is asked for a bound that holds under every policy;
   there is none where outputs are merged across borders of regions, which no view knows. */
static enum status find_bound(const struct order_row *row, const struct graph_order_task *task,
                              struct graph_order *order, uint64_t *bound_bytes, struct error *error)
{
    SCOPED(graph_order_release) struct graph_order *own = NULL;
    struct order_report report;
    bool complete = false;
    if (!(task->policy->flags & POLICY_STREAMS))
        TRY(try_every_order(task, order, bound_bytes, &complete, error));
    if (complete || (task->inplace.rules && task->inplace.rules->merge_loop))
        return STATUS_OK;
    TRY(graph_order_create(task->graph, &own, error));
    SCOPED(free_finder)
    struct finder finder = {.task = task,
                            .row = row,
                            .order = own,
                            .report = &report,
                            .owners = ORDER_OWNERS_LEAST,
                            .error = error};
    TRY(run_finder(&finder));
    *bound_bytes = report.bound_bytes;
    return STATUS_OK;
}

enum status graph_order_find(const struct order_row *row, const struct graph_order_task *task,
                             struct graph_order **found, struct order_report *report,
                             struct error *error)
{
    SCOPED(graph_order_release) struct graph_order *order = NULL;
    struct graph_order_task part = *task;
    bool apart = graph_has_control_flow(task->graph);
    if (apart && part.time_limit_ns < UINT64_MAX)
        part.time_limit_ns /= 2;
    TRY(graph_order_create(task->graph, &order, error));
    SCOPED(free_finder)
    struct finder finder = {.task = &part,
                            .row = row,
                            .order = order,
                            .report = report,
                            .owners = graph_order_owners(task->policy),
                            .error = error};
    TRY(run_finder(&finder));
    if (apart) {
        report->bound_bytes = 0;
        if (row->flags & ORDER_EXACT && plan_status_is_found(report->status))
            TRY(find_bound(row, &part, order, &report->bound_bytes, error));
    }
    HAND_OVER(order, found);
}

enum status graph_order_load(const struct graph_order_task *task, const struct graph_order *order,
                             uint64_t *load_bytes, struct error *error)
{
    struct order_report report;
    struct graph_order given = *order;
    SCOPED(free_finder)
    struct finder finder = {.task = task,
                            .order = &given,
                            .report = &report,
                            .owners = graph_order_owners(task->policy),
                            .error = error};
    TRY(run_finder(&finder));
    *load_bytes = report.load_bytes;
    return STATUS_OK;
}
