/* CANN GE's BlockMemAssigner (hicann/ge compiler/graph/build/memory) in its two levels.

   First, in execution order, each buffer asks for a block of its size, rounded up to the option
   alignment and, where ranges are used, to the ceiling of its range; a free block is taken only if
   it has exactly that size, the one freed last or first; else a new one is made. Then whole blocks
   are nested into others (heuristics/pools/ge/nest.h) and shrunk to what is in them.

   Assigners: "binary" uses no ranges, "max" has one range, the largest size; both take the block
   freed last and nest ascending. GE runs both and keeps the smaller total, the first of equals; in
   its memory priority mode also the binary ranges of heuristics/pools/ge/ranges.h, ascending and
   descending, the block freed first and last.

   Departures: one stream, one memory type, no continuous or zero copy blocks; blocks are multiples
   of the alignments of all buffers. O(n log n + blocks * n log n). */

#include "core/checked.h"
#include "heuristics/common/rows.h"
#include "heuristics/pools/common/walk.h"
#include "heuristics/pools/ge/nest.h"
#include "heuristics/pools/ge/ranges.h"

enum ranges_used { NO_RANGES, ONE_RANGE, BINARY_RANGES };

struct assigner {
    enum ranges_used ranges;
    bool ascending, first_released;
};

enum { ALIGNMENT, MEMORY_PRIORITY };

#define ALIGNMENT_OPTION                                                                           \
    {                                                                                              \
        "alignment", "bytes that sizes are rounded up to", 512, 1, 65536                           \
    }

static const struct planner_option ge_block_options[] = {ALIGNMENT_OPTION, {NULL, NULL, 0, 0, 0}};
static const struct planner_option ge_block_best_options[] = {
    ALIGNMENT_OPTION,
    {"memory_priority", "try the binary ranges too", 0, 0, 1},
    {NULL, NULL, 0, 0, 0},
};

/* GE's ways to assign blocks. The first two always run, the others only in memory priority mode. */
static const struct assigner all_assigners[] = {
    {NO_RANGES, true, false},    {ONE_RANGE, true, false},      {BINARY_RANGES, true, false},
    {BINARY_RANGES, true, true}, {BINARY_RANGES, false, false}, {BINARY_RANGES, false, true},
};
/* The assigners that run: planner->rule, or without one those that an option chooses. */
struct assigners {
    const struct assigner *assigner; /* [count] */
    uint32_t count;
};
enum { ALWAYS = 2, ASSIGNERS = sizeof all_assigners / sizeof *all_assigners };

/* The requests with which every assigner starts. */
struct requests {
    const struct problem *problem;
    uint32_t *order, count; /* the buffers that are not fixed, in execution order */
    uint64_t *block_bytes;  /* [buffers] size of the block that each asks for */
    /* All sizes are multiples of this: the alignment of the option and of every buffer. */
    uint64_t granule_bytes;
};

static enum status find_ceilings(const struct requests *requests, enum ranges_used used,
                                 struct scratch *scratch, uint64_t *ceilings, uint32_t *ranges,
                                 struct error *error)
{
    uint64_t *size;
    *ranges = used == ONE_RANGE;
    ceilings[0] = 0;
    if (!requests->count)
        return STATUS_OK;
    TRY(scratch_take(scratch, &size, requests->count, sizeof *size, error));
    for (uint32_t i = 0; i < requests->count; i++) {
        size[i] = requests->problem->size[requests->order[i]];
        if (ceilings[0] < size[i])
            ceilings[0] = size[i];
    }
    return used == BINARY_RANGES
               ? ge_ranges(size, requests->count, ceilings, ranges, scratch, error)
               : STATUS_OK;
}

