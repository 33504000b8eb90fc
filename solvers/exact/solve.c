#include "solvers/exact/solve.h"

#include <assert.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/problem/timeline.h"
#include "solvers/common/components.h"
#include "solvers/exact/quick_plans.h"

/* Larger problems are not searched, for lack of memory. */
enum {
    MOST_WITH_WINDOWS = 1 << 12, /* buffers of a component with windows */
    MOST_ENTRIES = 1 << 23,      /* of the lists of all strategies together */
};

uint64_t exact_count_affordable_pairs(uint64_t bytes, uint32_t threads)
{
    enum { LIST_BYTES = 16, TRAIL_BYTES = 24 }; /* of a pair: in the lists, in a thread's trail */
    uint64_t pairs = bytes / (LIST_BYTES + (uint64_t)TRAIL_BYTES * threads);
    return pairs < EXACT_MOST_PAIRS ? pairs : EXACT_MOST_PAIRS;
}

struct exact_solve {
    struct exact_incumbent *incumbent;
    struct exact_component_options options;
    struct components components;
    struct exact_component **component; /* [components.count] NULL where not searched */
    struct plan *begun;                 /* the incumbent's plan when this began */
    bool *settled;                      /* [components.count] `begun` is low enough there */
    uint32_t unplanned;                 /* components that are not settled and have no plan */
    uint32_t round;                     /* the next one */
    uint32_t next;                      /* component of this round */
    struct exact_slice slice;
    struct error *error;
};

static bool is_over(const struct exact_solve *solve)
{
    return exact_incumbent_is_solved(solve->incumbent) || !clock_left_ns(solve->slice.deadline_ns);
}

/* A component starts from the bound on the whole problem: a plan of it below that bound would not
   lower the whole. */
static enum status create_component(void *context, uint32_t index, const struct problem *problem,
                                    struct error *error)
{
    struct exact_solve *solve = context;
    struct exact_component_options options = solve->options;
    struct exact_component *component;
    uint64_t pairs;
    assert(index < solve->components.count && !solve->component[index]);
    TRY(timeline_count_pairs(problem, &pairs, error));
    if (pairs > EXACT_MOST_PAIRS ||
        (problem_has_windows(problem) &&
         (problem->buffers > MOST_WITH_WINDOWS || !exact_learn_can(problem))))
        return STATUS_OK;
    assert(options.race.strategies > 0);
    uint64_t strategies = MOST_ENTRIES / (pairs + 1) + 1;
    if (strategies < options.race.strategies)
        options.race.strategies = (uint32_t)strategies;
    TRY(exact_component_create(problem, solve->incumbent->plan->measures.lower_bound_bytes,
                               &options, &component, error));
    exact_incumbent_raise_bound(solve->incumbent, exact_component_bound_bytes(component));
    if (component->race || component->learn)
        solve->component[index] = component;
    else
        exact_component_free(component);
    return exact_incumbent_note(solve->incumbent, error);
}

static enum status create_components(struct exact_solve *solve)
{
    struct components *components = &solve->components;
    const struct plan *plan = solve->incumbent->plan;
    uint64_t enough_bytes = exact_incumbent_enough_bytes(solve->incumbent);
    TRY(components_create(solve->incumbent->task->problem, enough_bytes, components, solve->error));
    TRY(plan_create(solve->incumbent->task->problem, &solve->begun, solve->error));
    plan_take(solve->begun, plan);
    TRY(memory_create_all(components->count, solve->error, &solve->component, &solve->settled));
    for (uint32_t i = 0; i < components->count; i++) {
        solve->settled[i] = plan_found(plan) && components_peak_bytes(components, i, plan) <=
                                                    exact_incumbent_enough_bytes(solve->incumbent);
        solve->unplanned += !solve->settled[i];
        if (!solve->settled[i])
            TRY(components_solve(components, i, create_component, solve, solve->error));
    }
    assert(solve->unplanned <= components->count);
    return STATUS_OK;
}

/* Makes a plan of the whole where all components that are not settled have plans lower than the
   incumbent. The settled ones stay where they lay at the beginning: what others have offered to the
   incumbent since may be lower as a whole and yet higher there. */
