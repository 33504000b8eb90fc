#include "solvers/window/small_last.h"

#include <assert.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/scratch.h"
#include "core/sort.h"
#include "planning/problem/copy.h"
#include "planning/problem/timeline.h"
#include "solvers/exact/quick_plans.h"
#include "solvers/window/own_search.h"

/* What waits at first takes FIRST_SHARE thousandths of the bound, and after each plan at most LESS
   hundredths of what waited before. */
enum { FIRST_SHARE = 40, LESS = 70 };

/* Rounds of the exact search that puts in what waited. */
enum { ROUNDS = 2 };

struct small_last {
    struct exact_incumbent *incumbent;
    const struct problem *problem;
    uint32_t threads;
    uint32_t *by_size;     /* [buffers] the smallest first */
    uint64_t *taken_bytes; /* [buffers + 1] by the first so many of by_size, at the step at which
                              that is most; filled as far as buffers may wait */
    uint32_t waiting;      /* how many of by_size wait */
    struct own_search others;
    struct scratch memory;
    struct error *error;
};

static uint64_t get_bound_bytes(const struct small_last *small_last)
{
    return small_last->incumbent->plan->measures.lower_bound_bytes;
}

static uint64_t get_size(const void *context, uint32_t buffer)
{
    const struct problem *problem = context;
    return problem->size[buffer];
}

static uint64_t get_duration(const void *context, uint32_t buffer)
{
    return problem_duration(context, buffer);
}

/* Adds the buffer to what is live right after each segment of the timeline has started. Returns the
   most that is live then while the buffer is. */
static uint64_t add_live(const struct problem *problem, const struct timeline *timeline,
                         uint32_t buffer, uint64_t *live)
{
    uint64_t most = 0;
    for (uint32_t s = problem->first[buffer]; s < problem->first[buffer + 1]; s++)
        for (uint32_t i = 0; i < problem->segments; i++) {
            uint32_t begins = problem->lower[timeline->by_lower[i]];
            if (begins < problem->lower[s] || begins >= problem->upper[s])
                continue;
            live[i] += problem->size[buffer];
            most = live[i] > most ? live[i] : most;
        }
    return most;
}

/* Finds what the smallest buffers take, as far as they may wait at first. */
static enum status find_taken(struct small_last *small_last)
{
    const struct problem *problem = small_last->problem;
    uint64_t most = get_bound_bytes(small_last) / 1000 * FIRST_SHARE, *live = NULL,
             *taken = small_last->taken_bytes;
    struct timeline timeline;
    enum status status;
    uint32_t waiting = 0;
    TRY(timeline_create(problem, &timeline, small_last->error));
    TRY_OR_DONE(status, memory_create(&live, problem->segments, sizeof *live, small_last->error));
    for (; waiting < problem->buffers; waiting++) {
        uint64_t adds = add_live(problem, &timeline, small_last->by_size[waiting], live);
        taken[waiting + 1] = adds > taken[waiting] ? adds : taken[waiting];
        if (taken[waiting + 1] > most)
            break;
    }
    small_last->waiting = waiting;
done:
    memory_free(live);
    timeline_free(&timeline);
    return status;
}

static enum status fill_search(struct small_last *small_last)
{
    const struct problem *problem = small_last->problem;
    const struct sort_key keys[SORT_MOST_KEYS] = {{get_size, false}, {get_duration, true}};
    struct error *error = small_last->error;
    uint32_t buffers = problem->buffers;
    struct scratch *memory = &small_last->memory;
    TRY(scratch_take(memory, &small_last->by_size, buffers, sizeof(uint32_t), error));
    TRY(scratch_take(memory, &small_last->taken_bytes, (size_t)buffers + 1, sizeof(uint64_t),
                     error));
    TRY(sort_by_keys(keys, problem, buffers, small_last->by_size, error));
    return find_taken(small_last);
}

enum status small_last_create(struct exact_incumbent *incumbent, uint32_t threads,
                              struct small_last **created, struct error *error)
{
    struct small_last *small_last;
    TRY(memory_create(&small_last, 1, sizeof *small_last, error));
    small_last->incumbent = incumbent;
    small_last->problem = incumbent->task->problem;
    small_last->threads = threads;
    small_last->error = error;
    enum status status = fill_search(small_last);
    if (status)
        small_last_free(small_last);
    else
        *created = small_last;
    return status;
}

void small_last_free(struct small_last *small_last)
{
    if (!small_last)
        return;
    own_search_clear(&small_last->others);
    scratch_free(&small_last->memory);
    memory_free(small_last);
}

/* A problem of the buffers of by_size from `begin` on, in this order. */
static enum status copy_from(const struct small_last *small_last, uint32_t begin,
                             struct problem **problem)
{
    const struct problem *whole = small_last->problem;
    TRY(problem_copy_part(whole, "by size", small_last->by_size + begin, whole->buffers - begin,
                          problem, small_last->error));
    (*problem)->line_end = whole->line_end;
    return STATUS_OK;
}

/* All buffers but those that wait. */
static enum status begin_others(struct small_last *small_last)
{
    struct problem *problem;
    TRY(copy_from(small_last, small_last->waiting, &problem));
    return own_search_begin(&small_last->others, problem, get_bound_bytes(small_last),
                            small_last->threads, small_last->error);
}

