#include "planning/verify/plan.h"

#include <assert.h>

#include "core/checked.h"
#include "core/memory.h"
#include "core/sort.h"
#include "planning/verify/clocks.h"
#include "planning/verify/extents.h"
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
};

static void set_overlap(struct verdict *verdict, uint32_t a, uint32_t b, uint32_t step)
{
    assert(a != b);
    *verdict = (struct verdict){VERIFY_OVERLAP, a < b ? a : b, a < b ? b : a, step};
}

/* Checks that each extent begins at a multiple of the alignment, and that a fixed buffer is in one
   piece at its offset. */
static enum verify_fault check_extents(const struct problem *problem, const struct plan *plan,
                                       uint32_t buffer)
{
    assert(buffer < problem->buffers);
    uint64_t fixed = problem_fixed_offset(problem, buffer);
    struct extents_walk walk = plan_begin(plan, buffer, 0, problem->size[buffer]);
    struct extent extent;
    while (extents_next(&walk, &extent)) {
        if (extent.offset % problem_alignment(problem, buffer))
            return VERIFY_MISALIGNED;
        if (fixed != PROBLEM_FREE && extent.offset != fixed + (walk.position - extent.bytes))
            return VERIFY_NOT_FIXED;
    }
    return VERIFY_VALID;
}

static enum verify_fault check_buffer(const struct problem *problem, const struct plan *plan,
                                      uint32_t buffer)
{
    enum verify_fault fault =
        verify_extents(plan->extents, buffer, plan->offset[buffer], problem->size[buffer]);
    return fault ? fault : check_extents(problem, plan, buffer);
}

/* Checks each buffer by itself. */
static void check_buffers(const struct problem *problem, const struct plan *plan,
                          struct verdict *verdict)
{
    *verdict = (struct verdict){.fault = VERIFY_VALID};
    if (plan->buffers != problem->buffers)
        verdict->fault = VERIFY_WRONG_COUNT;
    for (uint32_t b = 0; b < problem->buffers && !verdict->fault; b++) {
        verdict->fault = check_buffer(problem, plan, b);
        verdict->first = verdict->fault ? b : 0;
    }
}

/* Checks the peak that the plan names; the buffer that ends highest is the witness. */
static void check_peak(const struct problem *problem, const struct plan *plan,
                       struct verdict *verdict)
{
    assert(plan->buffers == problem->buffers);
    uint64_t peak = 0;
    uint32_t highest = 0;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint64_t end = extents_end(plan->extents, b, plan->offset[b], problem->size[b]);
        if (end > peak) {
            peak = end;
            highest = b;
        }
    }
    if (plan->measures.peak_bytes != peak)
        *verdict = (struct verdict){.fault = VERIFY_WRONG_PEAK, .first = highest};
}

/* The segments by the step, those of equal ones by their number. */
static enum status order_segments(const struct problem *problem, const uint32_t *step,
                                  uint32_t **order, struct error *error)
{
    uint64_t *key;
    TRY(memory_create(order, problem->segments, sizeof **order, error));
    TRY(memory_create(&key, problem->segments, sizeof *key, error));
    for (uint32_t s = 0; s < problem->segments; s++) {
        key[s] = step[s];
        (*order)[s] = s;
    }
    enum status status = sort_items(key, *order, problem->segments, error);
    memory_free(key);
    return status;
}

static enum status add_windows(struct sweep *sweep, uint32_t buffer, uint32_t segment,
                               struct error *error)
{
    const struct problem *problem = sweep->problem;
    struct extents_walk walk =
        plan_begin(sweep->plan, buffer, problem_window_lower(problem, segment),
                   problem_window_upper(problem, segment));
    uint32_t windows = sweep->first[segment];
    struct extent extent;
    while (extents_next(&walk, &extent)) {
        TRY(memory_reserve(&sweep->window, &sweep->window_capacity, (size_t)windows + 1,
                           sizeof *sweep->window, error));
        sweep->window[windows++] =
            (struct window){extent.offset, extent.offset + extent.bytes, buffer, 0};
    }
    sweep->first[segment + 1] = windows;
    return STATUS_OK;
}

static uint64_t get_lower(const void *context, uint32_t window)
{
    return ((const struct sweep *)context)->window[window].lower;
}

