#include "heuristics/heuristics.h"

#include "heuristics/idealloc.h"
#include "heuristics/melon.h"
#include "heuristics/mnn.h"
#include "heuristics/naive.h"
#include "heuristics/order_fit.h"
#include "heuristics/skyline.h"
#include "heuristics/somas.h"
#include "heuristics/xla.h"
#include "heuristics/xla_lazy.h"

#define ORDER_FIT(name_, family_, order_, fit_, title_, source_, flags_)                           \
    {                                                                                              \
        .name = name_, .family = family_, .title = title_, .source = source_,                      \
        .flags = PLANNER_NO_WINDOWS | (flags_), .rule = &(const struct order_fit){order_, fit_},   \
        .plan = order_fit_plan                                                                     \
    }

#define GRID_CELL(order, fit, words, chosen, flags)                                                \
    ORDER_FIT(order "_" fit "_fit", "order_fit", order, fit, words ", " chosen, WANG, flags)

/* An order with each fit. */
#define GRID(order, words, flags)                                                                  \
    GRID_CELL(order, "first", words, "lowest offset", flags),                                      \
        GRID_CELL(order, "best", words, "smallest gap", flags),                                    \
        GRID_CELL(order, "worst", words, "largest gap", flags),                                    \
        GRID_CELL(order, "top", words, "above all conflicting buffers", flags)

#define WANG "Wang et al., J. NUDT 47(6), 2025, section 1.1"
#define LITERT "LiteRT simple_memory_arena.cc and arena_planner.cc"
#define USMP "TVM src/tir/usmp/algo/greedy.cc"

#define SKYLINE(name_, title_, source_, count_, ...)                                               \
    {                                                                                              \
        .name = name_, .family = "skyline", .title = title_, .source = source_,                    \
        .flags = PLANNER_NO_WINDOWS, .rule = &(const struct skyline_rule){{__VA_ARGS__}, count_},  \
        .plan = skyline_plan                                                                       \
    }

#define XLA(name_, title_, source_, count_, ...)                                                   \
    {                                                                                              \
        .name = name_, .family = "xla", .title = title_, .source = source_,                        \
        .flags = PLANNER_NO_WINDOWS, .rule = &(const struct xla_rule){{__VA_ARGS__}, count_},      \
        .plan = xla_plan                                                                           \
    }

#define GLOBAL_HEAP "OpenXLA heap_simulator.cc, GlobalDecreasingSizeBestFitHeap"

#define BURKE "Burke et al., Oper. Res. 52(4), 2004, on fixed lifetimes"

