#include "solvers/order_exact/by_parts.h"

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/order/order_load.h"
#include "solvers/order_exact/rules.h"

/* An operator is a cut point if each other operator has to precede or to follow it: in every order
   the same operators run before it. The parts between cut points can be ordered independently of
   each other, and the load is the greatest load of any part. */

struct order_parts {
    const struct order_view *view;
    uint32_t *first_after; /* [operators] greatest first successor of operators before it */
    uint32_t *last_before; /* [operators] least last predecessor of those behind it, plus 1 */
    uint32_t *local;       /* [tensors] number in the part's view, ORDER_NONE */
    uint32_t *unread;      /* [tensors] readers in the part and behind it, 1 more for kept */
    uint64_t live_bytes;   /* where the part begins */
    struct scratch memory;
    uint32_t first, last; /* the part: operators [first, last) in stored order */
};

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Before the first part. O(uses). */
static enum status create_parts(const struct order_view *view, struct order_parts *parts,
                                struct error *error)
{
    const struct order_lists *before = &view->predecessors, *after = &view->successors;
    uint32_t n = view->operators, most = 0, least = ORDER_NONE;
    struct scratch *memory = &parts->memory;
    *parts = (struct order_parts){.view = view};
    TRY(scratch_take_all(memory, n, error, &parts->first_after, &parts->last_before));
    TRY(scratch_take_all(memory, view->tensors, error, &parts->local, &parts->unread));
    /* Successors ascend; an operator without any, which nothing follows, is no cut point for those
       before it, nor is one without predecessors for those behind it. */
    for (uint32_t v = 0; v < n; v++) {
        parts->first_after[v] = most;
        most =
            greater(most, order_lists_count(after, v) ? after->item[after->start[v]] : ORDER_NONE);
    }
    for (uint32_t v = n; v-- > 0;) {
        uint32_t last = 0;
        parts->last_before[v] = least;
        for (uint32_t i = before->start[v]; i < before->start[v + 1]; i++)
            last = greater(last, before->item[i] + 1);
        least = last < least ? last : least;
    }
    memset(parts->local, 0xff, view->tensors * sizeof *parts->local);
    for (uint32_t t = 0; t < view->tensors; t++) {
        parts->unread[t] = order_lists_count(&view->readers, t) + view->kept[t];
        if (view->producer[t] == ORDER_NONE && parts->unread[t])
            parts->live_bytes += view->bytes[t];
    }
    return STATUS_OK;
}

/* Goes to the next part, and to all the rest as one where whole is set; false behind the last. */
static bool go_to_next_part(struct order_parts *parts, bool whole)
{
    const struct order_view *view = parts->view;
    const struct order_lists *inputs = &view->inputs, *outputs = &view->outputs;
    assert(parts->first <= parts->last && parts->last <= view->operators);
    /* The operators of the part run in stored order, to know what is live behind it. */
    for (uint32_t i = outputs->start[parts->first]; i < outputs->start[parts->last]; i++)
        if (parts->unread[outputs->item[i]])
            parts->live_bytes += view->bytes[outputs->item[i]];
    for (uint32_t i = inputs->start[parts->first]; i < inputs->start[parts->last]; i++) {
        assert(parts->unread[inputs->item[i]] > 0);
        if (--parts->unread[inputs->item[i]] == 0)
            parts->live_bytes -= view->bytes[inputs->item[i]];
    }
    parts->first = parts->last;
    if (parts->first == view->operators)
        return false;
    parts->last = whole ? view->operators : parts->first + 1;
    assert(parts->last > parts->first);
    /* A part ends behind a cut point: all operators stored before that one precede it, and all
       behind it follow it. */
    for (; parts->last < view->operators; parts->last++)
        if (parts->first_after[parts->last - 1] < parts->last &&
            parts->last_before[parts->last - 1] >= parts->last)
            break;
    return true;
}

/* The view of a part, and the room in its lists. */
struct part_view {
    struct order_view *view;
    size_t bytes_capacity, producer_capacity, kept_capacity, tensor_capacity;
};

static enum status add_tensor(struct part_view *made, uint64_t bytes, uint32_t producer, bool kept,
                              uint32_t graph_tensor, struct error *error)
{
    struct order_view *view = made->view;
    uint32_t at = view->tensors;
    size_t needed = (size_t)at + 1;
    TRY(memory_reserve(&view->bytes, &made->bytes_capacity, needed, sizeof(uint64_t), error));
    TRY(memory_reserve(&view->producer, &made->producer_capacity, needed, sizeof(uint32_t), error));
    TRY(memory_reserve(&view->kept, &made->kept_capacity, needed, sizeof(bool), error));
    TRY(memory_reserve(&view->graph_tensor, &made->tensor_capacity, needed, sizeof(uint32_t),
                       error));
    assert(producer == ORDER_NONE || producer < view->operators);
    view->bytes[at] = bytes;
    view->producer[at] = producer;
    view->kept[at] = kept;
    view->graph_tensor[at] = graph_tensor;
    view->tensors++;
    return STATUS_OK;
}

