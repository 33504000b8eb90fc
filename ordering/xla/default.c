/* XLA's default: of its list order, depth-first order and post-order the one of the least load, of
   equal ones the first in this list. */

#include "ordering/common/best_of.h"

extern const struct order_row order_xla_list, order_xla_dfs, order_xla_post;

static const struct order_row *const tried[] = {&order_xla_list, &order_xla_dfs, &order_xla_post,
                                                NULL};

const struct order_row order_xla_default = {
    .name = "xla_default",
    .title = "the best of xla_list, xla_dfs and xla_post",
    .source = "XLA DefaultMemoryScheduler, hlo_memory_scheduler.cc",
    .rule = tried,
    .order = best_of_order,
};
