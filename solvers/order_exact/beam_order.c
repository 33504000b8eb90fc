/* A beam search: of all states in which the same number of operators ran, only the best are
   expanded. A state is the set of operators that ran. */

#include "solvers/order_exact/by_parts.h"
#include "solvers/order_exact/search/search.h"

enum { WIDTH, MEMORY };

static const struct planner_option options[] = {
    [WIDTH] = {"width", "states that are kept of each size", 64, 1, 1000000},
    [MEMORY] = {"memory", "MiB that the states may take", 1024, 1, 1000000},
    {NULL, NULL, 0, 0, 0},
};

static enum status order_by_beam(const struct order_row *row, const struct order_task *task,
                                 uint32_t *permutation, struct order_report *report,
                                 struct error *error)
{
    const struct order_by_parts how = {.search = order_beam,
                                       .rules = ORDER_ALL_RULES,
                                       .width = (uint32_t)order_option_value(row, WIDTH),
                                       .most_bytes = order_option_value(row, MEMORY) << 20};
    return order_by_parts(&how, task, permutation, report, error);
}

const struct order_row order_beam_order = {
    .name = "beam",
    .title = "keeps the best states of each number of operators that ran",
    .source = "ours",
    .flags = ORDER_EXACT | ORDER_SEARCHES,
    .options = options,
    .order = order_by_beam,
};
