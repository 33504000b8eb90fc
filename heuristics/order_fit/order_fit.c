#include "heuristics/order_fit/order_fit.h"

#include <assert.h>

#include "heuristics/common/order.h"
#include "heuristics/common/rows.h"
#include "planning/arena/placer.h"

enum status order_fit_plan(const struct planner *planner, const struct planner_task *task,
                           struct plan *plan, struct error *error)
{
    const struct order_fit *rule = planner->rule;
    const struct problem *problem = task->problem;
    SCOPED(placer_release) struct placer *placer = NULL;
    uint32_t *sorted;
    assert(task->scratch); /* planner_plan gives it */
    TRY(scratch_take(task->scratch, &sorted, problem->buffers, sizeof *sorted, error));
    TRY(order_sort(order_find(rule->order), problem, task->seed, sorted, error));
    const struct occupancy_rule placed = {
        .fit = fit_find(rule->fit), .sorted = sorted, .most_bytes = UINT64_MAX};
    TRY(placer_create(problem, &placer, error));
    TRY(placer_place_all(placer, &placed, plan->offset, &plan->measures.peak_bytes, error));
    plan->status = PLAN_FEASIBLE;
    return STATUS_OK;
}

#define ORDER_FIT(name_, family_, order_, fit_, title_, source_, flags_)                           \
    {                                                                                              \
        .name = name_, .family = family_, .title = title_, .source = source_,                      \
        .flags = PLANNER_NO_WINDOWS | (flags_), .rule = &(const struct order_fit){order_, fit_},   \
        .plan = order_fit_plan                                                                     \
    }

#define GRID_CELL(order, fit, words, chosen, source, flags)                                        \
    ORDER_FIT(order "_" fit "_fit", "order_fit", order, fit, words ", " chosen, source, flags)

/* The rows of an order with each fit. The row for the lowest offset names `first_source` as its
   source, the rows of the other fits name `source`. */
#define GRID(order, words, first_source, source, flags)                                            \
    GRID_CELL(order, "first", words, "lowest offset", first_source, flags),                        \
        GRID_CELL(order, "best", words, "smallest gap", source, flags),                            \
        GRID_CELL(order, "worst", words, "largest gap", source, flags),                            \
        GRID_CELL(order, "top", words, "above all conflicting buffers", source, flags)

#define WANG "Wang et al., J. NUDT 47(6), 2025, section 1.1"
#define LITERT "LiteRT simple_memory_arena.cc and arena_planner.cc"
#define USMP "TVM src/tir/usmp/algo/greedy.cc"
#define BREADTH "Pisarchyk and Lee, arXiv 2001.03288, greedy by breadth for offsets"
#define OMNI "OmniMalloc (Peddinghaus, 2025) greedy.py"
#define VELA "Vela ethosu/vela/hillclimb_allocation.py"
#define OURS "ours: another fit for the order of "

