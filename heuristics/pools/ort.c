/* ONNX Runtime's AllocationPlanner (allocation_planner.cc): operators in order, each output into
   the free buffer of exactly its shape and element width that was freed last, else a new one.
   Inputs are freed in order when their last reader has run, then outputs that nobody reads. Inputs
   and outputs of the graph have buffers of their own. Where shapes are not known, equal bytes are
   one shape.

   Departure: sharing in place and views are decided before planning. O(n log n). */

#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/compare.h"
#include "heuristics/common/rows.h"
#include "heuristics/pools/common/facts.h"
#include "heuristics/pools/common/pools.h"
#include "heuristics/pools/common/walk.h"
#include "planning/graph/dtype.h"

/* Two buffers have to agree in all of this to share an object. */
struct shape {
    const struct graph_tensor *tensor; /* NULL where the shape is not known */
    uint64_t bytes; /* of an element where the shape is known, else of the whole buffer */
    uint32_t buffer;
    bool alone; /* the buffer shares its object with no other */
};

static int compare_shapes(const void *left, const void *right)
{
    const struct shape *a = left, *b = right;
    int order = compare_numbers(a->alone, b->alone);
    order = order ? order : compare_numbers(a->bytes, b->bytes);
    order = order ? order : compare_numbers(a->tensor != NULL, b->tensor != NULL);
    if (order || !a->tensor)
        return order;
    order = compare_numbers(a->tensor->rank, b->tensor->rank);
    for (uint32_t i = 0; !order && i < a->tensor->rank; i++)
        order = compare_numbers(a->tensor->dimension[i], b->tensor->dimension[i]);
    return order;
}

static enum status find_classes(const struct planner_task *task, const struct pool_fact *facts,
                                bool reuse, uint64_t *class, struct error *error)
{
    const struct problem *problem = task->problem;
    struct shape *shapes;
    TRY(scratch_take(task->scratch, &shapes, problem->buffers, sizeof *shapes, error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        const struct pool_fact *fact = &facts[b];
        bool alone = fact->variable || fact->result || !reuse;
        shapes[b] = (struct shape){.bytes = problem->size[b], .buffer = b, .alone = alone};
        if (!fact->elements)
            continue;
        shapes[b].tensor = fact->tensor;
        graph_shape_bytes(fact->tensor->dtype, NULL, 0, &shapes[b].bytes);
    }
    qsort(shapes, problem->buffers, sizeof *shapes, compare_shapes);
    for (uint32_t i = 0; i < problem->buffers; i++) {
        bool same = i > 0 && !shapes[i].alone && !compare_shapes(&shapes[i - 1], &shapes[i]);
        class[shapes[i].buffer] = same ? class[shapes[i - 1].buffer] : i;
    }
    return STATUS_OK;
}

/* Gives each buffer an object as ONNX Runtime's AllocationPlanner does; `pools` has been created.
   Without reuse every buffer that is not fixed gets an object of its own. */
static enum status share_objects(const struct planner_task *task, bool reuse, struct pools *pools,
                                 struct error *error)
{
    const struct problem *problem = task->problem;
    struct pool_walk walk = {.scratch = task->scratch, .pools = pools, .bytes = problem->size};
    struct pool_fact *facts;
    struct pool_classes classes;
    uint64_t *class;
    uint32_t *rank;
    TRY(pool_facts_create(task, &facts, error));
    TRY(scratch_take_all(task->scratch, problem->buffers, error, &class, &rank));
    TRY(find_classes(task, facts, reuse, class, error));
    TRY(pool_classes_create(&classes, task, class, false, error));
    pool_facts_rank_releases(problem, facts, false, rank);
    walk.release_rank = rank;
    walk.rule = pool_classes_rule(&classes);
    return pool_walk_run_all(&walk, error);
}

static enum status plan_ort(const struct planner *planner, const struct planner_task *task,
                            struct plan *plan, struct error *error)
{
    struct pools pools;
    (void)planner;
    TRY(pools_create(&pools, task, error));
    TRY(share_objects(task, true, &pools, error));
    return pools_lay_out(&pools, 1, plan, error);
}

/* MemoryPatternPlanner (mem_pattern_planner.h), which traces the buffers of the first run: in
   execution order each goes into the gap between live ones that it leaves the least of (of equals
   the lowest), else above all of them. Sizes are rounded up to the option alignment. Buffers are
   those of ort, in use from the first to the last tensor in them; with the option reuse 0
   every tensor is a buffer of its own. Fixed buffers count as live throughout. pool_bytes and pools
   are those of the plan it traces. O(n live). */

enum { ALIGNMENT, REUSE };

static const struct planner_option options[] = {
    {"alignment", "bytes that sizes are rounded up to", 256, 1, 65536},
    {"reuse", "trace the buffers that tensors of one shape share", 1, 0, 1},
    {NULL, NULL, 0, 0, 0},
};

/* An object as one block, which is allocated and freed as a whole. */
struct block {
    uint64_t offset, size, alignment;
    uint32_t lower, upper;
};

struct pattern {
    struct pools pools;
    struct block *traced; /* [objects] in the order in which they are allocated */
    struct block *live;   /* [count] the blocks that are live at the present step, by offset */
    uint32_t count;
    uint64_t alignment;
};

static void hold_fixed(struct pattern *pattern)
{
    const struct problem *problem = pattern->pools.problem;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        struct block block = {problem_fixed_offset(problem, b), problem->size[b], 1, 0, UINT32_MAX};
        uint32_t at = pattern->count;
        if (block.offset == PROBLEM_FREE)
            continue;
        for (; at > 0 && pattern->live[at - 1].offset > block.offset; at--)
            pattern->live[at] = pattern->live[at - 1];
        pattern->live[at] = block;
        pattern->count++;
    }
}

