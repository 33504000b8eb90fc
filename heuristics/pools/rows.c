#include "heuristics/common/family.h"
#include "heuristics/pools/executorch.h"
#include "heuristics/pools/ge/block.h"
#include "heuristics/pools/ge/pool.h"
#include "heuristics/pools/nnvm/nnvm.h"
#include "heuristics/pools/ort.h"
#include "heuristics/pools/tflite/by_distance.h"
#include "heuristics/pools/tflite/greedy.h"
#include "heuristics/pools/tflite/in_order.h"
#include "heuristics/pools/tflite/min_cost_flow.h"

#define POOLS(name_, plan_, title_, source_)                                                       \
    .name = name_, .family = "pools", .title = title_, .source = source_,                          \
    .flags = PLANNER_NO_WINDOWS | PLANNER_NO_HOLES | PLANNER_POOLED, .plan = plan_

#define LITERT "LiteRT delegates/gpu/common/memory_management/"
#define GE_ARTICLE "the GE article, section 4"
#define GE_CODE "hicann/ge compiler/graph/build/memory/"

static const struct planner rows[] = {
    {POOLS("objects_equality", objects_equality_plan,
           "free object of the same size, else a new one", LITERT "equality_assignment.h")},
    {POOLS("objects_greedy_in_order", objects_greedy_in_order_plan,
           "free object of the closest size, which grows", LITERT "greedy_in_order_assignment.h")},
    {POOLS("objects_greedy_by_size", objects_greedy_by_size_plan,
           "largest first into the first object that it fits",
           "Pisarchyk and Lee, arXiv 2001.03288, greedy by size for shared objects")},
    {POOLS("objects_greedy_by_size_improved", objects_by_distance_plan,
           "by positional maximum, then nearest in time to what an object holds",
           LITERT "greedy_by_size_assignment.cc, SizeDistPriority")},
    {POOLS("objects_greedy_by_breadth", objects_greedy_by_breadth_plan,
           "step with most live bytes first, into the best object that it fits",
           LITERT "greedy_by_breadth_assignment.cc")},
    {POOLS("objects_min_cost_flow", objects_min_cost_flow_plan,
           "chains that cost the least growth from one buffer to the next",
           LITERT "min_cost_flow_assignment.cc")},
    {POOLS("nnvm", nnvm_plan, "free block of similar size, which grows",
           "tvm nnvm/src/pass/plan_memory.cc, PlanMemory"),
     .options = nnvm_options},
    {POOLS("relay", relay_plan, "NNVM's free list on real bytes, outputs in their order",
           "tvm src/relay/backend/token_allocator.cc, GraphPlanMemory")},
    {POOLS("ge_pool", ge_pool_plan, "first pool that is large enough and free", GE_ARTICLE),
     .rule = &(const struct ge_pool_rule){false}},
    {.name = "ge_pool_published",
     .family = "pools",
     .title = "the same with <=: an operator may write to what it reads",
     .source = GE_ARTICLE,
     .flags = PLANNER_NO_WINDOWS | PLANNER_NO_HOLES | PLANNER_POOLED | PLANNER_UNSAFE,
     .rule = &(const struct ge_pool_rule){true},
     .plan = ge_pool_plan},
    {POOLS("ge_block", ge_block_best_plan, "the smaller of ge_block_binary and ge_block_max",
           GE_CODE "hybrid_mem_assigner.cc"),
     .options = ge_block_best_options},
    {POOLS("ge_block_binary", ge_block_plan, "blocks of exactly one size, nested by lifetime",
           GE_CODE "block_mem_assigner.cc, binary-block"),
     .options = ge_block_options, .rule = &(const struct ge_assigner){GE_RANGES_NONE, true, false}},
    {POOLS("ge_block_max", ge_block_plan, "blocks of the largest size, nested by lifetime",
           GE_CODE "max_block_mem_assigner.cc"),
     .options = ge_block_options, .rule = &(const struct ge_assigner){GE_RANGES_ONE, true, false}},
    {POOLS("executorch_greedy", executorch_greedy_plan,
           "largest first into objects that never grow, beside what is live there",
           "pytorch/executorch exir/memory_planning.py, greedy"),
     .options = executorch_options},
    {POOLS("ort", ort_plan, "free buffer of exactly the same shape",
           "onnxruntime core/framework/allocation_planner.cc")},
    {POOLS("ort_memory_pattern", ort_memory_pattern_plan,
           "gap with the least waste for each buffer of ort, in the order of the first run",
           "onnxruntime core/framework/mem_pattern_planner.h"),
     .options = ort_memory_pattern_options},
};

HEURISTICS_FAMILY_DEFINE(pools, rows);
