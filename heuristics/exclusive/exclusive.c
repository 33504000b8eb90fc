/* The Chinese patent document "memory management method, device and system" (published 2022),
   paragraphs 57 to 97: operators get memory one after another, largest first. Each takes bytes that
   only operators use which were placed before and do not exclude it (see exclusion.h); the bytes
   that are missing are new memory at the end. Its memory may be scattered over several extents.

   Read out of the document, or settled where it is silent:
   - Ties are broken by position. Each output of an operator with several is placed by itself, and
     they exclude each other.
   - Bytes that only one operator uses so far come first, as figure 5 puts operator 8 into operator
     4 beside operator 1; paragraph 95 allows the bytes that operator 1 uses as well, and they come
     next. Of each the lowest come first.
   - Each extent begins at a multiple of the buffer's alignment. The document has no alignment.
   - Fixed buffers are placed before all others, each in one piece, and so are the blocks that
     regions of a graph share, since what lies in them was planned as one run of bytes.

   The planner `exclusive` also makes buffers exclude each other whose lifetimes meet;
   `exclusive_published` uses only the kinds of exclusion in the document, so that its plans may
   overwrite what is still needed. Both are the same where these kinds cannot be found. Graphs of
   more than EXCLUSION_MOST_NODES operators are PLAN_UNSUPPORTED, and at the time limit the status
   is PLAN_TIMEOUT. O(n^2 + exclusions log exclusions) for n buffers, and what exclusion_create
   costs. */

#include <stdlib.h>

#include "core/clock.h"
#include "core/compare.h"
#include "core/memory.h"
#include "heuristics/common/order.h"
#include "heuristics/common/rows.h"
#include "heuristics/exclusive/exclusion.h"
#include "heuristics/exclusive/split_space.h"
#include "planning/arena/gaps.h"
#include "planning/lowering/level.h"

struct placer {
    const struct planner_task *task;
    const struct problem *problem;
    struct exclusion exclusion;
    struct plan *plan;
    struct split_space space;
    uint32_t *others; /* [buffers] */
    /* [taken_count] places of the buffers that exclude the one to be placed */
    struct interval *taken;
    uint32_t taken_count;
    size_t taken_capacity;
    struct error *error;
};

static enum status use_pieces(struct placer *placer, uint32_t buffer)
{
    const struct split_space *space = &placer->space;
    if (space->pieces == 1)
        placer->plan->offset[buffer] = space->piece[0].offset;
    for (uint32_t i = 0; space->pieces > 1 && i < space->pieces; i++)
        TRY(plan_add_extent(placer->plan, buffer, space->piece[i].offset, space->piece[i].bytes,
                            placer->error));
    return split_space_use(&placer->space, placer->error);
}

static enum status use_run(struct placer *placer, uint32_t buffer, uint64_t offset)
{
    TRY(split_space_set(&placer->space, offset, placer->problem->size[buffer], placer->error));
    return use_pieces(placer, buffer);
}

COMPARE_MEMBERS(compare_begins, struct interval, begin)

static enum status collect_taken(struct placer *placer, uint32_t buffer)
{
    const struct plan *plan = placer->plan;
    uint32_t count = exclusion_list(&placer->exclusion, buffer, placer->others);
    placer->taken_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t other = placer->others[i];
        if (plan->offset[other] == PROBLEM_FREE)
            continue;
        struct extents_walk walk = plan_begin(plan, other, 0, placer->problem->size[other]);
        for (struct extent piece; extents_next(&walk, &piece);) {
            TRY(memory_reserve(&placer->taken, &placer->taken_capacity,
                               (size_t)placer->taken_count + 1, sizeof *placer->taken,
                               placer->error));
            placer->taken[placer->taken_count++] =
                (struct interval){piece.offset, piece.offset + piece.bytes};
        }
    }
    if (placer->taken_count)
        qsort(placer->taken, placer->taken_count, sizeof *placer->taken, compare_begins);
    return STATUS_OK;
}

static enum status place_buffer(struct placer *placer, uint32_t buffer)
{
    const struct level *level = placer->task->level;
    uint64_t size = placer->problem->size[buffer];
    uint64_t alignment = problem_alignment(placer->problem, buffer);
    TRY(collect_taken(placer, buffer));
    if (!level || level->op[buffer] == GRAPH_NONE) {
        const struct split_request request = {placer->taken, placer->taken_count, size, alignment};
        TRY(split_space_find(&placer->space, &request, placer->error));
        return use_pieces(placer, buffer);
    }

    /* A block lies at the lowest offset where it is free in one piece. */
    struct gap_source source = {placer->taken, placer->taken + placer->taken_count, false};
    struct gap_walk walk = {.source = &source,
                            .sources = placer->taken_count > 0,
                            .size = size,
                            .alignment = alignment};
    struct gap gap;
    if (!gap_walk_next(&walk, &gap))
        return error_set(placer->error, STATUS_BAD_INPUT, "no place below 2^64 bytes");
    return use_run(placer, buffer, gap.offset);
}

static void free_placer(struct placer *placer)
{
    memory_free(placer->taken);
    split_space_free(&placer->space);
    conflicts_free(placer->exclusion.lifetimes);
}

/* The rule says whether lifetimes exclude, too. */
static enum status plan_exclusive(const struct planner *planner, const struct planner_task *task,
                                  struct plan *plan, struct error *error)
{
    const bool *lifetimes = planner->rule;
    const struct problem *problem = task->problem;
    SCOPED(free_placer)
    struct placer placer = {.task = task, .problem = problem, .plan = plan, .error = error};
    uint32_t buffers = problem->buffers, *sorted;
    uint64_t deadline_ns = clock_deadline_ns(task->time_limit_ns);
    if (exclusion_is_too_large(task)) {
        plan->status = PLAN_UNSUPPORTED;
        return STATUS_OK;
    }
    TRY(scratch_take_all(task->scratch, buffers, error, &placer.others, &sorted));
    TRY(order_sort(order_find("size"), problem, task->seed, sorted, error));
    TRY(exclusion_create(task, *lifetimes, &placer.exclusion, error));
    for (uint32_t b = 0; b < buffers; b++)
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE)
            TRY(use_run(&placer, b, problem_fixed_offset(problem, b)));
    for (uint32_t i = 0; i < buffers; i++) {
        if (plan->offset[sorted[i]] != PROBLEM_FREE)
            continue;
        if (!clock_left_ns(deadline_ns)) {
            plan->status = PLAN_TIMEOUT;
            return STATUS_OK;
        }
        TRY(place_buffer(&placer, sorted[i]));
    }
    return plan_set_feasible(plan, problem, error);
}

static const struct planner rows[] = {
    {.name = "exclusive",
     .family = "exclusive",
     .title = "largest first, over the free bytes of operators that do not exclude it",
     .source = "Chinese patent document on memory management of computation graphs, 2022, "
               "paragraphs 57 to 97, with lifetimes",
     .flags = PLANNER_NO_WINDOWS | PLANNER_SPLITS,
     .rule = &(const bool){true},
     .plan = plan_exclusive},
    {.name = "exclusive_published",
     .family = "exclusive",
     .title = "the same by the document's three kinds of exclusion alone",
     .source = "Chinese patent document on memory management of computation graphs, 2022, "
               "paragraphs 57 to 97",
     .flags = PLANNER_NO_WINDOWS | PLANNER_SPLITS | PLANNER_UNSAFE,
     .rule = &(const bool){false},
     .plan = plan_exclusive},
};

HEURISTICS_ROWS(exclusive, rows);