static enum status list_windows(struct sweep *sweep, struct error *error)
{
    static const struct sort_key keys[SORT_MOST_KEYS] = {{get_lower, false}};
    const struct problem *problem = sweep->problem;
    TRY(memory_create(&sweep->first, (size_t)problem->segments + 1, sizeof(uint32_t), error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
            TRY(add_windows(sweep, b, s, error));
    uint32_t windows = sweep->first[problem->segments];
    TRY(memory_create(&sweep->ranked, windows, sizeof *sweep->ranked, error));
    TRY(sort_by_keys(keys, sweep, windows, sweep->ranked, error));
    for (uint32_t r = 0; r < windows; r++)
        sweep->window[sweep->ranked[r]].rank = r;
    return rank_set_create(windows, &sweep->live, error);
}

/* The windows that are live are disjoint, so only the neighbours can reach into a new one. */
static void start_window(struct sweep *sweep, uint32_t started, uint32_t step,
                         struct verdict *verdict)
{
    const struct window *window = &sweep->window[started], *below, *above;
    uint32_t rank = window->rank, found;
    assert(window->lower < window->upper);
    below =
        rank_set_below(&sweep->live, rank, &found) ? &sweep->window[sweep->ranked[found]] : NULL;
    above =
        rank_set_above(&sweep->live, rank, &found) ? &sweep->window[sweep->ranked[found]] : NULL;
    if (below && below->upper > window->lower)
        set_overlap(verdict, below->buffer, window->buffer, step);
    else if (above && above->lower < window->upper)
        set_overlap(verdict, above->buffer, window->buffer, step);
    rank_set_insert(&sweep->live, rank);
}

static void start_segment(struct sweep *sweep, uint32_t segment, struct verdict *verdict)
{
    uint32_t step = sweep->problem->lower[segment], end = sweep->first[segment + 1];
    for (uint32_t w = sweep->first[segment]; w < end && !verdict->fault; w++)
        start_window(sweep, w, step, verdict);
}

static void end_segment(struct sweep *sweep, uint32_t segment)
{
    for (uint32_t w = sweep->first[segment]; w < sweep->first[segment + 1]; w++)
        rank_set_remove(&sweep->live, sweep->window[w].rank);
}

/* Starts the segments one after another, and before each ends those that end at its first step or
   earlier: a segment [lower, upper) is not live at upper. */
static void sweep_segments(struct sweep *sweep, struct verdict *verdict)
{
    const struct problem *problem = sweep->problem;
    for (uint32_t i = 0, ended = 0; i < problem->segments && !verdict->fault; i++) {
        uint32_t segment = sweep->starting[i];
        assert(problem->lower[segment] < problem->upper[segment]);
        for (; problem->upper[sweep->ending[ended]] <= problem->lower[segment]; ended++)
            end_segment(sweep, sweep->ending[ended]);
        start_segment(sweep, segment, verdict);
    }
}

static enum status check_overlaps(const struct problem *problem, const struct plan *plan,
                                  struct verdict *verdict, struct error *error)
{
    struct sweep sweep = {.problem = problem, .plan = plan};
    enum status status;
    TRY_OR_DONE(status, order_segments(problem, problem->lower, &sweep.starting, error));
    TRY_OR_DONE(status, order_segments(problem, problem->upper, &sweep.ending, error));
    TRY_OR_DONE(status, list_windows(&sweep, error));
    sweep_segments(&sweep, verdict);
done:
    memory_free(sweep.starting);
    memory_free(sweep.ending);
    memory_free(sweep.window);
    memory_free(sweep.first);
    memory_free(sweep.ranked);
    rank_set_free(&sweep.live);
    return status;
}

static enum status check_self_overlaps(const struct plan *plan, struct verdict *verdict,
                                       struct error *error)
{
    uint32_t buffer;
    if (!plan->extents)
        return STATUS_OK;
    assert(plan->extents->items == plan->buffers);
    TRY(verify_extents_apart(plan->extents, &buffer, error));
    if (buffer < plan->buffers)
        *verdict = (struct verdict){.fault = VERIFY_SELF_OVERLAP, .first = buffer};
    return STATUS_OK;
}

enum status verify_plan(const struct problem *problem, const struct plan *plan,
                        struct verdict *verdict, struct error *error)
{
    check_buffers(problem, plan, verdict);
    if (!verdict->fault)
        TRY(check_self_overlaps(plan, verdict, error));
    if (!verdict->fault && problem_is_by_clocks(problem))
        TRY(verify_clocks(problem, plan, verdict, error));
    else if (!verdict->fault)
        TRY(check_overlaps(problem, plan, verdict, error));
    if (!verdict->fault)
        check_peak(problem, plan, verdict);
    return STATUS_OK;
}
