#include "heuristics/common/family.h"
#include "heuristics/order_search/omni/genetic.h"
#include "heuristics/order_search/omni/orders.h"
#include "heuristics/order_search/omni/telamalloc.h"
#include "heuristics/order_search/omni/walk.h"

#define OMNI "OmniMalloc (Peddinghaus, 2025) "

static const struct planner rows[] = {
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

HEURISTICS_FAMILY_DEFINE(omni, rows);