static enum status assemble(struct exact_solve *solve)
{
    uint64_t peak_bytes = exact_incumbent_peak_bytes(solve->incumbent);
    assert(peak_bytes >= solve->incumbent->plan->measures.lower_bound_bytes);
    if (solve->unplanned)
        return STATUS_OK;
    for (uint32_t i = 0; i < solve->components.count; i++)
        if (!solve->settled[i] && exact_component_peak_bytes(solve->component[i]) >= peak_bytes)
            return STATUS_OK;
    SCOPED(plan_release) struct plan *plan = NULL;
    TRY(plan_create(solve->incumbent->task->problem, &plan, solve->error));
    plan_take(plan, solve->begun);
    for (uint32_t i = 0; i < solve->components.count; i++) {
        const struct exact_component *component = solve->component[i];
        assert(!component || component->peak != UINT64_MAX);
        if (component)
            components_put(&solve->components, i, component->offset, component->model->unit_bytes,
                           plan);
    }
    TRY(components_finish(&solve->components, plan, solve->error));
    return exact_incumbent_offer(solve->incumbent, plan, solve->error);
}

static enum status note_progress(void *context, const struct exact_component *component,
                                 bool first_plan, struct error *error)
{
    struct exact_solve *solve = context;
    exact_incumbent_raise_bound(solve->incumbent, exact_component_bound_bytes(component));
    assert(!first_plan || solve->unplanned > 0);
    solve->unplanned -= first_plan;
    TRY(exact_incumbent_note(solve->incumbent, error));
    return assemble(solve);
}

enum status exact_solve_create(struct exact_incumbent *incumbent,
                               const struct exact_component_options *options,
                               struct exact_solve **created, struct error *error)
{
    assert(incumbent->plan->search);
    SCOPED(exact_solve_release) struct exact_solve *solve = NULL;
    TRY(memory_create(&solve, 1, sizeof *solve, error));
    solve->incumbent = incumbent;
    solve->options = *options;
    solve->error = error;
    TRY(create_components(solve));
    TRY(assemble(solve));
    HAND_OVER(solve, created);
}

void exact_solve_free(struct exact_solve *solve)
{
    if (!solve)
        return;
    for (uint32_t i = 0; solve->component && i < solve->components.count; i++) {
        if (solve->component[i])
            exact_component_count(solve->component[i], solve->incumbent->plan->search->counter);
        exact_component_free(solve->component[i]);
    }
    memory_free_all(solve->component, solve->settled);
    plan_free(solve->begun);
    components_clear(&solve->components);
    memory_free(solve);
}

enum status exact_solve_advance(struct exact_solve *solve, const struct exact_slice *slice,
                                bool *advanced)
{
    struct exact_incumbent *incumbent = solve->incumbent;
    assert(solve->round <= EXACT_LAST_ROUND && solve->next <= solve->components.count);
    *advanced = solve->next > 0;
    solve->slice = *slice;
    for (; solve->next < solve->components.count && !is_over(solve); solve->next++) {
        struct exact_component *component = solve->component[solve->next];
        const struct exact_goal goal = {.minimise = exact_incumbent_minimises(incumbent),
                                        .capacity_bytes = incumbent->task->capacity_bytes,
                                        .ceiling_bytes = exact_incumbent_peak_bytes(incumbent),
                                        .enough_bytes = incumbent->plan->measures.lower_bound_bytes,
                                        .deadline_ns = slice->deadline_ns,
                                        .pause_ns = slice->pause_ns,
                                        .note = note_progress,
                                        .context = solve};
        if (!component || exact_component_is_done(component, &goal))
            continue;
        TRY(exact_component_advance(component, &goal, solve->round, solve->error));
        *advanced = true;
        if (component->paused)
            break;
    }

    /* Where quick plans were needed at all, the rest of them are tried after the first round. */
    if (solve->next == solve->components.count) {
        solve->next = 0;
        solve->round += solve->round < EXACT_LAST_ROUND;
        if (incumbent->quick_plans && exact_incumbent_minimises(incumbent) && !is_over(solve))
            TRY(exact_quick_plans_try(incumbent, EXACT_QUICK_PLANS, solve->error));
    }
    *advanced = *advanced && !exact_incumbent_is_solved(incumbent);
    return STATUS_OK;
}

enum status exact_solve(struct exact_incumbent *incumbent,
                        const struct exact_component_options *options,
                        const struct exact_effort *effort, struct error *error)
{
    const struct exact_slice slice = {UINT64_MAX, effort->deadline_ns};
    assert(effort->rounds > 0);
    SCOPED(exact_solve_release) struct exact_solve *solve = NULL;
    bool advanced = true;
    TRY(exact_solve_create(incumbent, options, &solve, error));
    for (uint32_t round = 0; advanced && round < effort->rounds; round++) {
        TRY(exact_solve_advance(solve, &slice, &advanced));
        advanced = advanced && clock_left_ns(effort->deadline_ns);
    }
    return STATUS_OK;
}
