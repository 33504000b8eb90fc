#include "heuristics/heuristics.h"

#include "heuristics/naive.h"
#include "heuristics/omni_genetic.h"
#include "heuristics/omni_orders.h"
#include "heuristics/omni_telamalloc.h"
#include "heuristics/omni_walk.h"
#include "heuristics/order_fit.h"
#include "heuristics/usmp_climb.h"
#include "heuristics/vela_climb.h"

#define ORDER_FIT(name_, order_, fit_, title_, source_)                                            \
    {                                                                                              \
        .name = name_, .family = "order_fit", .title = title_, .source = source_,                  \
        .flags = PLANNER_NO_WINDOWS, .rule = &(const struct order_fit){order_, fit_},              \
        .plan = order_fit_plan                                                                     \
    }

#define WANG "Wang et al., J. NUDT 47(6), 2025, section 1.1"

#define ORDER_SEARCH(name_, rule_, options_, randomised, title_, source_)                          \
    {                                                                                              \
        .name = name_, .family = "order_search", .title = title_, .source = source_,               \
        .flags = PLANNER_NO_WINDOWS | PLANNER_SEARCHES | (randomised), .rule = rule_,              \
        .options = options_, .plan = order_search_plan                                             \
    }

#define USMP "TVM src/tir/usmp/algo/hill_climb.cc"
#define OMNI "OmniMalloc (Peddinghaus, 2025) "

/* To add a heuristic: its file and a row here. Names are unique across all planners. */
static const struct planner heuristics[] = {
    {.name = "naive",
     .family = "baseline",
     .title = "no reuse: all buffers end to end",
     .source = WANG,
     .plan = naive_plan},
    ORDER_FIT("sequential", "birth", "first", "execution order, lowest offset", WANG),
    ORDER_FIT("large_first", "size", "first", "largest first, lowest offset", WANG),
    ORDER_FIT("short_first", "duration_rising", "first", "shortest life first, lowest offset",
              WANG),
    ORDER_FIT("size_best_fit", "size", "best", "largest first, smallest gap",
              "Pisarchyk and Lee, arXiv 2001.03288, greedy by size for offsets"),
    ORDER_FIT("size_duration_first_fit", "size_duration", "first",
              "largest first, then longest, lowest offset",
              "Lamprakos et al., arXiv 2504.04874, starting order"),
    ORDER_FIT("size_duration_best_fit", "size_duration", "best",
              "largest first, then longest, smallest gap",
              "OpenXLA heap_simulator.cc, spatial order on whole steps"),
    ORDER_FIT("duration_size_first_fit", "duration_size", "first",
              "longest first, then largest, lowest offset",
              "OpenXLA heap_simulator.cc, temporal order, lowest offset"),
    ORDER_FIT("duration_size_best_fit", "duration_size", "best",
              "longest first, then largest, smallest gap",
              "OpenXLA heap_simulator.cc, temporal order on whole steps"),
    ORDER_FIT("area_first_fit", "area", "first", "bytes times steps, lowest offset",
              "OpenXLA heap_simulator.cc, spatial-temporal order, lowest offset"),
    ORDER_FIT("area_best_fit", "area", "best", "bytes times steps, smallest gap",
              "OpenXLA heap_simulator.cc, spatial-temporal order"),
    ORDER_FIT("conflicts_size_first_fit", "conflicts_size", "first",
              "most conflicts first, then largest, lowest offset",
              "the order of TVM USMP greedy_by_conflicts with first fit"),
    ORDER_FIT("birth_best_fit", "birth", "best", "execution order, smallest gap",
              "IREE LayoutSlices.cpp on slices in definition order"),
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

uint32_t heuristics_count(void)
{
    return sizeof heuristics / sizeof *heuristics;
}

const struct planner *heuristics_at(uint32_t index)
{
    return &heuristics[index];
}
