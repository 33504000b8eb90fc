#include "solvers/order_exact/by_parts.h"

#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/order/order_load.h"
#include "planning/order/order_view.h"
#include "solvers/order_exact/model/model.h"
#include "solvers/order_exact/rules.h"

/* An operator that every other one has to precede or to follow is a cut point: whatever the order,
   the same operators run before it. Between cut points are parts, whose orders have nothing to do
   with each other; the load is the greatest of theirs. */

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

/* The first successor in stored order, as successors ascend; ORDER_NONE, which is greater than all
   operators, where there is none. */
static uint32_t find_first_after(const struct order_view *view, uint32_t v)
{
    return order_lists_count(&view->successors, v) ? *order_lists_begin(&view->successors, v)
                                                   : ORDER_NONE;
}

/* One more than the last predecessor, 0 for none. */
static uint32_t find_last_before(const struct order_view *view, uint32_t v)
{
    uint32_t last = 0;
    for (const uint32_t *p = order_lists_begin(&view->predecessors, v);
         p < order_lists_end(&view->predecessors, v); p++)
        last = greater(last, *p + 1);
    return last;
}

static void fill_reach(struct order_parts *parts)
{
    const struct order_view *view = parts->view;
    uint32_t most = 0, least = ORDER_NONE;
    for (uint32_t v = 0; v < view->operators; v++) {
        parts->first_after[v] = most;
        most = greater(most, find_first_after(view, v));
    }
    for (uint32_t v = view->operators; v-- > 0;) {
        parts->last_before[v] = least;
        uint32_t last = find_last_before(view, v);
        least = last < least ? last : least;
    }
}

static void start(struct order_parts *parts)
{
    const struct order_view *view = parts->view;
    fill_reach(parts);
    memset(parts->local, 0xff, view->tensors * sizeof *parts->local);
    for (uint32_t t = 0; t < view->tensors; t++) {
        parts->unread[t] = order_lists_count(&view->readers, t) + view->kept[t];
        if (view->producer[t] == ORDER_NONE && parts->unread[t])
            parts->live_bytes += view->bytes[t];
    }
}

/* It stands before the first part. O(uses). */
static enum status create_parts(const struct order_view *view, struct order_parts *parts,
                                struct error *error)
{
    enum status status;
    *parts = (struct order_parts){.view = view};
    TRY_OR_DONE(status, scratch_take(&parts->memory, &parts->first_after, view->operators,
                                     sizeof(uint32_t), error));
    TRY_OR_DONE(status, scratch_take(&parts->memory, &parts->last_before, view->operators,
                                     sizeof(uint32_t), error));
    TRY_OR_DONE(status, scratch_take(&parts->memory, &parts->local, view->tensors, sizeof(uint32_t),
                                     error));
    TRY_OR_DONE(status, scratch_take(&parts->memory, &parts->unread, view->tensors,
                                     sizeof(uint32_t), error));
    start(parts);
done:
    return status;
}

/* Runs the operators of the part in stored order, to know what is live behind it. */
static void pass_part(struct order_parts *parts)
{
    const struct order_view *view = parts->view;
    for (uint32_t i = view->outputs.start[parts->first]; i < view->outputs.start[parts->last]; i++)
        if (parts->unread[view->outputs.item[i]])
            parts->live_bytes += view->bytes[view->outputs.item[i]];
    for (uint32_t i = view->inputs.start[parts->first]; i < view->inputs.start[parts->last]; i++)
        if (--parts->unread[view->inputs.item[i]] == 0)
            parts->live_bytes -= view->bytes[view->inputs.item[i]];
}

/* Goes to the next part, and to all the rest as one where whole is set; false behind the last. */
static bool go_to_next_part(struct order_parts *parts, bool whole)
{
    uint32_t operators = parts->view->operators;
    if (parts->last > parts->first)
        pass_part(parts);
    parts->first = parts->last;
    if (parts->first == operators)
        return false;
    parts->last = whole ? operators : parts->first + 1;
    /* A part ends behind a cut point: all operators stored before that one precede it, and all
       behind it follow it. */
    for (; parts->last < operators; parts->last++)
        if (parts->first_after[parts->last - 1] < parts->last &&
            parts->last_before[parts->last - 1] >= parts->last)
            break;
    return true;
}

/* What is known while a part's view is filled. */
struct cutting {
    struct order_parts *parts;
    struct order_view *view;
    size_t bytes_capacity, producer_capacity, kept_capacity, tensor_capacity, spared_capacity;
    uint64_t passing_bytes; /* live where the part begins and not read in it */
    struct error *error;
};

struct made_tensor {
    uint64_t bytes;
    uint32_t producer, graph_tensor;
    bool kept;
};