static bool find_blocks(struct pattern *pattern)
{
    const struct pools *pools = &pattern->pools;
    const struct problem *problem = pools->problem;
    for (uint32_t o = 0; o < pools->objects; o++)
        pattern->traced[o] = (struct block){.alignment = 1, .lower = UINT32_MAX};
    for (uint32_t b = 0; b < problem->buffers; b++) {
        if (pools->object[b] == POOLS_NONE)
            continue;
        struct block *block = &pattern->traced[pools->object[b]];
        uint32_t lower = problem_lower(problem, b), upper = problem_upper(problem, b);
        uint64_t size;
        if (!checked_common_multiple(block->alignment, problem_alignment(problem, b),
                                     &block->alignment) ||
            !checked_align(problem->size[b], pattern->alignment, &size))
            return false;
        block->size = size > block->size ? size : block->size;
        block->lower = lower < block->lower ? lower : block->lower;
        block->upper = upper > block->upper ? upper : block->upper;
    }
    return true;
}

/* Finds the offset of a block among the live blocks, and *at, the index at which it is to be
   inserted. False where it does not end below 2^63. */
static bool find_gap(const struct pattern *pattern, struct block *block, uint32_t *at)
{
    uint64_t start = 0, end = 0, least_waste = UINT64_MAX;
    *at = pattern->count;
    for (uint32_t i = 0; i < pattern->count; i++) {
        const struct block *other = &pattern->live[i];
        if (!checked_align(end, block->alignment, &start))
            return false;
        uint64_t gap = other->offset > start ? other->offset - start : 0;
        if (gap >= block->size && gap - block->size < least_waste) {
            least_waste = gap - block->size;
            block->offset = start;
            *at = i;
        }
        if (end < other->offset + other->size)
            end = other->offset + other->size;
    }
    if (*at == pattern->count && !checked_align(end, block->alignment, &block->offset))
        return false;
    return checked_add(block->offset, block->size, &end) && end <= INT64_MAX;
}

/* Allocates and frees all blocks in execution order. Objects are numbered by their first tensor, so
   that is the order of their numbers. */
static bool trace_blocks(struct pattern *pattern)
{
    struct block *live = pattern->live;
    for (uint32_t o = 0; o < pattern->pools.objects; o++) {
        struct block *block = &pattern->traced[o];
        uint32_t kept = 0, at;
        for (uint32_t i = 0; i < pattern->count; i++)
            if (live[i].upper > block->lower)
                live[kept++] = live[i];
        pattern->count = kept;
        if (!find_gap(pattern, block, &at))
            return false;
        memmove(&live[at + 1], &live[at], (pattern->count - at) * sizeof *live);
        live[at] = *block;
        pattern->count++;
    }
    return true;
}

static enum status plan_ort_memory_pattern(const struct planner *planner,
                                           const struct planner_task *task, struct plan *plan,
                                           struct error *error)
{
    struct pattern pattern = {.alignment = planner_option_value(planner, ALIGNMENT)};
    bool reuse = planner_option_value(planner, REUSE) == 1;
    size_t buffers = task->problem->buffers;
    struct pools *pools = &pattern.pools;
    TRY(pools_create(pools, task, error));
    TRY(share_objects(task, reuse, pools, error));
    TRY(scratch_take(task->scratch, &pattern.traced, pools->objects, sizeof(struct block), error));
    TRY(scratch_take(task->scratch, &pattern.live, buffers, sizeof(struct block), error));
    hold_fixed(&pattern);
    plan->status = PLAN_UNSUPPORTED;
    if (!find_blocks(&pattern) || !trace_blocks(&pattern))
        return STATUS_OK;
    plan->status = PLAN_FEASIBLE;
    plan->measures.pools = pools->objects;
    plan->measures.pool_bytes = 0;
    for (uint32_t o = 0; o < pools->objects; o++)
        plan->measures.pool_bytes += pools->bytes[o];
    for (uint32_t b = 0; b < plan->buffers; b++)
        plan->offset[b] = pools->object[b] == POOLS_NONE ? problem_fixed_offset(task->problem, b)
                                                         : pattern.traced[pools->object[b]].offset;
    return plan_set_peak(plan, task->problem, error);
}

static const struct planner rows[] = {
    {POOLS("ort", plan_ort, "free buffer of exactly the same shape",
           "onnxruntime core/framework/allocation_planner.cc")},
    {POOLS("ort_memory_pattern", plan_ort_memory_pattern,
           "gap with the least waste for each buffer of ort, in the order of the first run",
           "onnxruntime core/framework/mem_pattern_planner.h"),
     .options = options},
};

HEURISTICS_ROWS(ort, rows);