static const struct planner rows[] = {
    ORDER_FIT("sequential", "paper", "birth", "first", "execution order, lowest offset", WANG,
              PLANNER_CLOCKS),
    ORDER_FIT("large_first", "paper", "size", "first", "largest first, lowest offset", WANG,
              PLANNER_CLOCKS),
    ORDER_FIT("short_first", "paper", "duration_rising", "first",
              "shortest life first, lowest offset", WANG, PLANNER_CLOCKS),
    GRID("birth", "execution order", WANG, OURS WANG, PLANNER_CLOCKS),
    GRID("death", "first to die first", "ours", "ours", PLANNER_CLOCKS),
    GRID("size", "largest first", WANG, OURS WANG, PLANNER_CLOCKS),
    GRID("duration", "longest life first", OMNI, OURS OMNI, PLANNER_CLOCKS),
    GRID("area", "most bytes times steps first", OMNI, OURS OMNI, PLANNER_CLOCKS),
    GRID("breadth", "fullest steps first, largest of each", OURS BREADTH, OURS BREADTH, 0),
    GRID("conflicts", "most conflicts first", "ours", "ours", PLANNER_CLOCKS),
    GRID("urgency", "least room left first, then longest life", VELA ", starting order", OURS VELA,
         0),
    GRID("random", "shuffled by the seed", "ours", "ours", PLANNER_RANDOMISED | PLANNER_CLOCKS),
    ORDER_FIT("size_duration_first_fit", "order_fit", "size_duration", "first",
              "largest first, then longest, lowest offset",
              "Lamprakos et al., arXiv 2504.04874, starting order", PLANNER_CLOCKS),
    ORDER_FIT("size_duration_best_fit", "order_fit", "size_duration", "best",
              "largest first, then longest, smallest gap",
              "OpenXLA heap_simulator.cc, spatial order on whole steps", PLANNER_CLOCKS),
    ORDER_FIT("duration_size_first_fit", "order_fit", "duration_size", "first",
              "longest first, then largest, lowest offset",
              "OpenXLA heap_simulator.cc, temporal order, lowest offset", PLANNER_CLOCKS),
    ORDER_FIT("duration_size_best_fit", "order_fit", "duration_size", "best",
              "longest first, then largest, smallest gap",
              "OpenXLA heap_simulator.cc, temporal order on whole steps", PLANNER_CLOCKS),
    ORDER_FIT("conflicts_size_first_fit", "order_fit", "conflicts_size", "first",
              "most conflicts first, then largest, lowest offset",
              OURS USMP ", greedy_by_conflicts", PLANNER_CLOCKS),
    ORDER_FIT("omni_best_fit", "order_fit", "input", "best", "as in the problem, smallest gap",
              "OmniMalloc (Peddinghaus, 2025) best_fit.cpp", PLANNER_CLOCKS),
    ORDER_FIT("tflite_greedy_in_order", "tflite", "birth", "arena",
              "execution order, smallest gap of the arena", LITERT ", before 2020", PLANNER_CLOCKS),
    ORDER_FIT("tflite_greedy_by_size", "tflite", "preserved_size_birth", "arena",
              "what lives all the time, then largest first, smallest gap of the arena", LITERT,
              PLANNER_CLOCKS),
    ORDER_FIT("tflite_greedy_by_breadth", "tflite", "breadth", "best_aligned",
              "fullest operators first, largest of each, smallest gap", BREADTH, 0),
    ORDER_FIT("tflite_gpu_greedy_by_size", "tflite", "size", "best_aligned",
              "largest first, smallest gap",
              "LiteRT delegates/gpu/common/memory_management/greedy_by_size_assignment.cc",
              PLANNER_CLOCKS),
    ORDER_FIT("tflm_greedy", "tflite", "size_later_first", "first",
              "largest first, of equal ones the later, lowest offset",
              "LiteRT Micro greedy_memory_planner.cc", PLANNER_CLOCKS),
    ORDER_FIT("usmp_greedy_by_size", "usmp", "size_conflicts_name", "top",
              "largest first, then most conflicts, on top of all conflicting ones", USMP,
              PLANNER_CLOCKS),
    ORDER_FIT("usmp_greedy_by_conflicts", "usmp", "conflicts_size_name", "top",
              "most conflicts first, then largest, on top of all conflicting ones", USMP,
              PLANNER_CLOCKS),
    ORDER_FIT("openvino_memory_solver", "framework", "size_birth_death", "first",
              "largest first, of equals what begins and ends first, lowest offset",
              "openvinotoolkit/openvino memory_solver.hpp at 138a71f019a8", PLANNER_CLOCKS),
    ORDER_FIT("xnnpack", "framework", "size", "best", "largest first, smallest gap",
              "google/XNNPACK src/memory-planner.c at 75db3c093b6d", PLANNER_CLOCKS),
    ORDER_FIT("xnnpack_before_2026", "framework", "size", "best_above",
              "largest first, smallest gap, but none at the bottom",
              "google/XNNPACK src/memory-planner.c before 31773997970b", PLANNER_CLOCKS),
    ORDER_FIT("iree", "framework", "birth", "arena", "definition order, smallest gap of the arena",
              "IREE LayoutSlices.cpp, static sizes", PLANNER_CLOCKS),
};

HEURISTICS_ROWS(order_fit, rows);