static enum status assign(struct requests *requests, const struct planner_task *task,
                          const struct assigner *assigner, struct plan *plan, struct error *error)
{
    const struct ge_nesting nesting = {assigner->ascending, requests->granule_bytes};
    uint64_t ceilings[GE_RANGES_MOST], *bytes = requests->block_bytes;
    struct pool_classes classes;
    struct pools pools;
    uint32_t ranges;
    bool fits;
    plan->status = PLAN_UNSUPPORTED;
    TRY(pools_create(&pools, task, error));
    TRY(find_ceilings(requests, assigner->ranges, task->scratch, ceilings, &ranges, error));
    for (uint32_t b = 0; b < requests->problem->buffers; b++)
        if (!checked_align(ge_ranges_round(ceilings, ranges, requests->problem->size[b]),
                           requests->granule_bytes, &bytes[b]))
            return STATUS_OK;

    /* Buffers first share blocks of exactly the size that they ask for. */
    TRY(pool_classes_create(&classes, task, bytes, assigner->first_released, error));
    const struct pool_walk walk = {.scratch = task->scratch,
                                   .pools = &pools,
                                   .order = requests->order,
                                   .count = requests->count,
                                   .bytes = bytes,
                                   .rule = pool_classes_rule(&classes)};
    TRY(pool_walk_run(&walk, error));
    TRY(ge_nest(&pools, &nesting, &fits, task->scratch, error));
    return fits ? pools_lay_out(&pools, requests->granule_bytes, plan, error) : STATUS_OK;
}

/* The least pool bytes win, of equals the first. Each assigner has a scratch of its own, so that
   several take no more memory than one. */
static enum status run_assigners(struct requests *requests, const struct planner_task *task,
                                 const struct assigners *assigners, struct plan *best,
                                 struct error *error)
{
    SCOPED(plan_release) struct plan *found = NULL;
    struct planner_task own = *task;
    TRY(plan_create(requests->problem, &found, error));
    for (uint32_t i = 0; i < assigners->count; i++) {
        SCOPED(scratch_free) struct scratch scratch = {0};
        own.scratch = &scratch;
        TRY(assign(requests, &own, &assigners->assigner[i], found, error));
        if (plan_found(found) &&
            (!plan_found(best) || found->measures.pool_bytes < best->measures.pool_bytes)) {
            const struct plan worse = *best;
            *best = *found;
            *found = worse;
        }
    }
    return STATUS_OK;
}

static enum status plan_ge_block(const struct planner *planner, const struct planner_task *task,
                                 struct plan *plan, struct error *error)
{
    const struct problem *problem = task->problem;
    struct requests requests = {.problem = problem,
                                .granule_bytes = planner_option_value(planner, ALIGNMENT)};
    struct assigners assigners = {all_assigners, ALWAYS};
    if (planner->rule)
        assigners = *(const struct assigners *)planner->rule;
    else if (planner_option_value(planner, MEMORY_PRIORITY))
        assigners.count = ASSIGNERS;
    plan->status = PLAN_UNSUPPORTED;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (!checked_common_multiple(requests.granule_bytes, problem_alignment(problem, b),
                                     &requests.granule_bytes))
            return STATUS_OK;
    TRY(scratch_take(task->scratch, &requests.order, problem->buffers, sizeof(uint32_t), error));
    TRY(scratch_take(task->scratch, &requests.block_bytes, problem->buffers, sizeof(uint64_t),
                     error));
    TRY(pools_in_order(problem, requests.order, &requests.count, error));
    return run_assigners(&requests, task, &assigners, plan, error);
}

static const struct planner rows[] = {
    {POOLS("ge_block", plan_ge_block, "the smaller of ge_block_binary and ge_block_max",
           "hicann/ge compiler/graph/build/memory/hybrid_mem_assigner.cc"),
     .options = ge_block_best_options},
    {POOLS("ge_block_binary", plan_ge_block, "blocks of exactly one size, nested by lifetime",
           "hicann/ge compiler/graph/build/memory/block_mem_assigner.cc, binary-block"),
     .options = ge_block_options, .rule = &(const struct assigners){&all_assigners[0], 1}},
    {POOLS("ge_block_max", plan_ge_block, "blocks of the largest size, nested by lifetime",
           "hicann/ge compiler/graph/build/memory/max_block_mem_assigner.cc"),
     .options = ge_block_options, .rule = &(const struct assigners){&all_assigners[1], 1}},
};

HEURISTICS_ROWS(ge_block, rows);
