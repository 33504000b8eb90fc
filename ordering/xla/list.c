/* XLA's list scheduler: of the operators that may run, the one that frees most beyond what it
   defines comes next, then the one with most readers, then the one that was ranked last. Only bytes
   that are live before and after an operator count, not what it takes while it runs. Inputs of the
   graph free nothing, as XLA's parameters do not; operators whose result is a single number come
   first of all. When an operator leaves one of its inputs with one reader, that reader is ranked
   once more if it waits; several readers are ranked in the order of the inputs, then as they are
   stored. */

#include <assert.h>
#include <string.h>

#include "core/sort.h"
#include "ordering/common/ready_heap.h"
#include "planning/order/order.h"
#include "planning/order/order_load.h"

struct list {
    struct order_run run;
    struct ready_heap heap;
    int64_t *gain;         /* [operators] bytes freed less bytes defined */
    uint32_t *users;       /* [operators]; UINT32_MAX with the greatest gain for a single number */
    uint64_t *ranked_at;   /* [operators] how many had been ranked when it was */
    uint64_t ranked;       /* how many have been ranked */
    uint32_t *input_index; /* [tensors] among the inputs of the operator that ran last */
    uint32_t *noted_by;    /* [operators] the operator that last noted it, ORDER_NONE */
    uint32_t *again;       /* [operators] scratch: those to rank once more, */
    uint64_t *again_key;   /* [operators] and what sorts them */
};

static bool comes_first(const void *context, uint32_t a, uint32_t b)
{
    const struct list *list = context;
    if (list->gain[a] != list->gain[b])
        return list->gain[a] > list->gain[b];
    if (list->users[a] != list->users[b])
        return list->users[a] > list->users[b];
    return list->ranked_at[a] > list->ranked_at[b];
}

/* Ranks an operator that waits, or that may run now and begins to wait. */
static void rank(struct list *list, uint32_t op)
{
    const struct order_view *view = list->run.view;
    bool waits = ready_heap_has(&list->heap, op);
    int64_t gain = INT64_MAX;
    if (list->users[op] != UINT32_MAX) {
        uint64_t freed = 0;
        for (uint32_t i = view->inputs.start[op]; i < view->inputs.start[op + 1]; i++) {
            uint32_t tensor = view->inputs.item[i];
            if (list->run.unread[tensor] == 1 && view->producer[tensor] != ORDER_NONE)
                freed += view->bytes[tensor];
        }
        gain = (int64_t)(freed - order_view_sum(view, &view->outputs, op));
    }
    if (waits && gain == list->gain[op])
        return;
    list->gain[op] = gain;
    list->ranked_at[op] = list->ranked++;
    if (waits)
        ready_heap_move(&list->heap, op);
    else
        ready_heap_push(&list->heap, op);
}

/* Ranks the waiting readers of which an input has no other reader left, now that `op` has run: in
   the order of the first input that each has in common with it. */
static enum status rank_again(struct list *list, uint32_t op, struct error *error)
{
    const struct order_view *view = list->run.view;
    const struct order_lists *inputs = &view->inputs;
    uint32_t first = inputs->start[op], end = inputs->start[op + 1], count = 0;
    for (uint32_t i = first; i < end; i++)
        list->input_index[inputs->item[i]] = i - first;
    for (uint32_t i = first; i < end; i++) {
        uint32_t tensor = inputs->item[i], common = UINT32_MAX;
        if (view->kept[tensor] || list->run.unread[tensor] != 1)
            continue;
        uint32_t reader = order_run_last_reader(&list->run, tensor);
        if (!ready_heap_has(&list->heap, reader) || list->noted_by[reader] == op)
            continue;
        list->noted_by[reader] = op;
        for (uint32_t k = inputs->start[reader]; k < inputs->start[reader + 1]; k++) {
            uint32_t read = inputs->item[k], index = list->input_index[read];
            if (index < end - first && inputs->item[first + index] == read && index < common)
                common = index;
        }
        assert(common != UINT32_MAX);
        list->again_key[count] = (uint64_t)common << 32 | reader;
        list->again[count++] = reader;
    }
    TRY(count > 1 ? sort_items(list->again_key, list->again, count, error) : STATUS_OK);
    for (uint32_t i = 0; i < count; i++)
        rank(list, list->again[i]);
    return STATUS_OK;
}

/* How many operators read what this one writes; UINT32_MAX where that is a single number. The
   operators that were counted are marked. */
static uint32_t count_users(struct list *list, uint32_t op)
{
    const struct order_view *view = list->run.view;
    const struct order_lists *outputs = &view->outputs, *readers = &view->readers;
    uint32_t users = 0;
    for (uint32_t i = outputs->start[op]; i < outputs->start[op + 1]; i++) {
        uint32_t t = outputs->item[i];
        for (uint32_t k = readers->start[t]; k < readers->start[t + 1]; k++) {
            users += list->noted_by[readers->item[k]] != op;
            list->noted_by[readers->item[k]] = op;
        }
    }
    if (!view->graph || order_lists_count(outputs, op) != 1)
        return users;
    uint32_t number = view->graph_tensor[outputs->item[outputs->start[op]]];
    if (number == GRAPH_NONE || !view->graph->tensor[number].has_shape)
        return users;
    const struct graph_tensor *tensor = &view->graph->tensor[number];
    for (uint32_t i = 0; i < tensor->rank; i++)
        if (tensor->dimension[i] > 1)
            return users;
    return UINT32_MAX;
}

static enum status order_by_list(const struct order_row *row, const struct order_task *task,
                                 uint32_t *permutation, struct order_report *report,
                                 struct error *error)
{
    const struct order_view *view = task->view;
    const struct order_lists *after = &view->successors;
    struct scratch *scratch = task->scratch;
    uint32_t count = view->operators;
    struct list list = {.heap = {.comes_first = comes_first, .context = &list}};
    (void)row;
    TRY(order_run_take(view, &list.run, scratch, error));
    TRY(ready_heap_create(&list.heap, count, scratch, error));
    TRY(scratch_take_all(scratch, count, error, &list.gain, &list.users, &list.ranked_at,
                         &list.again, &list.again_key, &list.noted_by));
    TRY(scratch_take(scratch, &list.input_index, view->tensors, sizeof(uint32_t), error));
    memset(list.noted_by, 0xff, count * sizeof *list.noted_by);
    for (uint32_t v = 0; v < count; v++)
        list.users[v] = count_users(&list, v);
    memset(list.noted_by, 0xff, count * sizeof *list.noted_by);
    for (uint32_t v = 0; v < count; v++)
        if (order_run_is_ready(&list.run, v))
            rank(&list, v);
    while (list.heap.count) {
        uint32_t op = ready_heap_pop(&list.heap);
        permutation[list.run.done] = op;
        order_run_step(&list.run, op);
        for (uint32_t i = after->start[op]; i < after->start[op + 1]; i++)
            if (order_run_is_ready(&list.run, after->item[i]))
                rank(&list, after->item[i]);
        TRY(rank_again(&list, op, error));
    }
    *report = (struct order_report){.status = PLAN_FEASIBLE, .load_bytes = list.run.load_bytes};
    return STATUS_OK;
}

const struct order_row order_xla_list = {
    .name = "xla_list",
    .title = "what frees most beyond what it defines, then what has most users",
    .source = "XLA ListMemoryScheduler, hlo_memory_scheduler.cc",
    .order = order_by_list,
};
