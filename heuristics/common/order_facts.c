#include "heuristics/common/order_facts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/compare.h"
#include "core/sort.h"
#include "planning/problem/clocks/precedence.h"
#include "planning/problem/conflicts.h"

SCOPED_POINTER(struct precedence, release_precedence, precedence_free);

/* Counts how many of steps[count], which are ascending, are below `step`. */
static uint32_t count_below(const uint64_t *steps, uint32_t count, uint32_t step)
{
    return BINARY_SEARCH(at, 0, count, steps[at] >= step);
}

static enum status sort_steps(struct scratch *scratch, const uint32_t *steps, uint32_t count,
                              uint64_t **sorted, struct error *error)
{
    uint32_t *unused;
    TRY(scratch_take_all(scratch, count, error, sorted, &unused));
    for (uint32_t i = 0; i < count; i++)
        (*sorted)[i] = steps[i];
    return sort_items(*sorted, unused, count, error);
}

static enum status fill_conflicts(struct order_facts *facts, struct scratch *scratch,
                                  struct error *error)
{
    const struct problem *problem = facts->problem;
    uint32_t count = problem->buffers;
    TRY(scratch_take(scratch, &facts->conflicts, count, sizeof *facts->conflicts, error));
    if (problem_is_by_clocks(problem)) {
        SCOPED(release_precedence) struct precedence *precedence = NULL;
        TRY(precedence_create(problem->clocks, &precedence, error));
        return precedence_count_each(precedence, facts->conflicts, error);
    }
    if (problem->segments != count) { /* there are holes */
        SCOPED(conflicts_release) struct conflicts *conflicts = NULL;
        TRY(conflicts_create(problem, &conflicts, error));
        for (uint32_t b = 0; b < count; b++)
            facts->conflicts[b] = (uint32_t)(conflicts->first[b + 1] - conflicts->first[b]);
        return STATUS_OK;
    }

    /* All buffers that start before this one ends, without those that end before it starts and
       without itself. */
    uint64_t *lower, *upper;
    TRY(sort_steps(scratch, problem->lower, count, &lower, error));
    TRY(sort_steps(scratch, problem->upper, count, &upper, error));
    for (uint32_t b = 0; b < count; b++)
        facts->conflicts[b] = count_below(lower, count, problem->upper[b]) -
                              count_below(upper, count, problem->lower[b] + 1) - 1;
    return STATUS_OK;
}

/* The live bytes of each run of steps between two consecutive events, with a tree over the runs.
   Each node of the tree names the run with most bytes below it, the earlier one of equals. */
struct profile {
    uint32_t runs;
    uint64_t *step;    /* [runs] the step at which each run begins, ascending */
    uint64_t *bytes;   /* [runs] */
    uint32_t *fullest; /* [2 * leaves] the run that each node names; leaves is a power of two */
    uint32_t leaves;
};

static enum status collect_runs(struct profile *profile, const struct problem *problem,
                                struct scratch *scratch, struct error *error)
{
    uint32_t *event;
    size_t events = 2 * (size_t)problem->segments;
    TRY(scratch_take_all(scratch, events, error, &event, &profile->step, &profile->bytes));
    for (uint32_t s = 0; s < problem->segments; s++) {
        profile->step[s] = problem->lower[s];
        profile->step[problem->segments + s] = problem->upper[s];
    }
    for (size_t i = 0; i < events; i++)
        event[i] = (uint32_t)i;
    TRY(sort_items(profile->step, event, events, error));
    uint64_t live = 0;
    for (size_t i = 0; i < events; i++) {
        uint32_t s = event[i] % problem->segments;
        uint64_t bytes = problem_window_upper(problem, s) - problem_window_lower(problem, s);
        assert(event[i] < problem->segments || live >= bytes);
        live += event[i] < problem->segments ? bytes : 0 - bytes;
        if (!profile->runs || profile->step[profile->runs - 1] != profile->step[i])
            profile->step[profile->runs++] = profile->step[i];
        profile->bytes[profile->runs - 1] = live;
    }
    return STATUS_OK;
}