/* To add a heuristic: its file and a row here. Names are unique across all planners. */
static const struct planner heuristics[] = {
    {.name = "naive",
     .family = "baseline",
     .title = "no reuse: all buffers end to end",
     .source = WANG,
     .plan = naive_plan},
    ORDER_FIT("sequential", "paper", "birth", "first", "execution order, lowest offset", WANG, 0),
    ORDER_FIT("large_first", "paper", "size", "first", "largest first, lowest offset", WANG, 0),
    ORDER_FIT("short_first", "paper", "duration_rising", "first",
              "shortest life first, lowest offset", WANG, 0),
    GRID("birth", "execution order", 0),
    GRID("death", "first to die first", 0),
    GRID("size", "largest first", 0),
    GRID("duration", "longest life first", 0),
    GRID("area", "most bytes times steps first", 0),
    GRID("breadth", "fullest steps first, largest of each", 0),
    GRID("conflicts", "most conflicts first", 0),
    GRID("urgency", "least room left first, then longest life", 0),
    GRID("random", "shuffled by the seed", PLANNER_RANDOMISED),
    ORDER_FIT("size_duration_first_fit", "order_fit", "size_duration", "first",
              "largest first, then longest, lowest offset",
              "Lamprakos et al., arXiv 2504.04874, starting order", 0),
    ORDER_FIT("size_duration_best_fit", "order_fit", "size_duration", "best",
              "largest first, then longest, smallest gap",
              "OpenXLA heap_simulator.cc, spatial order on whole steps", 0),
    ORDER_FIT("duration_size_first_fit", "order_fit", "duration_size", "first",
              "longest first, then largest, lowest offset",
              "OpenXLA heap_simulator.cc, temporal order, lowest offset", 0),
    ORDER_FIT("duration_size_best_fit", "order_fit", "duration_size", "best",
              "longest first, then largest, smallest gap",
              "OpenXLA heap_simulator.cc, temporal order on whole steps", 0),
    ORDER_FIT("conflicts_size_first_fit", "order_fit", "conflicts_size", "first",
              "most conflicts first, then largest, lowest offset",
              "the order of TVM USMP greedy_by_conflicts with first fit", 0),
    ORDER_FIT("tflite_greedy_in_order", "tflite", "birth", "arena",
              "execution order, smallest gap of the arena", LITERT ", before 2020", 0),
    ORDER_FIT("tflite_greedy_by_size", "tflite", "preserved_size_birth", "arena",
              "what lives all the time, then largest first, smallest gap of the arena", LITERT, 0),
    ORDER_FIT("tflite_greedy_by_breadth", "tflite", "breadth", "best",
              "fullest operators first, largest of each, smallest gap",
              "Pisarchyk and Lee, arXiv 2001.03288, greedy by breadth for offsets", 0),
    ORDER_FIT("tflite_gpu_greedy_by_size", "tflite", "size", "best", "largest first, smallest gap",
              "LiteRT delegates/gpu/common/memory_management/greedy_by_size_assignment.cc", 0),
    ORDER_FIT("tflm_greedy", "tflite", "size_later_first", "first",
              "largest first, of equal ones the later, lowest offset",
              "LiteRT Micro greedy_memory_planner.cc", 0),
    ORDER_FIT("usmp_greedy_by_size", "usmp", "size_conflicts_name", "top",
              "largest first, then most conflicts, on top of all conflicting ones", USMP, 0),
    ORDER_FIT("usmp_greedy_by_conflicts", "usmp", "conflicts_size_name", "top",
              "most conflicts first, then largest, on top of all conflicting ones", USMP, 0),
    ORDER_FIT("iree", "framework", "birth", "arena", "definition order, smallest gap of the arena",
              "IREE LayoutSlices.cpp, static sizes", 0),
    {.name = "idealloc",
     .family = "idealloc",
     .title = "buffers boxed into ever larger boxes, then lowest offset in the boxes' order",
     .source = "Lamprakos et al., arXiv 2504.04874; Buchsbaum et al., SIAM J. Comput. 33(3), 2004",
     .flags = PLANNER_NO_WINDOWS | PLANNER_RANDOMISED | PLANNER_SEARCHES,
     .options = idealloc_options,
     .plan = idealloc_plan},
    SKYLINE("strip_best_fit", "on the lowest piece of a skyline, longest life first",
            "Sekiyama et al., arXiv 1804.10001", 1, SKYLINE_LONGEST),
    SKYLINE("strip_best_fit_size", "on the lowest piece of a skyline, largest first", BURKE, 1,
            SKYLINE_LARGEST),
    SKYLINE("strip_best_fit_area", "on the lowest piece of a skyline, most bytes times steps first",
            BURKE, 1, SKYLINE_AREA),
    SKYLINE("strip_best_fit_start", "on the lowest piece of a skyline, earliest first", BURKE, 1,
            SKYLINE_EARLIEST),
    SKYLINE("strip_best_fit_all", "the best of the four skyline rules", BURKE, 4, SKYLINE_LONGEST,
            SKYLINE_LARGEST, SKYLINE_AREA, SKYLINE_EARLIEST),
    XLA("xla_spatial", "largest, then longest in calls to the allocator, smallest gap", GLOBAL_HEAP,
        1, {XLA_SPATIAL, "best"}),
    XLA("xla_temporal", "longest in calls to the allocator, then largest, smallest gap",
        GLOBAL_HEAP, 1, {XLA_TEMPORAL, "best"}),
    XLA("xla_spatial_temporal", "most bytes times calls to the allocator, smallest gap",
        GLOBAL_HEAP, 1, {XLA_SPATIAL_TEMPORAL, "best"}),
    XLA("xla_spatial_lowest", "largest, then longest in calls to the allocator, lowest offset",
        GLOBAL_HEAP, 1, {XLA_SPATIAL, "first"}),
    XLA("xla_temporal_lowest", "longest in calls to the allocator, then largest, lowest offset",
        GLOBAL_HEAP, 1, {XLA_TEMPORAL, "first"}),
    XLA("xla_spatial_temporal_lowest", "most bytes times calls to the allocator, lowest offset",
        GLOBAL_HEAP, 1, {XLA_SPATIAL_TEMPORAL, "first"}),
    XLA("xla_choose_best", "the better of the spatial and the temporal order, smallest gap",
        "OpenXLA heap_simulator.cc, ChooseBestHeapAlgorithm", 2, {XLA_SPATIAL, "best"},
        {XLA_TEMPORAL, "best"}),
    XLA("xla_packing_search", "the best of three orders, each with smallest gap and lowest offset",
        "OpenXLA heap_simulator.cc, ChooseBestHeapAlgorithm with packing search", 6,
        {XLA_SPATIAL, "best"}, {XLA_TEMPORAL, "best"}, {XLA_SPATIAL_TEMPORAL, "best"},
        {XLA_SPATIAL, "first"}, {XLA_TEMPORAL, "first"}, {XLA_SPATIAL_TEMPORAL, "first"}),
    {.name = "xla_lazy_best_fit",
     .family = "xla",
     .title = "as an allocator, smallest free chunk; what fits in none gets its offset when freed",
     .source = "TensorFlow compiler/xla heap_simulator.cc, LazyBestFitHeap",
     .flags = PLANNER_NO_WINDOWS,
     .plan = xla_lazy_plan},
    {.name = "melon",
     .family = "framework",
     .title = "longest life first, smallest gap between merged ranges",
     .source = "Wang et al., Melon, MobiSys 2022, ExecutionPlanGenerator.cpp",
     .flags = PLANNER_NO_WINDOWS,
     .options = melon_options,
     .plan = melon_plan},
    {.name = "mnn",
     .family = "framework",
     .title = "as an allocator, smallest free node, split and joined again",
     .source = "MNN source/core/BufferAllocator.cpp, 2018 to 2022",
     .flags = PLANNER_NO_WINDOWS,
     .options = mnn_options,
     .plan = mnn_plan},
    {.name = "somas",
     .family = "framework",
     .title =
         "best of shared buckets and one object, smallest gap and lowest offset, largest first",
     .source = "MindSpore somas_solver_core.cc and somas_solver_alg.cc",
     .flags = PLANNER_NO_WINDOWS,
     .options = somas_options,
     .plan = somas_plan},
};

uint32_t heuristics_count(void)
{
    return sizeof heuristics / sizeof *heuristics;
}

const struct planner *heuristics_at(uint32_t index)
{
    return &heuristics[index];
}
