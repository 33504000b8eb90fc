/* CANN GE's BlockMemAssigner (hicann/ge compiler/graph/build/memory) in its two levels.

   First, in execution order, each buffer asks for a block of its size, rounded up to the option
   alignment and, where ranges are used, to the ceiling of its range; a free block is taken only if
   it has exactly that size, the one freed last or first; else a new one is made. Then whole blocks
   are nested into others (ge_nest) and shrunk to what is in them.

   Assigners: "binary" uses no ranges, "max" has one range, the largest size; both take the block
   freed last and nest ascending. GE runs both and keeps the smaller total, the first of equals; in
   its memory priority mode also the binary ranges of heuristics/pools/ge/ranges.h, ascending and
   descending, the block freed first and last.

   Departures: one stream, one memory type, no continuous or zero copy blocks; blocks are multiples
   of the alignments of all buffers. O(n log n + blocks * n log n). */

#include <assert.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/compare.h"
#include "heuristics/common/rows.h"
#include "heuristics/common/treap.h"
#include "heuristics/pools/common/pools.h"
#include "heuristics/pools/common/walk.h"
#include "heuristics/pools/ge/ranges.h"

/* The second level of CANN GE's BlockMemAssigner (ReuseBlocksByLifeTime, memory_block.cc), which
   puts blocks into larger blocks.

   Blocks are sorted by size, largest first. Ties: where the sorting is ascending, the block with
   more buffers, then the one that begins earlier; where it is descending, the one that begins
   later; then the one made first. Each block takes in every later one that is in no block yet and
   is not live together with any of its own buffers. A block that is taken in goes into the first
   block already inside that can take it, else behind those inside, as far as the size of the outer
   one allows.

   Departures: the code lets blocks inside exceed the outer one by up to 512 bytes, which its
   padding of sizes covers, and may split a block that fits only with some of its buffers; neither
   is done here. */

/* Replaces the objects, whose bytes are multiples of granule_bytes, by the outermost blocks in the
   sorted order. inside[] of the pools then says where each buffer lies in its object, and bytes are
   what the buffers of a block need, rounded up to granule_bytes. *fits: nothing overflowed.
   O(objects * buffers * log buffers). */
struct ge_nesting {
    bool ascending;
    uint64_t granule_bytes;
};

enum { MOST_DEPTH = 100 };

struct block {
    uint64_t size, used;     /* its own bytes, and the bytes of the blocks directly inside it */
    uint64_t offset;         /* in the block around it */
    uint32_t first, members; /* its buffers, in nest.member */
    uint32_t begin;          /* first step of any of its buffers */
    uint32_t object;         /* the object that it was made of, at last the one that it is in */
    uint32_t around;         /* the block around it, or POOLS_NONE */
    /* The first and the last block directly inside it, and the next block in the same one around;
       or POOLS_NONE. */
    uint32_t inner, last, next;
};

struct nest {
    struct pools *pools;
    struct block *block;  /* [blocks] largest first */
    uint32_t *member;     /* [buffers] ordered by object */
    struct treap by_time; /* buffers ordered by block, then by first step */
    uint32_t blocks;
};

/* Largest first; of equals the one with more buffers, then the earlier begun. */
COMPARE_BY(compare_ascending, struct block, compare_numbers(b->size, a->size),
           compare_numbers(b->members, a->members), compare_numbers(a->begin, b->begin),
           compare_numbers(a->object, b->object))

/* Largest first; of equals the later begun. */
COMPARE_BY(compare_descending, struct block, compare_numbers(b->size, a->size),
           compare_numbers(b->begin, a->begin), compare_numbers(a->object, b->object))

