/* Finds an order of the least load, and proves that no order has a lower one. */

#include <assert.h>

#include "solvers/order_exact/by_parts.h"
#include "solvers/order_exact/search/search.h"
#include "solvers/order_exact/solve.h"

/* The first options are the rules of enum order_rule, in the order of their bits. */
enum { RULES = 8, BEST_FIRST = RULES, WIDTH, MEMORY };

static const struct planner_option options[] = {
    {"lazy_sources", "what frees nothing runs right before it is needed", 1, 0, 1},
    {"lazy", "so does what frees no more than it writes", 1, 0, 1},
    {"forced", "what adds no live bytes runs at once", 1, 0, 1},
    {"valleys", "so do several operators that together add none", 1, 0, 1},
    {"cuts", "parts between cut points are ordered apart", 1, 0, 1},
    {"twins", "operators that may be exchanged run in stored order", 1, 0, 1},
    {"must_live", "what must be live when an operator runs is a bound", 1, 0, 1},
    {"pivots", "so is the best order of a few operators, the others run at will", 1, 0, 1},
    [BEST_FIRST] = {"best_first", "one search by least load, instead of yes-no questions", 0, 0, 1},
    [WIDTH] = {"width", "states that the first search keeps of each size", 64, 1, 1000000},
    [MEMORY] = {"memory", "MiB that the states may take", 1024, 1, 1000000},
    {NULL, NULL, 0, 0, 0},
};

static enum status search_best_first(const struct order_model *model,
                                     const struct order_effort *effort, struct order_answer *answer,
                                     struct error *error)
{
    TRY(order_beam(model, effort, answer, error));
    return order_search(model, effort, answer, error);
}

static enum status order_exactly(const struct order_row *row, const struct order_task *task,
                                 uint32_t *permutation, struct order_report *report,
                                 struct error *error)
{
    struct order_by_parts how = {.search = order_solve,
                                 .width = (uint32_t)order_option_value(row, WIDTH),
                                 .most_bytes = order_option_value(row, MEMORY) << 20};
    if (order_option_value(row, BEST_FIRST))
        how.search = search_best_first;
    for (uint32_t i = 0; i < RULES; i++)
        how.rules |= (unsigned)order_option_value(row, i) << i;
    assert((how.rules & ~(unsigned)ORDER_ALL_RULES) == 0);
    return order_by_parts(&how, task, permutation, report, error);
}

const struct order_row order_exact_order = {
    .name = "exact_order",
    .title = "the least load of all orders, by questions over downsets",
    .source = "ours",
    .flags = ORDER_EXACT | ORDER_SEARCHES,
    .options = options,
    .order = order_exactly,
};
