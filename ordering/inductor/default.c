/* What Inductor's reorder_for_peak_memory keeps: of the stored order and lpmf, bfs and dfs the one
   of the least load, of equal ones the first in this list. */

#include "ordering/common/best_of.h"

extern const struct order_row order_stored, order_inductor_lpmf, order_inductor_bfs,
    order_inductor_dfs;

static const struct order_row *const tried[] = {&order_stored, &order_inductor_lpmf,
                                                &order_inductor_bfs, &order_inductor_dfs, NULL};

const struct order_row order_inductor = {
    .name = "inductor",
    .title = "the best of stored, inductor_lpmf, inductor_bfs and inductor_dfs",
    .source = "PyTorch Inductor, reorder_for_peak_memory",
    .rule = tried,
    .order = best_of_order,
};