static enum status add_tensor(struct cutting *cutting, const struct made_tensor *made)
{
    struct order_view *view = cutting->view;
    struct error *error = cutting->error;
    size_t needed = (size_t)view->tensors + 1;
    TRY(memory_reserve(&view->bytes, &cutting->bytes_capacity, needed, sizeof(uint64_t), error));
    TRY(memory_reserve(&view->producer, &cutting->producer_capacity, needed, sizeof(uint32_t),
                       error));
    TRY(memory_reserve(&view->kept, &cutting->kept_capacity, needed, sizeof(bool), error));
    TRY(memory_reserve(&view->graph_tensor, &cutting->tensor_capacity, needed, sizeof(uint32_t),
                       error));
    view->bytes[view->tensors] = made->bytes;
    view->producer[view->tensors] = made->producer;
    view->kept[view->tensors] = made->kept;
    view->graph_tensor[view->tensors++] = made->graph_tensor;
    return STATUS_OK;
}

/* True if the tensor is kept, or read by an operator behind the part. */
static bool is_needed_behind(const struct order_parts *parts, uint32_t t)
{
    const struct order_lists *readers = &parts->view->readers;
    return parts->view->kept[t] ||
           (order_lists_count(readers, t) > 0 && order_lists_end(readers, t)[-1] >= parts->last);
}

static enum status take_tensor(struct cutting *cutting, uint32_t t)
{
    struct order_parts *parts = cutting->parts;
    uint32_t producer = parts->view->producer[t];
    bool from_before = producer == ORDER_NONE || producer < parts->first;
    if (parts->local[t] != ORDER_NONE)
        return STATUS_OK;
    if (from_before)
        cutting->passing_bytes -= parts->view->bytes[t];
    parts->local[t] = cutting->view->tensors;
    return add_tensor(cutting, &(struct made_tensor){
                                   .bytes = parts->view->bytes[t],
                                   .producer = from_before ? ORDER_NONE : producer - parts->first,
                                   .graph_tensor = parts->view->graph_tensor[t],
                                   .kept = is_needed_behind(parts, t)});
}

static enum status take_tensors(struct cutting *cutting, const struct order_lists *from,
                                struct order_lists *to, uint32_t v)
{
    for (uint32_t i = from->start[v]; i < from->start[v + 1]; i++) {
        TRY(take_tensor(cutting, from->item[i]));
        TRY(order_lists_add(to, cutting->parts->local[from->item[i]], cutting->error));
    }
    return order_lists_close_row(to, cutting->error);
}

static enum status take_edges(struct cutting *cutting, const struct order_lists *from,
                              struct order_lists *to, uint32_t v)
{
    for (uint32_t i = from->start[v]; i < from->start[v + 1]; i++)
        if (from->item[i] >= cutting->parts->first)
            TRY(order_lists_add(to, from->item[i] - cutting->parts->first, cutting->error));
    return order_lists_close_row(to, cutting->error);
}

static enum status take_spared(struct cutting *cutting, uint32_t v)
{
    const struct order_view *from = cutting->parts->view;
    struct order_view *view = cutting->view;
    uint32_t at = v - cutting->parts->first, count = view->first_spared[at];
    uint32_t first = from->first_spared[v], last = from->first_spared[v + 1];
    TRY(memory_reserve(&view->spared, &cutting->spared_capacity, (size_t)count + last - first,
                       sizeof *view->spared, cutting->error));
    for (uint32_t i = first; i < last; i++) {
        const struct order_spared *spared = &from->spared[i];
        const uint32_t *local = cutting->parts->local;
        view->spared[count++] =
            (struct order_spared){local[spared->input], local[spared->group], spared->bytes};
    }
    view->first_spared[at + 1] = count;
    return STATUS_OK;
}

static enum status take_operator(struct cutting *cutting, uint32_t v)
{
    const struct order_view *from = cutting->parts->view;
    struct order_view *view = cutting->view;
    uint32_t at = v - cutting->parts->first;
    view->alloc_bytes[at] = from->alloc_bytes[v];
    view->graph_operator[at] = from->graph_operator[v];
    TRY(take_tensors(cutting, &from->inputs, &view->inputs, v));
    TRY(take_tensors(cutting, &from->outputs, &view->outputs, v));
    TRY(take_edges(cutting, &from->before, &view->before, v));
    TRY(take_edges(cutting, &from->predecessors, &view->predecessors, v));
    return take_spared(cutting, v);
}

static void forget_locals(struct order_parts *parts)
{
    const struct order_lists *lists[] = {&parts->view->inputs, &parts->view->outputs};
    for (int k = 0; k < 2; k++)
        for (uint32_t i = lists[k]->start[parts->first]; i < lists[k]->start[parts->last]; i++)
            parts->local[lists[k]->item[i]] = ORDER_NONE;
}

static enum status fill_view(struct cutting *cutting)
{
    struct order_parts *parts = cutting->parts;
    struct order_view *view = cutting->view;
    struct error *error = cutting->error;
    view->operators = parts->last - parts->first;
    view->graph = parts->view->graph;
    view->first_bytes = parts->first ? 0 : parts->view->first_bytes;
    TRY(memory_create(&view->alloc_bytes, view->operators, sizeof(uint64_t), error));
    TRY(memory_create(&view->graph_operator, view->operators, sizeof(uint32_t), error));
    TRY(memory_create(&view->first_spared, (size_t)view->operators + 1, sizeof(uint32_t), error));
    for (uint32_t v = parts->first; v < parts->last; v++)
        TRY(take_operator(cutting, v));
    TRY(add_tensor(cutting, &(struct made_tensor){.bytes = cutting->passing_bytes,
                                                  .producer = ORDER_NONE,
                                                  .graph_tensor = GRAPH_NONE,
                                                  .kept = true}));
    TRY(order_lists_turn(&view->predecessors, view->operators, &view->successors, error));
    return order_lists_turn(&view->inputs, view->tensors, &view->readers, error);
}