/* Puts a tensor that an operator of the part reads or writes into its view, unless it is there.
   What was written before the part is there from the start, what is read behind it is kept. */
static enum status take_tensor(const struct order_parts *parts, struct part_view *made, uint32_t t,
                               uint64_t *passing_bytes, struct error *error)
{
    const struct order_view *from = parts->view;
    const struct order_lists *readers = &from->readers;
    uint32_t producer = from->producer[t];
    bool is_read_behind = order_lists_count(readers, t) > 0 &&
                          readers->item[readers->start[t + 1] - 1] >= parts->last;
    if (parts->local[t] != ORDER_NONE)
        return STATUS_OK;
    assert(producer == ORDER_NONE || producer < parts->last);
    if (producer == ORDER_NONE || producer < parts->first)
        *passing_bytes -= from->bytes[t];
    parts->local[t] = made->view->tensors;
    assert(*passing_bytes <= parts->live_bytes);
    producer =
        producer == ORDER_NONE || producer < parts->first ? ORDER_NONE : producer - parts->first;
    return add_tensor(made, from->bytes[t], producer, from->kept[t] || is_read_behind,
                      from->graph_tensor[t], error);
}

/* Does the same for all operators of the part: fills the lists of what they read, write and wait
   for. */
static enum status take_lists(const struct order_parts *parts, struct part_view *made,
                              uint64_t *passing_bytes, struct error *error)
{
    const struct order_view *from = parts->view;
    struct order_view *view = made->view;
    const struct order_lists *tensors[] = {&from->inputs, &from->outputs};
    const struct order_lists *edges[] = {&from->before, &from->predecessors};
    struct order_lists *own_tensors[] = {&view->inputs, &view->outputs};
    struct order_lists *own_edges[] = {&view->before, &view->predecessors};
    for (uint32_t v = parts->first; v < parts->last; v++)
        for (int k = 0; k < 2; k++) {
            for (uint32_t i = tensors[k]->start[v]; i < tensors[k]->start[v + 1]; i++) {
                uint32_t t = tensors[k]->item[i];
                TRY(take_tensor(parts, made, t, passing_bytes, error));
                assert(parts->local[t] < view->tensors);
                TRY(order_lists_add(own_tensors[k], parts->local[t], error));
            }
            TRY(order_lists_close_row(own_tensors[k], error));
            for (uint32_t i = edges[k]->start[v]; i < edges[k]->start[v + 1]; i++)
                if (edges[k]->item[i] >= parts->first)
                    TRY(order_lists_add(own_edges[k], edges[k]->item[i] - parts->first, error));
            TRY(order_lists_close_row(own_edges[k], error));
        }
    return STATUS_OK;
}

/* A view of the part alone. What is only passed by is one more tensor. O(uses of the part). */
static enum status make_view(const struct order_parts *parts, struct order_view **created,
                             struct error *error)
{
    const struct order_view *from = parts->view;
    const struct order_lists *used[] = {&from->inputs, &from->outputs};
    SCOPED(order_view_release) struct order_view *view = NULL;
    uint32_t first = parts->first, count = parts->last - first, first_spared;
    uint64_t passing_bytes = parts->live_bytes;
    assert(parts->last > first);
    TRY(memory_create(&view, 1, sizeof *view, error));
    struct part_view made = {.view = view};
    view->operators = count;
    view->graph = from->graph;
    view->first_bytes = first ? 0 : from->first_bytes;
    TRY(memory_create_all(count, error, &view->alloc_bytes, &view->graph_operator));
    TRY(memory_create(&view->first_spared, (size_t)count + 1, sizeof(uint32_t), error));
    first_spared = from->first_spared[first];
    TRY(memory_create(&view->spared, from->first_spared[parts->last] - first_spared,
                      sizeof *view->spared, error));
    enum status status = take_lists(parts, &made, &passing_bytes, error);
    for (uint32_t v = 0; v < count && !status; v++) {
        view->alloc_bytes[v] = from->alloc_bytes[first + v];
        view->graph_operator[v] = from->graph_operator[first + v];
        view->first_spared[v + 1] = from->first_spared[first + v + 1] - first_spared;
    }
    for (uint32_t i = 0; i < view->first_spared[count]; i++) {
        const struct order_spared *spared = &from->spared[first_spared + i];
        assert(parts->local[spared->input] != ORDER_NONE);
        assert(parts->local[spared->group] != ORDER_NONE);
        view->spared[i] = (struct order_spared){parts->local[spared->input],
                                                parts->local[spared->group], spared->bytes};
    }
    for (int k = 0; k < 2; k++)
        for (uint32_t i = used[k]->start[first]; i < used[k]->start[parts->last]; i++)
            parts->local[used[k]->item[i]] = ORDER_NONE;
    TRY(status);
    assert(passing_bytes <= parts->live_bytes);
    TRY(add_tensor(&made, passing_bytes, ORDER_NONE, true, GRAPH_NONE, error));
    TRY(order_lists_turn(&view->predecessors, count, &view->successors, error));
    TRY(order_lists_turn(&view->inputs, view->tensors, &view->readers, error));
    HAND_OVER(view, created);
}

