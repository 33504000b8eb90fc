/* XLA's depth-first scheduler: a walk that goes first to the operand with most further readers
   below it, then to the one with most bytes below it, then by name. The numbers below an operator
   are the sums over its operands, in which shared operators count several times, but never more
   than the number and the bytes of all operators so far. The walk begins at operators that nobody
   needs, in stored order, and ends with those that write kept tensors, which stand for the operands
   of XLA's root. */

#include <stdlib.h>
#include <string.h>

#include "core/compare.h"
#include "core/sort.h"
#include "ordering/common/post_order.h"
#include "planning/order/order.h"

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

static enum status order_depth_first(const struct order_row *row, const struct order_task *task,
                                     uint32_t *permutation, struct order_report *report,
                                     struct error *error)
{
    const struct order_view *view = task->view;
    const struct order_lists *operands = &view->predecessors, *outputs = &view->outputs;
    struct scratch *scratch = task->scratch;
    uint64_t *extra_below; /* [operators] readers beyond the first, of it and all below it */
    uint64_t *bytes_below; /* [operators] of it and all below it */
    uint32_t *place;       /* [operators] among the names */
    struct named *named;
    struct order_lists ranked;
    struct post_order walk;
    uint32_t *rank, count = view->operators;
    uint64_t all_bytes = 0;
    bool *is_kept; /* [operators] */
    (void)row;
    TRY(scratch_take_all(scratch, count, error, &extra_below, &bytes_below, &place, &rank, &named,
                         &is_kept));
    for (uint32_t v = 0; v < count; v++)
        named[v] = (struct named){view->graph ? order_view_name(view, v, NULL, 0) : "", v};
    qsort(named, count, sizeof *named, compare_names);
    /* No sum goes beyond what all operators so far have, so that all fit. */
    for (uint32_t v = 0; v < count; v++) {
        uint32_t users = order_lists_count(&view->successors, v);
        uint64_t extra = users ? users - 1 : 0, bytes = order_view_sum(view, outputs, v);
        all_bytes += bytes;
        for (uint32_t i = operands->start[v]; i < operands->start[v + 1]; i++) {
            extra += extra_below[operands->item[i]];
            extra = extra < count ? extra : count;
            uint64_t more = bytes_below[operands->item[i]];
            bytes = bytes > all_bytes - more ? all_bytes : bytes + more;
        }
        extra_below[v] = extra;
        bytes_below[v] = bytes;
        place[named[v].op] = v;
        for (uint32_t i = outputs->start[v]; i < outputs->start[v + 1]; i++)
            is_kept[v] |= view->kept[outputs->item[i]];
    }
    const struct sort_key keys[SORT_MOST_KEYS] = {{SORT_ARRAY(extra_below), .descending = true},
                                                  {SORT_ARRAY(bytes_below), .descending = true},
                                                  {SORT_ARRAY(place)}};
    TRY(sort_by_keys(keys, NULL, count, rank, error));
    TRY(post_order_rank(view, rank, &ranked, scratch, error));
    TRY(post_order_create(&walk, &ranked, permutation, scratch, error));
    for (uint32_t v = 0; v < count; v++)
        if (!order_lists_count(&view->successors, v) && !is_kept[v])
            post_order_visit(&walk, v);
    for (uint32_t i = 0; i < count; i++)
        if (is_kept[rank[i]])
            post_order_visit(&walk, rank[i]);
    return order_report_feasible(view, permutation, report, error);
}

const struct order_row order_xla_dfs = {
    .name = "xla_dfs",
    .title = "post-order, operands with most further readers and bytes below them first",
    .source = "XLA DFSMemoryScheduler, hlo_memory_scheduler.cc",
    .order = order_depth_first,
};
