#include "solvers/window/squeeze.h"

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "solvers/window/eject.h"
#include "solvers/window/fill.h"
#include "solvers/window/hot_order.h"

/* How many segments ejection may look at in a step, for each segment of the problem. Each step that
   fails doubles the number, up to MOST_DOUBLINGS times. */
enum { LOOKS = 1000, MOST_DOUBLINGS = 4 };

/* A step goes down by 2^-FIRST_SHIFT of what lies between the bound and the peak, after a step that
   failed by half as much. */
enum { FIRST_SHIFT = 3, LAST_SHIFT = 10 };

/* Quarters, which come first where it begins with the incumbent's plan, are given up when
   MOST_GROWTH times as many buffers wait as at first, and MOST_MORE more. */
enum { QUARTER_SHIFT = 2, MOST_GROWTH = 3, MOST_MORE = 50 };

/* A load counts as near the greatest one from this number of sixteenths of it on. */
enum { HIGH_SIXTEENTHS = 15 };

struct squeeze {
    struct exact_incumbent *incumbent;
    const struct problem *problem;
    struct draft *draft;
    struct eject *eject;
    struct plan *trial;
    bool has_begun;             /* the first plan was made */
    uint32_t shift;             /* of the step */
    uint32_t doublings;         /* of its looks */
    bool is_paused;             /* the draft is in the middle of a step */
    uint64_t paused_peak_bytes; /* of the best plan then */
    uint64_t looks;             /* that are left to it */
    uint32_t most_waiting;      /* buffers; where there are more, it is given up */
    uint64_t deadline_ns;
    struct error *error;
};

enum status squeeze_create(struct exact_incumbent *incumbent, struct squeeze **created,
                           struct error *error)
{
    struct squeeze *squeeze;
    TRY(memory_create(&squeeze, 1, sizeof *squeeze, error));
    squeeze->incumbent = incumbent;
    squeeze->problem = incumbent->task->problem;
    squeeze->shift = FIRST_SHIFT;
    squeeze->error = error;
    *created = squeeze;
    return STATUS_OK;
}

void squeeze_rest(struct squeeze *squeeze)
{
    eject_free(squeeze->eject);
    draft_free(squeeze->draft);
    plan_free(squeeze->trial);
    squeeze->eject = NULL;
    squeeze->draft = NULL;
    squeeze->trial = NULL;
    squeeze->is_paused = false;
}

void squeeze_free(struct squeeze *squeeze)
{
    if (!squeeze)
        return;
    squeeze_rest(squeeze);
    memory_free(squeeze);
}

static bool is_over(const struct squeeze *squeeze)
{
    return exact_incumbent_is_solved(squeeze->incumbent) || !clock_left_ns(squeeze->deadline_ns);
}

SCOPED_POINTER(struct occupancy, release_occupancy, occupancy_free);

static enum status make_first_plan(struct squeeze *squeeze)
{
    SCOPED(release_occupancy) struct occupancy *occupancy = NULL;
    SCOPED(memory_release) uint32_t *sorted = NULL;
    struct fill_whole whole = {.offset = squeeze->trial->offset};
    assert(!squeeze->has_begun && squeeze->draft);
    squeeze->has_begun = true;
    TRY(memory_create(&sorted, squeeze->problem->buffers, sizeof *sorted, squeeze->error));
    TRY(hot_order_sort(squeeze->draft, sorted, squeeze->error));
    TRY(occupancy_create(squeeze->problem, &occupancy, squeeze->error));
    const struct fill_rule rule = {sorted, occupancy, squeeze->deadline_ns};
    draft_clear(squeeze->draft, UINT64_MAX);
    TRY(fill_draft(squeeze->draft, &rule, &whole, squeeze->error));
    return whole.peak_bytes < exact_incumbent_peak_bytes(squeeze->incumbent)
               ? exact_incumbent_offer_offsets(squeeze->incumbent, squeeze->trial, squeeze->error)
               : STATUS_OK;
}

/* Goes on with the step that is paused, or begins one: the draft gets the offsets of the best plan,
   and what ends above a capacity below its peak waits. */
