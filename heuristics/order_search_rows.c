#include "heuristics/families.h"
#include "heuristics/omni_genetic.h"
#include "heuristics/omni_orders.h"
#include "heuristics/omni_telamalloc.h"
#include "heuristics/omni_walk.h"
#include "heuristics/usmp_climb.h"
#include "heuristics/vela_climb.h"

#define ORDER_SEARCH(name_, rule_, options_, randomised, title_, source_)                          \
    {                                                                                              \
        .name = name_, .family = "order_search", .title = title_, .source = source_,               \
        .flags = PLANNER_NO_WINDOWS | PLANNER_SEARCHES | (randomised), .rule = rule_,              \
        .options = options_, .plan = order_search_plan                                             \
    }

#define USMP "TVM src/tir/usmp/algo/hill_climb.cc"
#define OMNI "OmniMalloc (Peddinghaus, 2025) "

static const struct planner rows[] = {
    ORDER_SEARCH("usmp_hill_climb", &usmp_climb_rule, usmp_climb_options, PLANNER_RANDOMISED,
                 "hill climb that returns its last accepted plan, as published", USMP),
    ORDER_SEARCH("usmp_hill_climb_best", &usmp_climb_best_rule, usmp_climb_options,
                 PLANNER_RANDOMISED, "hill climb of USMP that returns its best plan", USMP),
    ORDER_SEARCH("vela_hill_climb", &vela_climb_rule, vela_climb_options, PLANNER_RANDOMISED,
                 "hill climb on what the highest buffer rests on",
                 "Arm ethos-u-vela hillclimb_allocation.py, regor hillclimb_allocator.cpp"),
    ORDER_SEARCH("omni_greedy", &omni_greedy_rule, NULL, 0, "the best of seven orders, first fit",
                 OMNI "greedy.py"),
    ORDER_SEARCH("omni_random", &omni_random_rule, omni_random_options, PLANNER_RANDOMISED,
                 "the best of 100 random orders, first fit", OMNI "random.py"),
    ORDER_SEARCH("omni_hill_climb", &omni_hill_climb_rule, omni_hill_climb_options,
                 PLANNER_RANDOMISED, "exchanges below the peak, never to a higher one",
                 OMNI "hillclimb.py"),
    ORDER_SEARCH("omni_annealing", &omni_annealing_rule, omni_annealing_options, PLANNER_RANDOMISED,
                 "exchanges below the peak, simulated annealing", OMNI "simulated_annealing.cpp"),
    ORDER_SEARCH("omni_tabu", &omni_tabu_rule, omni_tabu_options, PLANNER_RANDOMISED,
                 "exchanges below the peak, tabu search", OMNI "tabu_search.cpp"),
    ORDER_SEARCH("omni_genetic", &omni_genetic_rule, omni_genetic_options, PLANNER_RANDOMISED,
                 "genetic search over orders", OMNI "genetic.py"),
    ORDER_SEARCH("omni_telamalloc", &omni_telamalloc_rule, omni_telamalloc_options,
                 PLANNER_RANDOMISED, "evicts what is in the way below a bisected capacity",
                 OMNI "telamalloc.cpp, after Maas et al., ASPLOS 2023"),
};

const struct heuristics_family heuristics_order_search = {rows, sizeof rows / sizeof *rows};
