#include "solvers/window/own_search.h"

#include <assert.h>

#include "core/clock.h"
#include "planning/problem/bounds.h"

enum status own_search_begin(struct own_search *search, struct problem *problem,
                             uint64_t capacity_bytes, uint32_t threads, struct error *error)
{
    assert(!search->problem && !search->incumbent.plan);
    const struct exact_component_options options = exact_component_defaults(threads);
    search->problem = problem;
    assert(threads > 0 && problem->buffers > 0);
    search->task = (struct planner_task){
        .problem = problem, .capacity_bytes = capacity_bytes, .time_limit_ns = UINT64_MAX};
    search->incumbent =
        (struct exact_incumbent){.task = &search->task, .began_ns = clock_monotonic_ns()};
    TRY(plan_create(problem, &search->incumbent.plan, error));
    struct plan *plan = search->incumbent.plan;
    plan->status = PLAN_TIMEOUT;
    TRY(search_record_create(&plan->search, error));
    TRY(bound_peak(problem, &plan->measures.lower_bound_bytes, error));
    return exact_incumbent_is_solved(&search->incumbent)
               ? STATUS_OK
               : exact_solve_create(&search->incumbent, &options, &search->solve, error);
}

void own_search_clear(struct own_search *search)
{
    exact_solve_free(search->solve);
    plan_free(search->incumbent.plan);
    problem_free(search->problem);
    *search = (struct own_search){0};
}

enum status own_search_advance(struct own_search *search, const struct exact_slice *slice,
                               bool *advanced)
{
    assert(search->problem && search->incumbent.plan);
    *advanced = false;
    return search->solve ? exact_solve_advance(search->solve, slice, advanced) : STATUS_OK;
}

bool own_search_found(const struct own_search *search)
{
    assert(search->incumbent.task == &search->task);
    return exact_incumbent_peak_bytes(&search->incumbent) <= search->task.capacity_bytes &&
           plan_found(search->incumbent.plan);
}

uint64_t own_search_end(struct own_search *search)
{
    exact_solve_free(search->solve);
    search->solve = NULL;
    const uint64_t *counter = search->incumbent.plan->search->counter;
    return counter[SEARCH_PLACEMENTS] + counter[SEARCH_REJECTIONS];
}