static void end_others(struct small_last *small_last)
{
    small_last->incumbent->plan->measures.nodes += own_search_end(&small_last->others);
    own_search_clear(&small_last->others);
}

/* Fixes those that do not wait where the plan of the others has them. */
static enum status fix_others(const struct small_last *small_last, struct problem *whole)
{
    const struct plan *plan = small_last->others.incumbent.plan;
    for (uint32_t i = small_last->waiting; i < whole->buffers; i++)
        TRY(problem_fix(whole, i, plan->offset[i - small_last->waiting], small_last->error));
    return problem_finish(whole, small_last->error);
}

static enum status offer(const struct small_last *small_last, const struct plan *whole)
{
    struct plan *trial;
    if (exact_incumbent_peak_bytes(small_last->incumbent) <= whole->measures.peak_bytes)
        return STATUS_OK;
    TRY(plan_create(small_last->problem, &trial, small_last->error));
    for (uint32_t i = 0; i < small_last->problem->buffers; i++)
        trial->offset[small_last->by_size[i]] = whole->offset[i];
    trial->status = PLAN_FEASIBLE;
    enum status status = plan_set_peak(trial, small_last->problem, small_last->error);
    if (!status)
        status = exact_incumbent_offer(small_last->incumbent, trial, small_last->error);
    plan_free(trial);
    return status;
}

static enum status search_whole(struct own_search *whole, uint64_t deadline_ns, struct error *error)
{
    const struct exact_slice slice = {UINT64_MAX, deadline_ns};
    bool advanced = whole->solve != NULL;
    if (advanced)
        TRY(exact_quick_plans_try(&whole->incumbent, 1, error));
    for (uint32_t round = 0; advanced && round < ROUNDS; round++)
        TRY(own_search_advance(whole, &slice, &advanced));
    return STATUS_OK;
}

/* Puts what waited into the holes that the others left, and on top. */
static enum status put_in(struct small_last *small_last, uint64_t deadline_ns)
{
    struct problem *problem;
    struct own_search whole = {0};
    TRY(copy_from(small_last, 0, &problem));
    enum status status = fix_others(small_last, problem);
    if (status) {
        problem_free(problem);
        return status;
    }
    status = own_search_begin(&whole, problem, UINT64_MAX, small_last->threads, small_last->error);
    if (!status)
        status = search_whole(&whole, deadline_ns, small_last->error);
    if (!status && own_search_found(&whole))
        status = offer(small_last, whole.incumbent.plan);
    own_search_clear(&whole);
    return status;
}

/* Lets fewer buffers wait, until what they take is no more than most_bytes. */
static void wait_less(struct small_last *small_last, uint64_t most_bytes)
{
    while (small_last->waiting && small_last->taken_bytes[small_last->waiting] > most_bytes)
        small_last->waiting--;
}

/* Ends the search for a set of others that would not give a better plan any more, or whose capacity
   is no longer the bound, and leaves out such sets. */
static void skip_useless(struct small_last *small_last)
{
    uint64_t bound = get_bound_bytes(small_last),
             peak = exact_incumbent_peak_bytes(small_last->incumbent);
    uint32_t waiting = small_last->waiting;
    assert(bound < peak);
    wait_less(small_last, peak - bound - 1);
    if (small_last->others.problem &&
        (waiting != small_last->waiting || small_last->others.task.capacity_bytes != bound))
        end_others(small_last);
}

/* The bound of some of the buffers holds of all. */
static enum status take_bound(const struct small_last *small_last)
{
    uint64_t bound = small_last->others.incumbent.plan->measures.lower_bound_bytes;
    if (bound <= get_bound_bytes(small_last))
        return STATUS_OK;
    exact_incumbent_raise_bound(small_last->incumbent, bound);
    return exact_incumbent_note(small_last->incumbent, small_last->error);
}

static enum status advance_others(struct small_last *small_last, const struct exact_slice *slice,
                                  bool *advanced)
{
    if (!small_last->others.problem)
        TRY(begin_others(small_last));
    TRY(own_search_advance(&small_last->others, slice, advanced));
    if (!own_search_found(&small_last->others)) {
        uint64_t bound = get_bound_bytes(small_last);
        TRY(take_bound(small_last));
        *advanced = *advanced || get_bound_bytes(small_last) > bound;
        return STATUS_OK;
    }
    TRY(put_in(small_last, slice->deadline_ns));
    end_others(small_last);
    wait_less(small_last, small_last->taken_bytes[small_last->waiting] * LESS / 100);
    *advanced = true;
    return STATUS_OK;
}

enum status small_last_advance(struct small_last *small_last, const struct exact_slice *slice,
                               bool *advanced)
{
    const struct exact_incumbent *incumbent = small_last->incumbent;
    *advanced = false;
    if (exact_incumbent_is_solved(incumbent) || !exact_incumbent_minimises(incumbent))
        return STATUS_OK;
    skip_useless(small_last);
    if (!small_last->waiting)
        return STATUS_OK;
    TRY(advance_others(small_last, slice, advanced));
    *advanced = *advanced && small_last->waiting && !exact_incumbent_is_solved(incumbent);
    return STATUS_OK;
}