static uint32_t pick_fuller(const struct profile *profile, uint32_t left, uint32_t right)
{
    const uint64_t *bytes = profile->bytes;
    if (left < profile->runs && right < profile->runs && bytes[left] != bytes[right])
        return bytes[left] > bytes[right] ? left : right;
    return left < right ? left : right;
}

static uint32_t find_fullest(const struct profile *profile, uint32_t first, uint32_t end)
{
    uint32_t fullest = first;
    assert(first < end && end <= profile->runs);
    for (first += profile->leaves, end += profile->leaves; first < end; first /= 2, end /= 2) {
        if (first & 1)
            fullest = pick_fuller(profile, fullest, profile->fullest[first++]);
        if (end & 1)
            fullest = pick_fuller(profile, fullest, profile->fullest[--end]);
    }
    return fullest;
}

static enum status fill_breadth(struct order_facts *facts, struct scratch *scratch,
                                struct error *error)
{
    const struct problem *problem = facts->problem;
    struct profile profile = {.leaves = 1};
    uint32_t count = problem->buffers;
    TRY(scratch_take_all(scratch, count, error, &facts->breadth, &facts->breadth_step));
    TRY(collect_runs(&profile, problem, scratch, error));
    while (profile.leaves < profile.runs)
        profile.leaves *= 2;
    TRY(scratch_take(scratch, &profile.fullest, 2 * (size_t)profile.leaves, sizeof *profile.fullest,
                     error));
    for (uint32_t i = 0; i < profile.leaves; i++)
        profile.fullest[profile.leaves + i] = i;
    for (uint32_t i = profile.leaves - 1; i; i--)
        profile.fullest[i] =
            pick_fuller(&profile, profile.fullest[2 * i], profile.fullest[2 * i + 1]);

    for (uint32_t b = 0; b < count; b++) {
        uint32_t best = UINT32_MAX; /* no run, which is never the fuller one */
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++) {
            uint32_t first = count_below(profile.step, profile.runs, problem->lower[s]);
            uint32_t end = count_below(profile.step, profile.runs, problem->upper[s]);
            best = pick_fuller(&profile, best, find_fullest(&profile, first, end));
        }
        assert(best < profile.runs);
        facts->breadth[b] = profile.bytes[best];
        facts->breadth_step[b] = (uint32_t)profile.step[best];
    }
    return STATUS_OK;
}

struct named {
    const char *name;
    uint32_t buffer;
};

COMPARE_BY(compare_names, struct named, strcmp(a->name, b->name))

static enum status fill_names(struct order_facts *facts, struct scratch *scratch,
                              struct error *error)
{
    const struct problem *problem = facts->problem;
    struct named *named;
    TRY(scratch_take_all(scratch, problem->buffers, error, &facts->name_rank, &named));
    for (uint32_t b = 0; b < problem->buffers; b++)
        named[b] = (struct named){names_get(&problem->names, b), b};
    qsort(named, problem->buffers, sizeof *named, compare_names);
    for (uint32_t i = 0, rank = 0; i < problem->buffers; i++) {
        rank += i && strcmp(named[i - 1].name, named[i].name) != 0;
        facts->name_rank[named[i].buffer] = rank;
    }
    return STATUS_OK;
}

enum status order_facts_fill(struct order_facts *facts, const struct problem *problem,
                             unsigned wanted, struct scratch *scratch, struct error *error)
{
    *facts = (struct order_facts){.problem = problem, .first_step = UINT32_MAX};
    if (wanted & ORDER_SPAN)
        facts->end_step = problem_line_steps(problem);
    for (uint32_t b = 0; (wanted & ORDER_SPAN) && b < problem->buffers; b++)
        if (problem_lower(problem, b) < facts->first_step)
            facts->first_step = problem_lower(problem, b);
    if (wanted & ORDER_CONFLICTS)
        TRY(fill_conflicts(facts, scratch, error));
    if (wanted & ORDER_BREADTH)
        TRY(fill_breadth(facts, scratch, error));
    return wanted & ORDER_NAMES ? fill_names(facts, scratch, error) : STATUS_OK;
}
