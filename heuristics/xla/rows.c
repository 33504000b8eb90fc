#include "heuristics/common/family.h"
#include "heuristics/xla/lazy.h"
#include "heuristics/xla/xla.h"

#define XLA(name_, title_, source_, count_, ...)                                                   \
    {                                                                                              \
        .name = name_, .family = "xla", .title = title_, .source = source_,                        \
        .flags = PLANNER_NO_WINDOWS, .rule = &(const struct xla_rule){{__VA_ARGS__}, count_},      \
        .plan = xla_plan                                                                           \
    }

#define GLOBAL_HEAP "OpenXLA heap_simulator.cc, GlobalDecreasingSizeBestFitHeap"

static const struct planner rows[] = {
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
     .flags = PLANNER_NO_WINDOWS | PLANNER_NO_HOLES,
     .plan = xla_lazy_plan},
};

HEURISTICS_FAMILY_DEFINE(xla, rows);
