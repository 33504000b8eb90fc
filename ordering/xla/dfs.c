/* XLA's depth-first scheduler: a walk that goes first to the operand with most further readers
   below it, then to the one with most bytes below it, then by name. What is below an operator is
   added up over its operands, also where they share it, but never beyond the number and the bytes
   of all operators summed up so far. The walk begins at what nobody needs, in stored order, and
   ends at what is kept, as at the operands of XLA's root. */

#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/sort.h"
#include "ordering/common/post_order.h"
#include "planning/order/order.h"

struct below {
    const struct order_view *view;
    uint64_t *extra; /* [operators] readers beyond the first, of it and all below it */
    uint64_t *bytes; /* [operators] of it and all below it */
    uint32_t *name;  /* [operators] its place among the names */
};

struct named {
    const char *name;
    uint32_t op;
};

static int compare_names(const void *a, const void *b)
{
    const struct named *first = a, *second = b;
    int by_name = strcmp(first->name, second->name);
    return by_name ? by_name : compare_numbers(first->op, second->op);
}

static enum status sort_names(struct below *below, struct scratch *scratch, struct error *error)
{
    const struct order_view *view = below->view;
    struct named *named;
    TRY(scratch_take(scratch, &named, view->operators, sizeof *named, error));
    for (uint32_t v = 0; v < view->operators; v++)
        named[v] = (struct named){view->graph ? order_view_name(view, v, NULL, 0) : "", v};
    qsort(named, view->operators, sizeof *named, compare_names);
    for (uint32_t i = 0; i < view->operators; i++)
        below->name[named[i].op] = i;
    return STATUS_OK;
}

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Finds what is below each operator. No sum goes beyond what all operators so far have, so that all
   fit. */
static void add_up(struct below *below)
{
    const struct order_view *view = below->view;
    uint64_t all_bytes = 0;
    for (uint32_t v = 0; v < view->operators; v++) {
        uint32_t users = order_lists_count(&view->successors, v);
        uint64_t extra = users ? users - 1 : 0, bytes = order_view_sum(view, &view->outputs, v);
        all_bytes += bytes;
        for (uint32_t i = view->predecessors.start[v]; i < view->predecessors.start[v + 1]; i++) {
            uint32_t operand = view->predecessors.item[i];
            extra = least_of(extra + below->extra[operand], (uint64_t)view->operators);
            bytes = bytes > all_bytes - below->bytes[operand] ? all_bytes
                                                              : bytes + below->bytes[operand];
        }
        below->extra[v] = extra;
        below->bytes[v] = bytes;
    }
}

static uint64_t get_extra(const void *context, uint32_t op)
{
    return ((const struct below *)context)->extra[op];
}

static uint64_t get_bytes(const void *context, uint32_t op)
{
    return ((const struct below *)context)->bytes[op];
}

static uint64_t get_name(const void *context, uint32_t op)
{
    return ((const struct below *)context)->name[op];
}

static bool is_kept(const struct order_view *view, uint32_t op)
{
    for (uint32_t i = view->outputs.start[op]; i < view->outputs.start[op + 1]; i++)
        if (view->kept[view->outputs.item[i]])
            return true;
    return false;
}

static void visit_all(const struct below *below, const uint32_t *rank, struct post_order *walk)
{
    const struct order_view *view = below->view;
    for (uint32_t v = 0; v < view->operators; v++)
        if (!order_lists_count(&view->successors, v) && !is_kept(view, v))
            post_order_visit(walk, v);
    for (uint32_t i = 0; i < view->operators; i++)
        if (is_kept(view, rank[i]))
            post_order_visit(walk, rank[i]);
}

static enum status order_depth_first(const struct order_row *row, const struct order_task *task,
                                     uint32_t *permutation, struct order_report *report,
                                     struct error *error)
{
    static const struct sort_key keys[SORT_MOST_KEYS] = {
        {get_extra, true}, {get_bytes, true}, {get_name, false}};
    struct below below = {.view = task->view};
    struct scratch *scratch = task->scratch;
    struct order_lists ranked;
    struct post_order walk;
    uint32_t *rank, count = task->view->operators;
    (void)row;
    TRY(scratch_take(scratch, &below.extra, count, sizeof *below.extra, error));
    TRY(scratch_take(scratch, &below.bytes, count, sizeof *below.bytes, error));
    TRY(scratch_take(scratch, &below.name, count, sizeof *below.name, error));
    TRY(scratch_take(scratch, &rank, count, sizeof *rank, error));
    TRY(sort_names(&below, scratch, error));
    add_up(&below);
    TRY(sort_by_keys(keys, &below, count, rank, error));
    TRY(post_order_rank(task->view, rank, &ranked, scratch, error));
    TRY(post_order_create(&walk, &ranked, permutation, scratch, error));
    visit_all(&below, rank, &walk);
    return order_report_feasible(task->view, permutation, report, error);
}

const struct order_row order_xla_dfs = {
    .name = "xla_dfs",
    .title = "post-order, operands with most further readers and bytes below them first",
    .source = "XLA DFSMemoryScheduler, hlo_memory_scheduler.cc",
    .order = order_depth_first,
};
