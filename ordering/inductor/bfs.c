/* Inductor's breadth-first order: of the operators that may run, the one whose predecessors ran
   first comes next. The positions at which these ran are compared as sorted lists; equal lists keep
   the stored order. */

#include <stdlib.h>

#include "core/compare.h"
#include "ordering/common/ready_heap.h"
#include "planning/order/order.h"
#include "planning/order/order_load.h"

struct breadth {
    struct order_run run;
    struct ready_heap heap;
    uint32_t *place; /* [operators] when it ran */
    uint32_t *list;  /* places of its predecessors, ascending; laid out as these in the view */
};

static bool comes_first(const void *context, uint32_t a, uint32_t b)
{
    const struct breadth *breadth = context;
    const uint32_t *start = breadth->run.view->predecessors.start;
    uint32_t i = start[a], j = start[b];
    for (; i < start[a + 1] && j < start[b + 1]; i++, j++)
        if (breadth->list[i] != breadth->list[j])
            return breadth->list[i] < breadth->list[j];
    if (i == start[a + 1] && j == start[b + 1])
        return a < b;
    return i == start[a + 1];
}

static void push(struct breadth *breadth, uint32_t op)
{
    const struct order_lists *before = &breadth->run.view->predecessors;
    uint32_t *list = breadth->list + before->start[op], count = order_lists_count(before, op);
    for (uint32_t i = 0; i < count; i++)
        list[i] = breadth->place[before->item[before->start[op] + i]];
    if (count > 1)
        qsort(list, count, sizeof *list, compare_number_items_32);
    ready_heap_push(&breadth->heap, op);
}

static enum status order_breadth_first(const struct order_row *row, const struct order_task *task,
                                       uint32_t *permutation, struct order_report *report,
                                       struct error *error)
{
    const struct order_view *view = task->view;
    const struct order_lists *after = &view->successors;
    struct breadth breadth = {.heap = {.comes_first = comes_first, .context = &breadth}};
    struct order_run *run = &breadth.run;
    uint32_t edges = view->predecessors.start[view->operators];
    (void)row;
    TRY(order_run_take(view, run, task->scratch, error));
    TRY(ready_heap_create(&breadth.heap, view->operators, task->scratch, error));
    TRY(scratch_take(task->scratch, &breadth.place, view->operators, sizeof(uint32_t), error));
    TRY(scratch_take(task->scratch, &breadth.list, edges, sizeof(uint32_t), error));
    for (uint32_t v = 0; v < view->operators; v++)
        if (order_run_is_ready(run, v))
            push(&breadth, v);
    while (breadth.heap.count) {
        uint32_t op = ready_heap_pop(&breadth.heap);
        breadth.place[op] = run->done;
        permutation[run->done] = op;
        order_run_step(run, op);
        for (uint32_t i = after->start[op]; i < after->start[op + 1]; i++)
            if (order_run_is_ready(run, after->item[i]))
                push(&breadth, after->item[i]);
    }
    *report = (struct order_report){.status = PLAN_FEASIBLE, .load_bytes = run->load_bytes};
    return STATUS_OK;
}

const struct order_row order_inductor_bfs = {
    .name = "inductor_bfs",
    .title = "whose predecessors ran first",
    .source = "PyTorch Inductor, torch/_inductor/memory.py",
    .order = order_breadth_first,
};
