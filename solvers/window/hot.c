#include "solvers/window/hot.h"

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/problem/copy.h"
#include "solvers/window/own_search.h"

/* Roughly the time that making the lists of the exact search takes for each overlapping pair. */
enum { PAIR_NS = 50 };

enum status hot_create(const struct problem *problem, struct hot **created, struct error *error)
{
    SCOPED(hot_release) struct hot *hot = NULL;
    TRY(memory_create(&hot, 1, sizeof *hot, error));
    hot->problem = problem;
    TRY(memory_create(&hot->chosen, problem->buffers, 1, error));
    TRY(memory_create(&hot->buffer, problem->buffers, sizeof *hot->buffer, error));
    hot_clear(hot);
    HAND_OVER(hot, created);
}

void hot_free(struct hot *hot)
{
    if (!hot)
        return;
    memory_free_all(hot->chosen, hot->buffer, hot);
}

void hot_clear(struct hot *hot)
{
    memset(hot->chosen, 0, hot->problem->buffers);
    hot->count = 0;
    for (uint32_t b = 0; b < hot->problem->buffers; b++)
        if (problem_fixed_offset(hot->problem, b) != PROBLEM_FREE)
            hot_add(hot, b);
}

void hot_add(struct hot *hot, uint32_t buffer)
{
    assert(buffer < hot->problem->buffers);
    if (hot->chosen[buffer])
        return;
    hot->chosen[buffer] = 1;
    assert(hot->count < hot->problem->buffers);
    hot->buffer[hot->count++] = buffer;
}

void hot_add_windows(struct hot *hot, struct draft *draft, uint64_t limit_bytes)
{
    const struct problem *problem = hot->problem;
    const struct timeline *timeline = &draft->index->timeline;
    for (uint32_t i = 0; i < problem->segments; i++) {
        uint32_t begin = problem->lower[timeline->by_lower[i]];
        if (draft->load[i] < limit_bytes)
            continue;
        while (i + 1 < problem->segments && draft->load[i + 1] >= limit_bytes)
            i++;
        assert(begin <= problem->lower[timeline->by_lower[i]]);
        uint32_t found =
            live_index_find(draft->index, begin, problem->lower[timeline->by_lower[i]] + 1);
        for (uint32_t k = 0; k < found; k++)
            hot_add(hot, timeline->buffer[draft->index->found[k]]);
    }
}

static enum status build_problem(const struct hot *hot, struct problem **problem,
                                 struct error *error)
{
    assert(hot->count <= hot->problem->buffers);
    TRY(problem_copy_part(hot->problem, "hot windows", hot->buffer, hot->count, problem, error));
    (*problem)->line_end = hot->problem->line_end;
    return STATUS_OK;
}

enum status hot_can_solve(const struct hot *hot, const struct hot_limits *limits, bool *can,
                          struct error *error)
{
    SCOPED(problem_release) struct problem *problem = NULL;
    uint64_t pairs = 0;
    TRY(build_problem(hot, &problem, error));
    TRY(timeline_count_pairs(problem, &pairs, error));
    *can = pairs <= limits->most_pairs && pairs * PAIR_NS <= clock_left_ns(limits->deadline_ns);
    return STATUS_OK;
}

enum status hot_solve(const struct hot *hot, struct draft *draft, const struct hot_effort *effort,
                      struct hot_answer *answer, struct error *error)
{
    const struct exact_slice slice = {UINT64_MAX, effort->deadline_ns};
    SCOPED(own_search_clear) struct own_search own = {0};
    struct problem *problem;
    bool advanced = true;
    *answer = (struct hot_answer){.found = !hot->count};
    if (!hot->count)
        return STATUS_OK;
    TRY(build_problem(hot, &problem, error));
    TRY(own_search_begin(&own, problem, draft->capacity_bytes, effort->threads, error));
    for (uint32_t round = 0; advanced && round < effort->rounds; round++) {
        TRY(own_search_advance(&own, &slice, &advanced));
        advanced = advanced && clock_left_ns(effort->deadline_ns);
    }
    answer->found = own_search_found(&own);
    answer->bound_bytes = own.incumbent.plan->measures.lower_bound_bytes;
    answer->nodes = own_search_end(&own);
    assert(own.incumbent.plan->buffers == hot->count);
    for (uint32_t i = 0; answer->found && i < hot->count; i++) {
        assert(own.incumbent.plan->offset[i] + hot->problem->size[hot->buffer[i]] <=
               draft->capacity_bytes);
        draft->offset[hot->buffer[i]] = own.incumbent.plan->offset[i];
    }
    return STATUS_OK;
}
