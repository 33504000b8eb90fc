#include "solvers/window/small_last.h"

#include <assert.h>

#include "core/memory.h"
#include "core/sort.h"
#include "planning/problem/copy.h"
#include "planning/problem/timeline.h"
#include "solvers/exact/quick_plans.h"
#include "solvers/window/own_search.h"

/* The buffers that wait at first take FIRST_SHARE thousandths of the bound; after each plan those
   that wait take at most LESS hundredths of the bytes before. */
enum { FIRST_SHARE = 40, LESS = 70 };

/* Rounds of the exact search that puts in what waited. */
enum { ROUNDS = 2 };

struct small_last {
    struct exact_incumbent *incumbent;
    const struct problem *problem;
    uint32_t threads;
    uint32_t *by_size;     /* [buffers] the smallest first, those at fixed offsets last */
    uint64_t *taken_bytes; /* [buffers + 1] what the smallest ones take, by how many they are, at
                              the step at which that is most; filled as far as buffers may wait */
    uint32_t waiting;      /* how many of by_size wait */
    struct own_search others;
    struct scratch memory;
    struct error *error;
};

/* Whether a buffer has a fixed offset. It never waits then: others would be put there. */
static uint64_t get_fixed(const void *context, uint32_t buffer)
{
    return problem_fixed_offset(context, buffer) != PROBLEM_FREE;
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
            assert(live[i] >= problem->size[buffer]);
            most = live[i] > most ? live[i] : most;
        }
    return most;
}

enum status small_last_create(struct exact_incumbent *incumbent, uint32_t threads,
                              struct small_last **created, struct error *error)
{
    const struct problem *problem = incumbent->task->problem;
    const struct sort_key keys[SORT_MOST_KEYS] = {{.value = get_fixed},
                                                  {SORT_ARRAY(problem->size)},
                                                  {.value = get_duration, .descending = true}};
    SCOPED(small_last_release) struct small_last *small_last = NULL;
    SCOPED(timeline_free) struct timeline timeline = {0};
    SCOPED(memory_release) uint64_t *live = NULL;
    uint32_t buffers = problem->buffers, waiting = 0;
    uint64_t most = incumbent->plan->measures.lower_bound_bytes / 1000 * FIRST_SHARE, *taken;
    TRY(memory_create(&small_last, 1, sizeof *small_last, error));
    struct scratch *memory = &small_last->memory;
    small_last->incumbent = incumbent;
    small_last->problem = problem;
    small_last->threads = threads;
    small_last->error = error;
    TRY(scratch_take(memory, &small_last->by_size, buffers, sizeof(uint32_t), error));
    TRY(scratch_take(memory, &taken, (size_t)buffers + 1, sizeof *taken, error));
    TRY(sort_by_keys(keys, problem, buffers, small_last->by_size, error));
    TRY(timeline_create(problem, &timeline, error));
    TRY(memory_create(&live, problem->segments, sizeof *live, error));
    for (; waiting < buffers; waiting++) {
        if (get_fixed(problem, small_last->by_size[waiting]))
            break;
        uint64_t adds = add_live(problem, &timeline, small_last->by_size[waiting], live);
        taken[waiting + 1] = adds > taken[waiting] ? adds : taken[waiting];
        if (taken[waiting + 1] > most)
            break;
    }
    assert(waiting == buffers || taken[waiting + 1] > most ||
           get_fixed(problem, small_last->by_size[waiting]));
    small_last->taken_bytes = taken;
    small_last->waiting = waiting;
    HAND_OVER(small_last, created);
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
    assert(begin < whole->buffers);
    TRY(problem_copy_part(whole, "by size", small_last->by_size + begin, whole->buffers - begin,
                          problem, small_last->error));
    (*problem)->line_end = whole->line_end;
    return STATUS_OK;
}

static void end_others(struct small_last *small_last)
{
    small_last->incumbent->plan->measures.nodes += own_search_end(&small_last->others);
    own_search_clear(&small_last->others);
}

/* Puts what waited into the holes that the others left, and on top: these are fixed where their
   plan has them. */
