#include "planning/verify/problem/plan.h"

#include <assert.h>

#include "core/memory.h"
#include "core/scratch.h"
#include "core/sort.h"
#include "planning/verify/extents.h"
#include "planning/verify/problem/clocks.h"
#include "planning/verify/rank_set.h"

/* The bytes of the arena that an extent of a segment uses. */
struct window {
    uint64_t lower, upper;
    uint32_t buffer;
    uint32_t rank; /* its number when all are sorted by address */
};

struct sweep {
    const struct problem *problem;
    const struct plan *plan;
    uint32_t *starting, *ending; /* [segments] sorted by where they start, and end */
    struct window *window;       /* [windows] in the order of the segments */
    uint32_t *first;             /* [segments + 1] into window */
    uint32_t *ranked;            /* [windows] the window of each rank */
    struct rank_set live; /* ranks of live windows, which do not overlap while the sweep goes on */
    size_t window_capacity;
    struct scratch scratch;
};

/* Checks each buffer by itself: that it has all of its bytes, that each extent begins at a multiple
   of the alignment, and that a fixed buffer is in one piece at its offset. */
static void check_buffers(const struct problem *problem, const struct plan *plan,
                          struct verdict *verdict)
{
    for (uint32_t b = 0; b < problem->buffers && !verdict->fault; b++) {
        uint64_t fixed = problem_fixed_offset(problem, b);
        struct extents_walk walk = plan_begin(plan, b, 0, problem->size[b]);
        struct extent extent;
        verdict->fault = verify_extents(plan->extents, b, plan->offset[b], problem->size[b]);
        while (!verdict->fault && extents_next(&walk, &extent)) {
            if (extent.offset % problem_alignment(problem, b))
                verdict->fault = VERIFY_MISALIGNED;
            else if (fixed != PROBLEM_FREE &&
                     extent.offset != fixed + (walk.position - extent.bytes))
                verdict->fault = VERIFY_NOT_FIXED;
        }
        verdict->first = verdict->fault ? b : 0;
    }
}

static enum status list_windows(struct sweep *sweep, struct error *error)
{
    const struct problem *problem = sweep->problem;
    uint32_t windows = 0;
    struct extent extent;
    TRY(scratch_take(&sweep->scratch, &sweep->first, (size_t)problem->segments + 1,
                     sizeof(uint32_t), error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++) {
            struct extents_walk walk = plan_begin(sweep->plan, b, problem_window_lower(problem, s),
                                                  problem_window_upper(problem, s));
            while (extents_next(&walk, &extent)) {
                TRY(memory_reserve(&sweep->window, &sweep->window_capacity, (size_t)windows + 1,
                                   sizeof *sweep->window, error));
                sweep->window[windows++] =
                    (struct window){extent.offset, extent.offset + extent.bytes, b, 0};
            }
            sweep->first[s + 1] = windows;
            assert(windows > sweep->first[s]);
        }
    TRY(scratch_take(&sweep->scratch, &sweep->ranked, windows, sizeof(uint32_t), error));
    const struct sort_key address[SORT_MOST_KEYS] = {
        {SORT_MEMBER(sweep->window, struct window, lower)}};
    TRY(sort_by_keys(address, NULL, windows, sweep->ranked, error));
    for (uint32_t r = 0; r < windows; r++)
        sweep->window[sweep->ranked[r]].rank = r;
    assert(windows == 0 || sweep->window[sweep->ranked[0]].rank == 0);
    return rank_set_create(windows, &sweep->live, &sweep->scratch, error);
}

/* Starts the segments one after another, and before each ends those that end at its first step or
   earlier: a segment [lower, upper) is not live at upper. The windows that are live are disjoint,
   so only the neighbours can reach into a new one. */
static void sweep_segments(struct sweep *sweep, struct verdict *verdict)
{
    const struct problem *problem = sweep->problem;
    struct rank_set *live = &sweep->live;
    for (uint32_t i = 0, ended = 0; i < problem->segments; i++) {
        uint32_t segment = sweep->starting[i], step = problem->lower[segment], found;
        assert(step < problem->upper[segment] && ended <= i);
        for (; problem->upper[sweep->ending[ended]] <= step; ended++) {
            uint32_t over = sweep->ending[ended];
            for (uint32_t w = sweep->first[over]; w < sweep->first[over + 1]; w++)
                rank_set_remove(live, sweep->window[w].rank);
        }
        for (uint32_t w = sweep->first[segment]; w < sweep->first[segment + 1]; w++) {
            const struct window *window = &sweep->window[w], *other = NULL;
            assert(window->lower < window->upper);
            if (rank_set_below(live, window->rank, &found))
                other = &sweep->window[sweep->ranked[found]];
            if ((!other || other->upper <= window->lower) &&
                rank_set_above(live, window->rank, &found))
                other = &sweep->window[sweep->ranked[found]];
            if (other && other->lower < window->upper && other->upper > window->lower) {
                *verdict = verify_overlap(other->buffer, window->buffer, step);
                return;
            }
            rank_set_insert(live, window->rank);
        }
    }
}

static void free_sweep(struct sweep *sweep)
{
    scratch_free(&sweep->scratch);
    memory_free(sweep->window);
}

static enum status check_overlaps(const struct problem *problem, const struct plan *plan,
                                  struct verdict *verdict, struct error *error)
{
    const struct sort_key first_step[SORT_MOST_KEYS] = {{SORT_ARRAY(problem->lower)}};
    const struct sort_key end_step[SORT_MOST_KEYS] = {{SORT_ARRAY(problem->upper)}};
    SCOPED(free_sweep) struct sweep sweep = {.problem = problem, .plan = plan};
    uint32_t segments = problem->segments;
    assert(segments == problem->first[problem->buffers]);
    assert(plan->buffers == problem->buffers);
    TRY(scratch_take_all(&sweep.scratch, segments, error, &sweep.starting, &sweep.ending));
    TRY(sort_by_keys(first_step, NULL, segments, sweep.starting, error));
    TRY(sort_by_keys(end_step, NULL, segments, sweep.ending, error));
    TRY(list_windows(&sweep, error));
    sweep_segments(&sweep, verdict);
    return STATUS_OK;
}

enum status verify_plan(const struct problem *problem, const struct plan *plan,
                        struct verdict *verdict, struct error *error)
{
    uint32_t item, highest = 0;
    *verdict = (struct verdict){.fault = VERIFY_VALID};
    if (plan->buffers != problem->buffers)
        verdict->fault = VERIFY_WRONG_COUNT;
    check_buffers(problem, plan, verdict);
    if (!verdict->fault && plan->extents) {
        assert(plan->extents->items == plan->buffers);
        TRY(verify_extents_apart(plan->extents, &item, error));
        if (item < plan->buffers)
            *verdict = (struct verdict){.fault = VERIFY_SELF_OVERLAP, .first = item};
    }
    if (!verdict->fault)
        TRY(problem_is_by_clocks(problem) ? verify_clocks(problem, plan, verdict, error)
                                          : check_overlaps(problem, plan, verdict, error));

    /* The buffer that ends highest is the witness of the peak. */
    uint64_t peak = 0;
    for (uint32_t b = 0; b < problem->buffers && !verdict->fault; b++) {
        uint64_t end = extents_end(plan->extents, b, plan->offset[b], problem->size[b]);
        highest = end > peak ? b : highest;
        peak = end > peak ? end : peak;
    }
    if (!verdict->fault && plan->measures.peak_bytes != peak)
        *verdict = (struct verdict){.fault = VERIFY_WRONG_PEAK, .first = highest};
    return STATUS_OK;
}