/* Makes a block of each object, with its buffers, and sorts the blocks. */
static void fill_blocks(struct nest *nest, bool ascending)
{
    const struct pools *pools = nest->pools;
    const struct problem *problem = pools->problem;
    uint32_t first = 0;
    nest->blocks = pools->objects;
    for (uint32_t o = 0; o < pools->objects; o++)
        nest->block[o] = (struct block){.size = pools->bytes[o],
                                        .begin = UINT32_MAX,
                                        .object = o,
                                        .around = POOLS_NONE,
                                        .inner = POOLS_NONE,
                                        .last = POOLS_NONE,
                                        .next = POOLS_NONE};
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (pools->object[b] != POOLS_NONE)
            nest->block[pools->object[b]].members++;
    for (uint32_t o = 0; o < pools->objects; o++) {
        nest->block[o].first = first;
        first += nest->block[o].members;
        nest->block[o].members = 0;
    }
    for (uint32_t b = 0; b < problem->buffers; b++) {
        if (pools->object[b] == POOLS_NONE)
            continue;
        struct block *block = &nest->block[pools->object[b]];
        uint32_t lower = problem_lower(problem, b);
        nest->member[block->first + block->members++] = b;
        block->begin = lower < block->begin ? lower : block->begin;
    }
    qsort(nest->block, nest->blocks, sizeof *nest->block,
          ascending ? compare_ascending : compare_descending);
    for (uint32_t i = 0; i < nest->blocks; i++)
        for (uint32_t m = 0; m < nest->block[i].members; m++) {
            uint32_t b = nest->member[nest->block[i].first + m];
            treap_add(&nest->by_time, b, (struct treap_key){i, problem_lower(problem, b), b});
        }
}

/* Whether none of the outer block's own buffers is live together with one of the inner block's. */
static bool are_apart(const struct nest *nest, uint32_t outer, uint32_t inner)
{
    const struct problem *problem = nest->pools->problem;
    const struct block *block = &nest->block[inner];
    for (uint32_t m = block->first; m < block->first + block->members; m++) {
        uint32_t lower = problem_lower(problem, nest->member[m]);
        uint32_t upper = problem_upper(problem, nest->member[m]);
        uint32_t before = treap_below(&nest->by_time, (struct treap_key){outer, upper, 0});
        if (before != TREAP_NONE && nest->by_time.node[before].key.group == outer &&
            problem_upper(problem, before) > lower)
            return false;
    }
    return true;
}

static bool take_inside(struct nest *nest, uint32_t outer, uint32_t inner, uint32_t depth)
{
    struct block *around = &nest->block[outer], *block = &nest->block[inner];
    bool room = around->used <= around->size && block->size <= around->size - around->used;
    if (depth > MOST_DEPTH || (!room && around->inner == POOLS_NONE) ||
        !are_apart(nest, outer, inner))
        return false;
    for (uint32_t i = around->inner; i != POOLS_NONE; i = nest->block[i].next)
        if (take_inside(nest, i, inner, depth + 1))
            return true;
    if (!room)
        return false;
    assert(outer < inner && block->around == POOLS_NONE);
    block->around = outer;
    block->offset = around->used;
    around->used += block->size;
    if (around->inner == POOLS_NONE)
        around->inner = inner;
    else
        nest->block[around->last].next = inner;
    around->last = inner;
    return true;
}

static enum status ge_nest(struct pools *pools, const struct ge_nesting *nesting, bool *fits,
                           struct scratch *scratch, struct error *error)
{
    struct nest nest = {.pools = pools};
    uint32_t buffers = pools->problem->buffers;
    TRY(scratch_take(scratch, &nest.block, pools->objects, sizeof *nest.block, error));
    TRY(scratch_take(scratch, &nest.member, buffers, sizeof *nest.member, error));
    TRY(treap_create(&nest.by_time, buffers, scratch, error));
    fill_blocks(&nest, nesting->ascending);
    for (uint32_t i = 0; i < nest.blocks; i++)
        for (uint32_t j = i + 1; nest.block[i].around == POOLS_NONE && j < nest.blocks; j++)
            if (nest.block[j].around == POOLS_NONE && nest.block[j].inner == POOLS_NONE)
                take_inside(&nest, i, j, 1);

    /* The outermost blocks become the objects. A block comes before the blocks inside it, so one
       pass finds the offset of each block in its object. */
    *fits = false;
    pools->objects = 0;
    for (uint32_t i = 0; i < nest.blocks; i++) {
        struct block *block = &nest.block[i];
        const struct block *around = &nest.block[block->around == POOLS_NONE ? i : block->around];
        block->object = around == block ? pools_add(pools, 0) : around->object;
        block->offset += around == block ? 0 : around->offset;
        for (uint32_t m = block->first; m < block->first + block->members; m++) {
            uint32_t b = nest.member[m];
            uint64_t end;
            if (!checked_add(block->offset, pools->problem->size[b], &end) ||
                !checked_align(end, nesting->granule_bytes, &end))
                return STATUS_OK;
            pools_join(pools, block->object, b, end);
            pools->inside[b] = block->offset;
        }
    }
    *fits = true;
    return STATUS_OK;
}

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
    TRY(scratch_take_all(task->scratch, problem->buffers, error, &requests.order,
                         &requests.block_bytes));
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
