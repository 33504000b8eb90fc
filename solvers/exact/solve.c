#include "solvers/exact/solve.h"

#include <assert.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/problem/bounds.h"
#include "planning/problem/timeline.h"
#include "planning/verify/plan.h"
#include "solvers/common/components.h"
#include "solvers/exact/learn/learn.h"
#include "solvers/exact/quick_plans.h"
#include "solvers/exact/race/race.h"

/* What is larger is not searched, for lack of memory. */
enum {
    MOST_WITH_WINDOWS = 1 << 12, /* buffers of a component with windows */
    MOST_ENTRIES = 1 << 23,      /* of the lists of all strategies together */
};

/* Bytes that a search holds for each pair: in its lists once, and in the trail of each thread. */
enum { LIST_BYTES = 16, TRAIL_BYTES = 24 };

uint64_t exact_count_affordable_pairs(uint64_t bytes, uint32_t threads)
{
    uint64_t pairs = bytes / (LIST_BYTES + (uint64_t)TRAIL_BYTES * threads);
    return pairs < EXACT_MOST_PAIRS ? pairs : EXACT_MOST_PAIRS;
}

struct exact_solve {
    struct exact_incumbent *incumbent;
    struct exact_component_options options;
    struct components components;
    struct exact_component **component; /* [components.count] NULL where not searched */
    bool *settled;                      /* [components.count] the best plan is low enough there */
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

static void take_bound(struct exact_solve *solve, const struct exact_component *component)
{
    exact_incumbent_raise_bound(solve->incumbent, exact_component_bound_bytes(component));
}

static void limit_strategies(struct exact_race_options *options, uint64_t pairs)
{
    assert(options->strategies > 0);
    uint64_t strategies = MOST_ENTRIES / (pairs + 1) + 1;
    if (strategies < options->strategies)
        options->strategies = (uint32_t)strategies;
}

static bool is_too_large(const struct problem *problem, uint64_t pairs)
{
    return pairs > EXACT_MOST_PAIRS ||
           (problem_has_windows(problem) &&
            (problem->buffers > MOST_WITH_WINDOWS || !exact_learn_can(problem)));
}

/* A component starts from the bound on the whole problem: a plan of it that is lower than that
   would not make the whole lower. */
static enum status create_component(void *context, uint32_t index, const struct problem *problem,
                                    struct error *error)
{
    struct exact_solve *solve = context;
    struct exact_component_options options = solve->options;
    struct exact_component **component = &solve->component[index];
    uint64_t pairs;
    assert(!*component && index < solve->components.count);
    TRY(timeline_count_pairs(problem, &pairs, error));
    if (is_too_large(problem, pairs))
        return STATUS_OK;
    limit_strategies(&options.race, pairs);
    TRY(exact_component_create(problem, solve->incumbent->plan->measures.lower_bound_bytes,
                               &options, component, error));
    take_bound(solve, *component);
    if (!exact_component_can_search(*component)) {
        exact_component_free(*component);
        *component = NULL;
    }
    return exact_incumbent_note(solve->incumbent, error);
}

static bool is_low_enough(const struct exact_solve *solve, uint32_t component)
{
    assert(component < solve->components.count);
    const struct plan *plan = solve->incumbent->plan;
    return plan_found(plan) && components_peak_bytes(&solve->components, component, plan) <=
                                   exact_incumbent_enough_bytes(solve->incumbent);
}

static enum status create_components(struct exact_solve *solve)
{
    struct components *components = &solve->components;
    TRY(components_create(solve->incumbent->task->problem,
                          exact_incumbent_enough_bytes(solve->incumbent), components,
                          solve->error));
    TRY(memory_create(&solve->component, components->count, sizeof *solve->component,
                      solve->error));
    TRY(memory_create(&solve->settled, components->count, sizeof *solve->settled, solve->error));
    for (uint32_t i = 0; i < components->count; i++) {
        solve->settled[i] = is_low_enough(solve, i);
        solve->unplanned += !solve->settled[i];
        if (!solve->settled[i])
            TRY(components_solve(components, i, create_component, solve, solve->error));
    }
    return STATUS_OK;
}

/* True where all components that are not settled have plans lower than the incumbent. */
static bool is_better(const struct exact_solve *solve)
{
    assert(!solve->unplanned);
    uint64_t peak_bytes = exact_incumbent_peak_bytes(solve->incumbent);
    for (uint32_t i = 0; i < solve->components.count; i++)
        if (!solve->settled[i] && exact_component_peak_bytes(solve->component[i]) >= peak_bytes)
            return false;
    return true;
}

static void copy_offsets(const struct exact_solve *solve, struct plan *plan)
{
    plan_take(plan, solve->incumbent->plan);
    for (uint32_t i = 0; i < solve->components.count; i++) {
        const struct exact_component *component = solve->component[i];
        assert(!component || component->peak != UINT64_MAX);
        if (component)
            components_put(&solve->components, i, component->offset, component->model->unit_bytes,
                           plan);
    }
}

/* Makes a plan of the whole where that is better than what there is. */
static enum status assemble(struct exact_solve *solve)
{
    struct plan *plan;
    enum status status;
    if (solve->unplanned || !is_better(solve))
        return STATUS_OK;
    TRY(plan_create(solve->incumbent->task->problem, &plan, solve->error));
    copy_offsets(solve, plan);
    TRY_OR_DONE(status, components_finish(&solve->components, plan, solve->error));
    TRY_OR_DONE(status, exact_incumbent_offer(solve->incumbent, plan, solve->error));
done:
    plan_free(plan);
    return status;
}

static enum status note_progress(void *context, const struct exact_component *component,
                                 bool first_plan, struct error *error)
{
    struct exact_solve *solve = context;
    take_bound(solve, component);
    assert(!first_plan || solve->unplanned > 0);
    solve->unplanned -= first_plan;
    TRY(exact_incumbent_note(solve->incumbent, error));
    return assemble(solve);
}

static struct exact_goal make_goal(struct exact_solve *solve)
{
    const struct exact_incumbent *incumbent = solve->incumbent;
    return (struct exact_goal){.minimise = exact_incumbent_minimises(incumbent),
                               .capacity_bytes = incumbent->task->capacity_bytes,
                               .ceiling_bytes = exact_incumbent_peak_bytes(incumbent),
                               .enough_bytes = incumbent->plan->measures.lower_bound_bytes,
                               .deadline_ns = solve->slice.deadline_ns,
                               .pause_ns = solve->slice.pause_ns,
                               .note = note_progress,
                               .context = solve};
}

/* Goes on with the round up to its end or a pause. */
static enum status advance(struct exact_solve *solve, bool *advanced)
{
    assert(solve->round <= EXACT_LAST_ROUND);
    for (; solve->next < solve->components.count; solve->next++) {
        struct exact_component *component = solve->component[solve->next];
        const struct exact_goal goal = make_goal(solve);
        if (is_over(solve))
            return STATUS_OK;
        if (!component || exact_component_is_done(component, &goal))
            continue;
        TRY(exact_component_advance(component, &goal, solve->round, solve->error));
        *advanced = true;
        if (component->paused)
            return STATUS_OK;
    }
    return STATUS_OK;
}

enum status exact_solve_create(struct exact_incumbent *incumbent,
                               const struct exact_component_options *options,
                               struct exact_solve **created, struct error *error)
{
    assert(incumbent->plan->search);
    struct exact_solve *solve;
    enum status status;
    TRY(memory_create(&solve, 1, sizeof *solve, error));
    solve->incumbent = incumbent;
    solve->options = *options;
    solve->error = error;
    TRY_OR_DONE(status, create_components(solve));
    TRY_OR_DONE(status, assemble(solve));
    *created = solve;
done:
    if (status)
        exact_solve_free(solve);
    return status;
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
    memory_free(solve->component);
    memory_free(solve->settled);
    components_clear(&solve->components);
    memory_free(solve);
}

/* Where quick plans were needed at all, the rest of them are tried after the first round. */
static enum status end_round(struct exact_solve *solve)
{
    solve->next = 0;
    solve->round += solve->round < EXACT_LAST_ROUND;
    return solve->incumbent->quick_plans && exact_incumbent_minimises(solve->incumbent) &&
                   !is_over(solve)
               ? exact_quick_plans_try(solve->incumbent, EXACT_QUICK_PLANS, solve->error)
               : STATUS_OK;
}

enum status exact_solve_advance(struct exact_solve *solve, const struct exact_slice *slice,
                                bool *advanced)
{
    *advanced = solve->next > 0;
    solve->slice = *slice;
    TRY(advance(solve, advanced));
    if (solve->next == solve->components.count)
        TRY(end_round(solve));
    *advanced = *advanced && !exact_incumbent_is_solved(solve->incumbent);
    return STATUS_OK;
}

enum status exact_solve(struct exact_incumbent *incumbent,
                        const struct exact_component_options *options,
                        const struct exact_effort *effort, struct error *error)
{
    const struct exact_slice slice = {UINT64_MAX, effort->deadline_ns};
    struct exact_solve *solve;
    bool advanced = true;
    enum status status = STATUS_OK;
    TRY(exact_solve_create(incumbent, options, &solve, error));
    for (uint32_t round = 0; !status && advanced && round < effort->rounds; round++) {
        status = exact_solve_advance(solve, &slice, &advanced);
        advanced = advanced && clock_left_ns(effort->deadline_ns);
    }
    exact_solve_free(solve);
    return status;
}
