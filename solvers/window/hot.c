#include "solvers/window/hot.h"

#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/problem/copy.h"
#include "solvers/window/own_search.h"

/* How long it takes, roughly, to make the lists of the exact search, for each overlapping pair. */
enum { PAIR_NS = 50 };

enum status hot_create(const struct problem *problem, struct hot **created, struct error *error)
{
    struct hot *hot;
    enum status status;
    TRY(memory_create(&hot, 1, sizeof *hot, error));
    hot->problem = problem;
    TRY_OR_DONE(status, memory_create(&hot->chosen, problem->buffers, 1, error));
    TRY_OR_DONE(status, memory_create(&hot->buffer, problem->buffers, sizeof *hot->buffer, error));
    hot_clear(hot);
    *created = hot;
done:
    if (status)
        hot_free(hot);
    return status;
}

void hot_free(struct hot *hot)
{
    if (!hot)
        return;
    memory_free(hot->chosen);
    memory_free(hot->buffer);
    memory_free(hot);
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
    if (hot->chosen[buffer])
        return;
    hot->chosen[buffer] = 1;
    hot->buffer[hot->count++] = buffer;
}

static void add_live(struct hot *hot, struct draft *draft, uint32_t begin, uint32_t end)
{
    uint32_t found = live_index_find(draft->index, begin, end);
    for (uint32_t i = 0; i < found; i++)
        hot_add(hot, draft->index->timeline.buffer[draft->index->found[i]]);
}

void hot_add_windows(struct hot *hot, struct draft *draft, uint64_t limit_bytes)
{
    const struct problem *problem = hot->problem;
    const uint32_t *by_lower = draft->index->timeline.by_lower;
    for (uint32_t i = 0; i < problem->segments; i++) {
        uint32_t last = i;
        if (draft->load[i] < limit_bytes)
            continue;
        while (last + 1 < problem->segments && draft->load[last + 1] >= limit_bytes)
            last++;
        add_live(hot, draft, problem->lower[by_lower[i]], problem->lower[by_lower[last]] + 1);
        i = last;
    }
}

static enum status build_problem(const struct hot *hot, struct problem **problem,
                                 struct error *error)
{
    TRY(problem_copy_part(hot->problem, "hot windows", hot->buffer, hot->count, problem, error));
    (*problem)->line_end = hot->problem->line_end;
    return STATUS_OK;
}

enum status hot_can_solve(const struct hot *hot, const struct hot_limits *limits, bool *can,
                          struct error *error)
{
    struct problem *problem;
    uint64_t pairs = 0;
    TRY(build_problem(hot, &problem, error));
    enum status status = timeline_count_pairs(problem, &pairs, error);
    *can = pairs <= limits->most_pairs && pairs * PAIR_NS <= clock_left_ns(limits->deadline_ns);
    problem_free(problem);
    return status;
}

enum status hot_solve(const struct hot *hot, struct draft *draft, const struct hot_effort *effort,
                      struct hot_answer *answer, struct error *error)
{
    const struct exact_slice slice = {UINT64_MAX, effort->deadline_ns};
    struct problem *problem;
    struct own_search own = {0};
    bool advanced = true;
    enum status status;
    *answer = (struct hot_answer){.found = !hot->count};
    if (!hot->count)
        return STATUS_OK;
    TRY(build_problem(hot, &problem, error));
    TRY_OR_DONE(status,
                own_search_begin(&own, problem, draft->capacity_bytes, effort->threads, error));
    for (uint32_t round = 0; advanced && round < effort->rounds; round++) {
        TRY_OR_DONE(status, own_search_advance(&own, &slice, &advanced));
        advanced = advanced && clock_left_ns(effort->deadline_ns);
    }
    answer->found = own_search_found(&own);
    answer->bound_bytes = own.incumbent.plan->measures.lower_bound_bytes;
    answer->nodes = own_search_end(&own);
    for (uint32_t i = 0; answer->found && i < hot->count; i++)
        draft->offset[hot->buffer[i]] = own.incumbent.plan->offset[i];
done:
    own_search_clear(&own);
    return status;
}
