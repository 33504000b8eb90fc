#include "heuristics/common/family.h"
#include "heuristics/order_search/usmp.h"
#include "heuristics/order_search/vela.h"

#define USMP "TVM src/tir/usmp/algo/hill_climb.cc"

static const struct planner rows[] = {
    ORDER_SEARCH("usmp_hill_climb", &usmp_climb_rule, usmp_climb_options, PLANNER_RANDOMISED,
                 "hill climb that returns its last accepted plan, as published", USMP),
    ORDER_SEARCH("usmp_hill_climb_best", &usmp_climb_best_rule, usmp_climb_options,
                 PLANNER_RANDOMISED, "hill climb of USMP that returns its best plan", USMP),
    ORDER_SEARCH("vela_hill_climb", &vela_climb_rule, vela_climb_options, PLANNER_RANDOMISED,
                 "hill climb on what the highest buffer rests on",
                 "Arm ethos-u-vela hillclimb_allocation.py, regor hillclimb_allocator.cpp"),
};

HEURISTICS_FAMILY_DEFINE(order_search, rows);
