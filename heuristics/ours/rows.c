#include "heuristics/common/family.h"
#include "heuristics/ours/descent.h"
#include "heuristics/ours/portfolio.h"

static const struct planner rows[] = {
    {.name = "descent",
     .family = "ours",
     .title = "local search over ranks that are placed from the bottom up",
     .source = "memplan: heuristics/ours/descent.h",
     .flags = PLANNER_NO_WINDOWS | PLANNER_SEARCHES | PLANNER_RANDOMISED,
     .rule = &descent_rule,
     .options = descent_options,
     .plan = order_search_plan},
    {.name = "portfolio",
     .family = "ours",
     .title = "the best of quick rules and of a descent, within the time limit",
     .source = "memplan: heuristics/ours/portfolio.h",
     .flags = PLANNER_NO_WINDOWS | PLANNER_SEARCHES | PLANNER_RANDOMISED,
     .options = portfolio_options,
     .plan = portfolio_plan},
};

HEURISTICS_FAMILY_DEFINE(ours, rows);
