#include "heuristics/descent.h"
#include "heuristics/families.h"
#include "heuristics/portfolio.h"

static const struct planner rows[] = {
    {.name = "descent",
     .family = "ours",
     .title = "local search over ranks that are placed from the bottom up",
     .source = "memplan: heuristics/descent.h",
     .flags = PLANNER_NO_WINDOWS | PLANNER_SEARCHES | PLANNER_RANDOMISED,
     .rule = &descent_rule,
     .options = descent_options,
     .plan = order_search_plan},
    {.name = "portfolio",
     .family = "ours",
     .title = "the best of quick rules and of a descent, within the time limit",
     .source = "memplan: heuristics/portfolio.h",
     .flags = PLANNER_NO_WINDOWS | PLANNER_SEARCHES | PLANNER_RANDOMISED,
     .options = portfolio_options,
     .plan = portfolio_plan},
};

const struct heuristics_family heuristics_ours = {rows, sizeof rows / sizeof *rows};