static enum status put_in(struct small_last *small_last, uint64_t deadline_ns)
{
    const struct plan *others = small_last->others.incumbent.plan;
    assert(small_last->waiting + others->buffers == small_last->problem->buffers);
    const struct exact_slice slice = {UINT64_MAX, deadline_ns};
    struct error *error = small_last->error;
    SCOPED(problem_release) struct problem *problem = NULL;
    SCOPED(plan_release) struct plan *trial = NULL;
    SCOPED(own_search_clear) struct own_search own = {0};
    TRY(copy_from(small_last, 0, &problem));
    for (uint32_t i = small_last->waiting; i < problem->buffers; i++)
        TRY(problem_fix(problem, i, others->offset[i - small_last->waiting], error));
    TRY(problem_finish(problem, error));
    struct problem *whole = problem;
    problem = NULL; /* the search takes it over */
    TRY(own_search_begin(&own, whole, UINT64_MAX, small_last->threads, error));
    bool advanced = own.solve != NULL;
    if (advanced)
        TRY(exact_quick_plans_try(&own.incumbent, 1, error));
    for (uint32_t round = 0; advanced && round < ROUNDS; round++)
        TRY(own_search_advance(&own, &slice, &advanced));
    const struct plan *found = own.incumbent.plan;
    assert(found->buffers == small_last->problem->buffers);
    if (!own_search_found(&own) ||
        exact_incumbent_peak_bytes(small_last->incumbent) <= found->measures.peak_bytes)
        return STATUS_OK;
    TRY(plan_create(small_last->problem, &trial, error));
    for (uint32_t i = 0; i < small_last->problem->buffers; i++)
        trial->offset[small_last->by_size[i]] = found->offset[i];
    return exact_incumbent_offer_offsets(small_last->incumbent, trial, error);
}

/* Lets fewer buffers wait, until what they take is no more than most_bytes. */
static void wait_less(struct small_last *small_last, uint64_t most_bytes)
{
    assert(small_last->taken_bytes[0] == 0 && small_last->waiting <= small_last->problem->buffers);
    while (small_last->waiting && small_last->taken_bytes[small_last->waiting] > most_bytes)
        small_last->waiting--;
}

enum status small_last_advance(struct small_last *small_last, const struct exact_slice *slice,
                               bool *advanced)
{
    const struct exact_incumbent *incumbent = small_last->incumbent;
    struct own_search *others = &small_last->others;
    struct problem *problem;
    *advanced = false;
    if (exact_incumbent_is_solved(incumbent) || !exact_incumbent_minimises(incumbent))
        return STATUS_OK;
    /* The search for a set of others ends where it would not give a better plan any more, or its
       capacity is no longer the bound. */
    uint64_t bound = incumbent->plan->measures.lower_bound_bytes,
             peak = exact_incumbent_peak_bytes(incumbent);
    uint32_t waiting = small_last->waiting;
    assert(bound < peak);
    wait_less(small_last, peak - bound - 1);
    if (others->problem && (waiting != small_last->waiting || others->task.capacity_bytes != bound))
        end_others(small_last);
    if (!small_last->waiting)
        return STATUS_OK;
    if (!others->problem) {
        TRY(copy_from(small_last, small_last->waiting, &problem));
        TRY(own_search_begin(others, problem, bound, small_last->threads, small_last->error));
    }
    assert(others->task.capacity_bytes == bound);
    TRY(own_search_advance(others, slice, advanced));
    uint64_t proved = others->incumbent.plan->measures.lower_bound_bytes;
    assert(others->incumbent.plan->buffers + small_last->waiting == small_last->problem->buffers);
    if (own_search_found(others)) {
        TRY(put_in(small_last, slice->deadline_ns));
        end_others(small_last);
        wait_less(small_last, small_last->taken_bytes[small_last->waiting] * LESS / 100);
        *advanced = true;
    } else if (proved > bound) { /* a bound of some of the buffers holds of all */
        exact_incumbent_raise_bound(incumbent, proved);
        TRY(exact_incumbent_note(incumbent, small_last->error));
        *advanced = true;
    }
    *advanced = *advanced && small_last->waiting && !exact_incumbent_is_solved(incumbent);
    return STATUS_OK;
}
