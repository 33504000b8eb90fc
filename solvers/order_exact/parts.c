#include "solvers/order_exact/parts.h"

#include <string.h>

#include "core/memory.h"

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

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
        least = lesser(least, find_last_before(view, v));
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

enum status order_parts_create(const struct order_view *view, struct order_parts *parts,
                               struct error *error)
{
    enum status status;
    *parts = (struct order_parts){.view = view};
    TRY_OR_DONE(status,
                memory_create(&parts->first_after, view->operators, sizeof(uint32_t), error));
    TRY_OR_DONE(status,
                memory_create(&parts->last_before, view->operators, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&parts->local, view->tensors, sizeof(uint32_t), error));
    TRY_OR_DONE(status, memory_create(&parts->unread, view->tensors, sizeof(uint32_t), error));
    start(parts);
    return STATUS_OK;
done:
    order_parts_free(parts);
    return status;
}

void order_parts_free(struct order_parts *parts)
{
    memory_free(parts->first_after);
    memory_free(parts->last_before);
    memory_free(parts->local);
    memory_free(parts->unread);
    *parts = (struct order_parts){0};
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

/* True if all operators stored before v precede it and all behind it follow it. */
static bool is_cut_point(const struct order_parts *parts, uint32_t v)
{
    return parts->first_after[v] <= v && parts->last_before[v] > v;
}

bool order_parts_next(struct order_parts *parts, bool whole)
{
    uint32_t operators = parts->view->operators;
    if (parts->last > parts->first)
        pass_part(parts);
    parts->first = parts->last;
    if (parts->first == operators)
        return false;
    parts->last = whole ? operators : parts->first + 1;
    while (parts->last < operators && !is_cut_point(parts, parts->last - 1))
        parts->last++;
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

enum status order_parts_view(struct order_parts *parts, struct order_view **created,
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