static enum status begin_step(struct squeeze *squeeze)
{
    const struct problem *problem = squeeze->problem;
    struct draft *draft = squeeze->draft;
    uint64_t peak = exact_incumbent_peak_bytes(squeeze->incumbent),
             enough = exact_incumbent_enough_bytes(squeeze->incumbent);
    if (squeeze->is_paused && squeeze->paused_peak_bytes == peak)
        return STATUS_OK;
    assert(peak > enough);
    uint64_t less = (peak - enough) >> squeeze->shift, capacity = less ? peak - less : peak - 1;
    assert(squeeze->shift >= QUARTER_SHIFT && squeeze->shift <= LAST_SHIFT);
    squeeze->paused_peak_bytes = peak;
    squeeze->looks = (uint64_t)LOOKS * problem->segments << squeeze->doublings;
    assert(enough <= capacity && capacity < peak);
    draft_clear(draft, capacity);
    memcpy(draft->offset, squeeze->incumbent->plan->offset,
           problem->buffers * sizeof *draft->offset);
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (draft->offset[b] + problem->size[b] > capacity)
            TRY(draft_wait(draft, b, squeeze->error));
    squeeze->most_waiting =
        squeeze->shift < FIRST_SHIFT ? MOST_GROWTH * draft->unplaced.count + MOST_MORE : UINT32_MAX;
    return STATUS_OK;
}

static enum status prepare(struct squeeze *squeeze)
{
    if (squeeze->trial)
        return STATUS_OK;
    TRY(draft_create(squeeze->problem, &squeeze->draft, squeeze->error));
    return plan_create(squeeze->problem, &squeeze->trial, squeeze->error);
}

enum status squeeze_find_high_share(struct squeeze *squeeze, double *share)
{
    uint32_t segments = squeeze->problem->segments, high = 0;
    uint64_t most = 0;
    TRY(prepare(squeeze));
    for (uint32_t i = 0; i < segments; i++)
        if (squeeze->draft->load[i] > most)
            most = squeeze->draft->load[i];
    for (uint32_t i = 0; i < segments; i++)
        high += squeeze->draft->load[i] > most / 16 * HIGH_SIXTEENTHS;
    assert(high > 0 || !segments);
    *share = segments ? (double)high / segments : 0;
    return STATUS_OK;
}

void squeeze_begin_with_plan(struct squeeze *squeeze)
{
    assert(!squeeze->has_begun && plan_found(squeeze->incumbent->plan));
    squeeze->has_begun = true;
    squeeze->shift = QUARTER_SHIFT;
}

enum status squeeze_advance(struct squeeze *squeeze, uint64_t limit_ns, bool *advanced)
{
    struct error *error = squeeze->error;
    *advanced = false;
    squeeze->deadline_ns = clock_deadline_ns(limit_ns);
    if (is_over(squeeze))
        return STATUS_OK;
    TRY(prepare(squeeze));
    if (!squeeze->has_begun)
        TRY(make_first_plan(squeeze));
    if (!squeeze->eject)
        TRY(eject_create(squeeze->draft, &squeeze->eject, error));
    const struct draft *draft = squeeze->draft;
    while (!is_over(squeeze) && squeeze->shift <= LAST_SHIFT) {
        TRY(begin_step(squeeze));
        struct eject_effort effort = {.looks = squeeze->looks,
                                      .most_waiting = squeeze->most_waiting,
                                      .deadline_ns = squeeze->deadline_ns};
        TRY(eject_run(squeeze->eject, &effort, error));
        assert(effort.looks <= squeeze->looks);
        squeeze->looks = effort.looks;
        bool done = !draft->unplaced.count;
        assert(squeeze->doublings <= MOST_DOUBLINGS);
        squeeze->is_paused = !done && squeeze->looks && !clock_left_ns(squeeze->deadline_ns);
        if (squeeze->is_paused)
            continue;
        if (!done) {
            /* The step begins again the next time, lower by less and with more effort. Where it has
               failed for good, no step can be smaller. */
            squeeze->shift = squeeze->shift < FIRST_SHIFT ? FIRST_SHIFT : squeeze->shift + 1;
            squeeze->doublings += squeeze->doublings < MOST_DOUBLINGS;
            eject_forget(squeeze->eject);
            continue;
        }
        assert(draft->capacity_bytes < exact_incumbent_peak_bytes(squeeze->incumbent));
        squeeze->shift -= squeeze->shift > FIRST_SHIFT;
        squeeze->doublings -= squeeze->doublings > 0;
        memcpy(squeeze->trial->offset, draft->offset,
               squeeze->problem->buffers * sizeof *draft->offset);
        TRY(exact_incumbent_offer_offsets(squeeze->incumbent, squeeze->trial, squeeze->error));
    }
    *advanced = squeeze->shift <= LAST_SHIFT && !exact_incumbent_is_solved(squeeze->incumbent);
    return STATUS_OK;
}
