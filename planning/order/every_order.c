#include "planning/order/every_order.h"

#include <string.h>

#include "core/clock.h"
#include "core/memory.h"

/* So many operators in all orders together, and in one of them. */
enum { MOST_WORK = 100000, MOST_OPERATORS = 5000 };

struct every {
    const struct graph_order_task *task;
    struct order_view **view;  /* [regions] of which only the predecessors are asked */
    struct graph_order *order; /* what is tried */
    bool *ran;                 /* [operators] */
    uint32_t *best;            /* [operators] as order->op; NULL while orders are only counted */
    uint64_t least_bytes, deadline_ns;
    uint32_t orders, most; /* with one more than the most of them it gives up */
    struct error *error;
};

static bool may_run(const struct every *every, const struct order_view *view, uint32_t v)
{
    if (every->ran[view->graph_operator[v]])
        return false;
    for (const uint32_t *p = order_lists_begin(&view->predecessors, v);
         p < order_lists_end(&view->predecessors, v); p++)
        if (!every->ran[view->graph_operator[*p]])
            return false;
    return true;
}

static enum status measure(struct every *every)
{
    const struct graph_order_task *task = every->task;
    struct graph *reordered;
    uint64_t load;
    TRY(graph_reorder(task->graph, every->order, &reordered, every->error));
    enum status status =
        graph_order_measure(reordered, task->policy, &task->inplace, &load, every->error);
    graph_free(reordered);
    if (status || load >= every->least_bytes)
        return status;
    every->least_bytes = load;
    memcpy(every->best, every->order->op, task->graph->operators * sizeof *every->best);
    return STATUS_OK;
}

static bool gives_up(const struct every *every)
{
    return every->orders > every->most || (every->best && !clock_left_ns(every->deadline_ns));
}

/* Goes on at a position of a region; the regions before it are in some order. The recursion is as
   deep as there are operators. */
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
    for (uint32_t v = 0; v < view->operators && !gives_up(every); v++) {
        if (!may_run(every, view, v))
            continue;
        uint32_t op = view->graph_operator[v];
        every->ran[op] = true;
        every->order->op[every->order->first[region] + at] = op;
        TRY(go_on(every, region, at + 1));
        every->ran[op] = false;
    }
    return STATUS_OK;
}

static enum status create_views(struct every *every)
{
    const struct graph *graph = every->task->graph;
    uint64_t *loads;
    TRY(memory_create(&loads, graph->regions, sizeof *loads, every->error));
    enum status status = STATUS_OK;
    for (uint32_t r = 0; r < graph->regions && !status; r++) {
        const struct order_scope scope = {
            .graph = graph, .region = r, .owners = ORDER_OWNERS_LEAST, .region_load = loads};
        status = order_view_create(&scope, &every->view[r], every->error);
    }
    memory_free(loads);
    return status;
}

static enum status try_all(struct every *every)
{
    TRY(create_views(every));
    TRY(go_on(every, 0, 0));
    if (gives_up(every))
        return STATUS_OK;
    every->orders = 0;
    TRY(memory_create(&every->best, every->task->graph->operators, sizeof *every->best,
                      every->error));
    return go_on(every, 0, 0);
}

enum status every_order_find(const struct graph_order_task *task, struct graph_order *order,
                             uint64_t *load_bytes, bool *complete, struct error *error)
{
    const struct graph *graph = task->graph;
    struct every every = {.task = task,
                          .least_bytes = UINT64_MAX,
                          .deadline_ns = clock_deadline_ns(task->time_limit_ns),
                          .error = error};
    enum status status;
    *complete = false;
    if (!graph->operators || graph->operators > MOST_OPERATORS)
        return STATUS_OK;
    every.most = MOST_WORK / graph->operators;
    TRY_OR_DONE(status, memory_create(&every.view, graph->regions, sizeof *every.view, error));
    TRY_OR_DONE(status, memory_create(&every.ran, graph->operators, sizeof *every.ran, error));
    TRY_OR_DONE(status, graph_order_create(graph, &every.order, error));
    status = try_all(&every);
    *complete = !status && every.best && !gives_up(&every);
    if (*complete) {
        memcpy(order->op, every.best, graph->operators * sizeof *order->op);
        *load_bytes = every.least_bytes;
    }
done:
    for (uint32_t r = 0; every.view && r < graph->regions; r++)
        order_view_free(every.view[r]);
    memory_free(every.view);
    memory_free(every.ran);
    memory_free(every.best);
    graph_order_free(every.order);
    return status;
}
