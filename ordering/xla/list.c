/* XLA's list scheduler: of the operators that may run, the one that frees most beyond what it
   defines comes next, then the one with most users, then the one that was ranked last. Only bytes
   that are live before and after an operator count, not what it takes while it runs. Inputs of the
   graph free nothing, as XLA's parameters do not; operators whose result is a single number come
   first of all. When an operator leaves one of its inputs with one reader, the waiting readers of
   its inputs are ranked anew, in the order of its inputs, then as they are stored. */

#include "core/sort.h"
#include "ordering/common/ready_heap.h"
#include "planning/order/order.h"
#include "planning/order/order_load.h"

struct list {
    struct order_run run;
    struct ready_heap heap;
    int64_t *gain;    /* [operators] bytes freed less bytes defined */
    uint32_t *users;  /* [operators]; UINT32_MAX with the greatest gain for a single number */
    uint64_t *came;   /* [operators] when it was ranked */
    uint32_t *place;  /* [tensors] among the inputs of the operator that ran last */
    uint64_t *key;    /* [operators] scratch: of those to rank anew, what sorts them */
    uint32_t *anew;   /* [operators] scratch: those to rank anew */
    uint32_t *queued; /* [operators] the operator that last put it into anew */
    uint64_t serial;
};

static bool comes_first(const void *context, uint32_t a, uint32_t b)
{
    const struct list *list = context;
    if (list->gain[a] != list->gain[b])
        return list->gain[a] > list->gain[b];
    if (list->users[a] != list->users[b])
        return list->users[a] > list->users[b];
    return list->came[a] > list->came[b];
}

static bool is_single_number(const struct order_view *view, uint32_t op)
{
    if (!view->graph || order_lists_count(&view->outputs, op) != 1)
        return false;
    uint32_t number = view->graph_tensor[view->outputs.item[view->outputs.start[op]]];
    if (number == GRAPH_NONE || !view->graph->tensor[number].has_shape)
        return false;
    const struct graph_tensor *tensor = &view->graph->tensor[number];
    for (uint32_t i = 0; i < tensor->rank; i++)
        if (tensor->dimension[i] > 1)
            return false;
    return true;
}

static int64_t find_gain(const struct list *list, uint32_t op)
{
    const struct order_view *view = list->run.view;
    uint64_t gain = 0;
    for (uint32_t i = view->inputs.start[op]; i < view->inputs.start[op + 1]; i++) {
        uint32_t tensor = view->inputs.item[i];
        if (list->run.unread[tensor] == 1 && view->producer[tensor] != ORDER_NONE)
            gain += view->bytes[tensor];
    }
    return (int64_t)(gain - order_view_sum(view, &view->outputs, op));
}

/* Ranks an operator that waits, or that may run now and begins to wait. */
static void rank(struct list *list, uint32_t op)
{
    bool waits = ready_heap_has(&list->heap, op), single = list->users[op] == UINT32_MAX;
    int64_t gain = single ? INT64_MAX : find_gain(list, op);
    if (waits && gain == list->gain[op])
        return;
    list->gain[op] = gain;
    list->came[op] = list->serial++;
    if (waits)
        ready_heap_move(&list->heap, op);
    else
        ready_heap_push(&list->heap, op);
}

/* The first input of `op` that `reader` reads. */
static uint32_t find_common_input(const struct list *list, uint32_t op, uint32_t reader)
{
    const struct order_view *view = list->run.view;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = view->inputs.start[reader]; i < view->inputs.start[reader + 1]; i++) {
        uint32_t tensor = view->inputs.item[i], place = list->place[tensor];
        if (place < order_lists_count(&view->inputs, op) &&
            view->inputs.item[view->inputs.start[op] + place] == tensor && place < least)
            least = place;
    }
    return least;
}