/* With more operators than this it may take long until a search has found anything, if it fits into
   the memory at all. The orders by rule are therefore tried first. */
enum { MOST_SMALL = 2000 };

struct passing {
    const struct order_by_parts *how;
    struct order_effort effort;
    struct order_parts parts;
    uint32_t *permutation; /* [operators] the order so far */
    uint32_t *local;       /* [operators] the order of a part, in its own numbers */
    uint64_t bound_bytes, states;
    struct error *error;
};

/* Raises the bound by that of the part, and searches it where that is asked. Since every order has
   the same operators between two cut points, an order of the part takes the place of its stretch of
   the whole order. */
static enum status search_or_bound(struct passing *passing, bool search)
{
    SCOPED(order_view_release) struct order_view *view = NULL;
    SCOPED(order_model_release) struct order_model *model = NULL;
    uint32_t first = passing->parts.first;
    TRY(make_view(&passing->parts, &view, passing->error));
    TRY(order_model_create(view, passing->how->rules, passing->effort.most_bytes, &model,
                           passing->error));
    if (order_model_bound(model) > passing->bound_bytes)
        passing->bound_bytes = order_model_bound(model);
    if (!search)
        return STATUS_OK;
    struct order_answer answer = {.permutation = passing->local,
                                  .bound_bytes = passing->bound_bytes};
    assert(first + model->operators == passing->parts.last);
    for (uint32_t i = 0; i < model->operators; i++)
        passing->local[i] = passing->permutation[first + i] - first;
    TRY(order_load(view, passing->local, &answer.load_bytes, passing->error));
    if (answer.load_bytes > answer.bound_bytes)
        TRY(passing->how->search(model, &passing->effort, &answer, passing->error));
    for (uint32_t i = 0; i < model->operators; i++)
        passing->permutation[first + i] = first + passing->local[i];
    if (answer.bound_bytes > passing->bound_bytes)
        passing->bound_bytes = answer.bound_bytes;
    passing->states += answer.states;
    return STATUS_OK;
}

static enum status pass_parts(struct passing *passing, const struct order_view *view, bool search)
{
    bool whole = !(passing->how->rules & ORDER_CUTS);
    enum status status = create_parts(view, &passing->parts, passing->error);
    while (!status && go_to_next_part(&passing->parts, whole)) {
        status = search_or_bound(passing, search);
        if (status == STATUS_LIMIT) /* a part that is too large for the memory stays as it is */
            status = STATUS_OK;
    }
    scratch_free(&passing->parts.memory);
    return status;
}

enum status order_by_parts(const struct order_by_parts *how, const struct order_task *task,
                           uint32_t *permutation, struct order_report *report, struct error *error)
{
    const struct order_view *view = task->view;
    SCOPED(memory_release) uint32_t *local = NULL;
    TRY(memory_create(&local, view->operators, sizeof *local, error));
    struct passing passing = {.how = how,
                              .effort = {.deadline_ns = clock_deadline_ns(task->time_limit_ns),
                                         .most_bytes = how->most_bytes,
                                         .width = how->width},
                              .permutation = permutation,
                              .local = local,
                              .error = error};
    if (task->memory_limit_bytes < passing.effort.most_bytes)
        passing.effort.most_bytes = task->memory_limit_bytes;
    for (uint32_t v = 0; v < view->operators; v++)
        permutation[v] = v;
    if (view->operators > MOST_SMALL) {
        struct order_answer answer = {.permutation = permutation};
        TRY(order_load(view, permutation, &answer.load_bytes, error));
        TRY(order_rules_try(view, passing.effort.deadline_ns, &answer, error));
        passing.bound_bytes = answer.bound_bytes;
    }
    TRY(pass_parts(&passing, view, false));
    /* Now the bounds of all parts are known. The load is the greatest of all parts, so that in the
       second pass no part has to get below the greatest bound. */
    if (clock_left_ns(passing.effort.deadline_ns))
        TRY(pass_parts(&passing, view, true));
    *report = (struct order_report){.bound_bytes = passing.bound_bytes, .states = passing.states};
    TRY(order_load(view, permutation, &report->load_bytes, error));
    assert(report->bound_bytes <= report->load_bytes);
    report->status = report->load_bytes <= report->bound_bytes ? PLAN_OPTIMAL : PLAN_FEASIBLE;
    return STATUS_OK;
}