/* A view of the part alone: what was written before it and is read in it is there from the start,
   what is read behind it is kept, and what is only passed by is one tensor. O(uses of the part). */
static enum status make_view(struct order_parts *parts, struct order_view **created,
                             struct error *error)
{
    struct cutting cutting = {.parts = parts, .passing_bytes = parts->live_bytes, .error = error};
    TRY(memory_create(&cutting.view, 1, sizeof *cutting.view, error));
    enum status status = fill_view(&cutting);
    forget_locals(parts);
    if (status)
        order_view_free(cutting.view);
    else
        *created = cutting.view;
    return status;
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

/* Searches one part. Since every order has the same operators between two cut points, an order of
   the part takes the place of its stretch of the whole order. */
static enum status search_part(struct passing *passing, const struct order_model *model)
{
    uint32_t first = passing->parts.first;
    struct order_answer answer = {.permutation = passing->local,
                                  .bound_bytes = passing->bound_bytes};
    for (uint32_t i = 0; i < model->operators; i++)
        passing->local[i] = passing->permutation[first + i] - first;
    TRY(order_load(model->view, passing->local, &answer.load_bytes, passing->error));
    if (answer.load_bytes > answer.bound_bytes)
        TRY(passing->how->search(model, &passing->effort, &answer, passing->error));
    for (uint32_t i = 0; i < model->operators; i++)
        passing->permutation[first + i] = first + passing->local[i];
    if (answer.bound_bytes > passing->bound_bytes)
        passing->bound_bytes = answer.bound_bytes;
    passing->states += answer.states;
    return STATUS_OK;
}

static enum status search_or_bound(struct passing *passing, bool search)
{
    struct order_view *view;
    struct order_model *model = NULL;
    TRY(make_view(&passing->parts, &view, passing->error));
    enum status status = order_model_create(view, passing->how->rules, passing->effort.most_bytes,
                                            &model, passing->error);
    if (!status && order_model_bound(model) > passing->bound_bytes)
        passing->bound_bytes = order_model_bound(model);
    if (!status && search)
        status = search_part(passing, model);
    order_model_free(model);
    order_view_free(view);
    /* A part that is too large for the memory stays as it is. */
    return status == STATUS_LIMIT ? STATUS_OK : status;
}

static enum status pass_parts(struct passing *passing, const struct order_view *view, bool search)
{
    bool whole = !(passing->how->rules & ORDER_CUTS);
    enum status status = create_parts(view, &passing->parts, passing->error);
    while (!status && go_to_next_part(&passing->parts, whole))
        status = search_or_bound(passing, search);
    scratch_free(&passing->parts.memory);
    return status;
}

/* Finds the order to begin with: the stored one, or for large views the best of the orders by
   rule. */
static enum status find_first_order(struct passing *passing, const struct order_view *view)
{
    struct order_answer answer = {.permutation = passing->permutation};
    for (uint32_t v = 0; v < view->operators; v++)
        passing->permutation[v] = v;
    if (view->operators <= MOST_SMALL)
        return STATUS_OK;
    TRY(order_load(view, passing->permutation, &answer.load_bytes, passing->error));
    TRY(order_rules_try(view, passing->effort.deadline_ns, &answer, passing->error));
    passing->bound_bytes = answer.bound_bytes;
    return STATUS_OK;
}

enum status order_by_parts(const struct order_by_parts *how, const struct order_task *task,
                           uint32_t *permutation, struct order_report *report, struct error *error)
{
    const struct order_view *view = task->view;
    struct passing passing = {.how = how,
                              .effort = {.deadline_ns = clock_deadline_ns(task->time_limit_ns),
                                         .most_bytes = how->most_bytes,
                                         .width = how->width},
                              .permutation = permutation,
                              .error = error};
    if (task->memory_limit_bytes < passing.effort.most_bytes)
        passing.effort.most_bytes = task->memory_limit_bytes;
    TRY(memory_create(&passing.local, view->operators, sizeof(uint32_t), error));
    enum status status = find_first_order(&passing, view);
    if (!status)
        status = pass_parts(&passing, view, false);
    /* Now the bounds of all parts are known. The load is the greatest of all parts, so that in the
       second pass no part has to get below the greatest bound. */
    if (!status && clock_left_ns(passing.effort.deadline_ns))
        status = pass_parts(&passing, view, true);
    memory_free(passing.local);
    TRY(status);
    *report = (struct order_report){.bound_bytes = passing.bound_bytes, .states = passing.states};
    TRY(order_load(view, permutation, &report->load_bytes, error));
    report->status = report->load_bytes <= report->bound_bytes ? PLAN_OPTIMAL : PLAN_FEASIBLE;
    return STATUS_OK;
}