static enum status rank_anew(struct list *list, uint32_t op, struct error *error)
{
    const struct order_view *view = list->run.view;
    uint32_t count = 0;
    for (uint32_t i = view->inputs.start[op]; i < view->inputs.start[op + 1]; i++)
        list->place[view->inputs.item[i]] = i - view->inputs.start[op];
    for (uint32_t i = view->inputs.start[op]; i < view->inputs.start[op + 1]; i++) {
        uint32_t tensor = view->inputs.item[i];
        if (view->kept[tensor] || list->run.unread[tensor] != 1)
            continue;
        uint32_t reader = order_run_last_reader(&list->run, tensor);
        if (!ready_heap_has(&list->heap, reader) || list->queued[reader] == op)
            continue;
        list->queued[reader] = op;
        list->key[count] = (uint64_t)find_common_input(list, op, reader) << 32 | reader;
        list->anew[count++] = reader;
    }
    TRY(count > 1 ? sort_items(list->key, list->anew, count, error) : STATUS_OK);
    for (uint32_t i = 0; i < count; i++)
        rank(list, list->anew[i]);
    return STATUS_OK;
}

static enum status run_list(struct list *list, uint32_t *permutation, struct error *error)
{
    const struct order_view *view = list->run.view;
    for (uint32_t v = 0; v < view->operators; v++)
        if (order_run_is_ready(&list->run, v))
            rank(list, v);
    while (list->heap.count) {
        uint32_t op = ready_heap_pop(&list->heap);
        permutation[list->run.done] = op;
        order_run_step(&list->run, op);
        for (uint32_t i = view->successors.start[op]; i < view->successors.start[op + 1]; i++)
            if (order_run_is_ready(&list->run, view->successors.item[i]))
                rank(list, view->successors.item[i]);
        TRY(rank_anew(list, op, error));
    }
    return STATUS_OK;
}

static void count_users(struct list *list)
{
    const struct order_view *view = list->run.view;
    for (uint32_t v = 0; v < view->operators; v++)
        list->queued[v] = ORDER_NONE;
    for (uint32_t v = 0; v < view->operators; v++)
        for (uint32_t i = view->outputs.start[v]; i < view->outputs.start[v + 1]; i++)
            for (const uint32_t *r = order_lists_begin(&view->readers, view->outputs.item[i]);
                 r < order_lists_end(&view->readers, view->outputs.item[i]); r++) {
                list->users[v] += list->queued[*r] != v;
                list->queued[*r] = v;
            }
    for (uint32_t v = 0; v < view->operators; v++) {
        list->queued[v] = ORDER_NONE;
        if (is_single_number(view, v))
            list->users[v] = UINT32_MAX;
    }
}

static enum status create_list(struct list *list, const struct order_view *view,
                               struct scratch *scratch, struct error *error)
{
    uint32_t count = view->operators;
    list->heap = (struct ready_heap){.comes_first = comes_first, .context = list};
    TRY(order_run_take(view, &list->run, scratch, error));
    TRY(ready_heap_create(&list->heap, count, scratch, error));
    TRY(scratch_take(scratch, &list->gain, count, sizeof *list->gain, error));
    TRY(scratch_take(scratch, &list->users, count, sizeof *list->users, error));
    TRY(scratch_take(scratch, &list->came, count, sizeof *list->came, error));
    TRY(scratch_take(scratch, &list->key, count, sizeof *list->key, error));
    TRY(scratch_take(scratch, &list->anew, count, sizeof *list->anew, error));
    TRY(scratch_take(scratch, &list->queued, count, sizeof *list->queued, error));
    return scratch_take(scratch, &list->place, view->tensors, sizeof *list->place, error);
}

static enum status order_by_list(const struct order_row *row, const struct order_task *task,
                                 uint32_t *permutation, struct order_report *report,
                                 struct error *error)
{
    struct list list = {0};
    (void)row;
    TRY(create_list(&list, task->view, task->scratch, error));
    count_users(&list);
    TRY(run_list(&list, permutation, error));
    *report = (struct order_report){.status = PLAN_FEASIBLE, .load_bytes = list.run.load_bytes};
    return STATUS_OK;
}

const struct order_row order_xla_list = {
    .name = "xla_list",
    .title = "what frees most beyond what it defines, then what has most users",
    .source = "XLA ListMemoryScheduler, hlo_memory_scheduler.cc",
    .order = order_by_list,
};
