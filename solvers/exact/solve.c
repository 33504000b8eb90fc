#include "solvers/exact/solve.h"

#include "core/clock.h"
#include "core/memory.h"
#include "planning/problem/bound.h"
#include "planning/verify/plan.h"
#include "solvers/common/components.h"
#include "solvers/exact/quick_plans.h"

/* What is larger is not searched, for lack of memory. */
enum {
    MOST_PAIRS = 1 << 25,           /* of overlapping segments of the whole problem */
    MOST_COMPONENT_PAIRS = 1 << 22, /* and of a part of it */
    MOST_WITH_WINDOWS = 1 << 12,    /* buffers of a part */
    MOST_ENTRIES = 1 << 23,         /* of all members' lists together */
};

/* From here on a helper is asked. */
enum { MANY_BUFFERS = 1 << 10 };

enum { LAST_LEVEL = 62 };

struct solve {
    const struct planner_task *task;
    struct plan *plan; /* the best plan of the whole problem so far, and the bound */
    struct exact_component_options options;
    struct parts parts;
    struct exact_component **component; /* [parts.count] NULL where not searched */
    bool *settled;                      /* [parts.count] the best plan is low enough there */
    uint32_t quick_plans;               /* how many were made */
    uint32_t unplanned;                 /* parts that are not settled and have no plan */
    uint64_t began_ns;
    struct error *error;
};

static bool minimises(const struct solve *solve)
{
    return solve->task->capacity_bytes == UINT64_MAX;
}

/* Nothing lower is of use. */
static uint64_t get_enough(const struct solve *solve)
{
    return minimises(solve) ? solve->plan->measures.lower_bound_bytes : solve->task->capacity_bytes;
}

static uint64_t get_peak(const struct solve *solve)
{
    return plan_found(solve->plan) ? solve->plan->measures.peak_bytes : UINT64_MAX;
}

static bool is_solved(const struct solve *solve)
{
    return solve->plan->measures.lower_bound_bytes > solve->task->capacity_bytes ||
           get_peak(solve) <= get_enough(solve);
}

static bool is_over(const struct solve *solve)
{
    return is_solved(solve) || !clock_left_ns(solve->options.race.deadline_ns);
}

static enum status note_point(struct solve *solve)
{
    const struct search_point point = {.time_ns = clock_monotonic_ns() - solve->began_ns,
                                       .peak_bytes = get_peak(solve),
                                       .bound_bytes = solve->plan->measures.lower_bound_bytes};
    return search_record_add(solve->plan->search, &point, solve->error);
}

static enum status offer_plan(struct solve *solve, const struct plan *offered)
{
    if (offered->measures.peak_bytes >= get_peak(solve))
        return STATUS_OK;
    plan_take(solve->plan, offered);
    return note_point(solve);
}

static enum status take_start(struct solve *solve)
{
    const struct plan *start;
    TRY(parts_find_start(solve->task, &start, solve->error));
    return start ? offer_plan(solve, start) : STATUS_OK;
}

/* Up to the end of the list, where the first ones were needed at all. */
static enum status take_quick_plans(struct solve *solve, uint32_t end)
{
    uint32_t begin = solve->quick_plans;
    solve->quick_plans = end;
    if (begin == end)
        return STATUS_OK;
    TRY(exact_quick_plan(solve->task->problem, begin, end, get_enough(solve), solve->plan,
                         solve->error));
    return note_point(solve);
}

static void take_bound(struct solve *solve, const struct exact_component *component)
{
    uint64_t bound = exact_component_bound_bytes(component);
    bound = bound < get_peak(solve) ? bound : get_peak(solve);
    if (bound > solve->plan->measures.lower_bound_bytes)
        solve->plan->measures.lower_bound_bytes = bound;
}

static void limit_members(struct exact_race_options *options, uint64_t pairs)
{
    uint64_t members = MOST_ENTRIES / (pairs + 1) + 1;
    if (members < options->members)
        options->members = (uint32_t)members;
}

/* The bound on the whole is as good a bound on a part: lower would be of no use. */
static enum status create_component(void *context, uint32_t part, const struct problem *problem,
                                    struct error *error)
{
    struct solve *solve = context;
    struct exact_component_options options = solve->options;
    uint64_t pairs;
    TRY(exact_quick_count(problem, &pairs, error));
    if (pairs > MOST_COMPONENT_PAIRS ||
        (problem_has_windows(problem) &&
         (problem->buffers > MOST_WITH_WINDOWS || !exact_learn_can(problem))))
        return STATUS_OK;
    limit_members(&options.race, pairs);
    TRY(exact_component_create(problem, solve->plan->measures.lower_bound_bytes, &options,
                               &solve->component[part], error));
    take_bound(solve, solve->component[part]);
    if (!exact_component_can_search(solve->component[part])) {
        exact_component_free(solve->component[part]);
        solve->component[part] = NULL;
    }
    return note_point(solve);
}

static bool is_low_enough(const struct solve *solve, uint32_t part)
{
    return plan_found(solve->plan) &&
           parts_peak_bytes(&solve->parts, part, solve->plan) <= get_enough(solve);
}

static enum status create_components(struct solve *solve)
{
    struct parts *parts = &solve->parts;
    TRY(parts_create(solve->task->problem, get_enough(solve), parts, solve->error));
    TRY(memory_create(&solve->component, parts->count, sizeof *solve->component, solve->error));
    TRY(memory_create(&solve->settled, parts->count, sizeof *solve->settled, solve->error));
    for (uint32_t i = 0; i < parts->count; i++) {
        solve->settled[i] = is_low_enough(solve, i);
        solve->unplanned += !solve->settled[i];
        if (!solve->settled[i])
            TRY(parts_solve(parts, i, create_component, solve, solve->error));
    }
    return STATUS_OK;
}

static bool is_better(const struct solve *solve)
{
    uint64_t highest = get_peak(solve);
    for (uint32_t i = 0; i < solve->parts.count; i++)
        if (!solve->settled[i] && exact_component_peak_bytes(solve->component[i]) >= highest)
            return false;
    return true;
}

static void copy_offsets(const struct solve *solve, struct plan *plan)
{
    plan_take(plan, solve->plan);
    for (uint32_t i = 0; i < solve->parts.count; i++) {
        const struct exact_component *component = solve->component[i];
        if (component)
            parts_put(&solve->parts, i, component->offset, component->model->unit_bytes, plan);
    }
}

/* Makes a plan of the whole where that is better than what there is. */
static enum status assemble(struct solve *solve)
{
    struct plan *plan;
    enum status status;
    if (solve->unplanned || !is_better(solve))
        return STATUS_OK;
    TRY(plan_create(solve->task->problem, &plan, solve->error));
    copy_offsets(solve, plan);
    TRY_OR_DONE(status, parts_finish(&solve->parts, plan, solve->error));
    TRY_OR_DONE(status, offer_plan(solve, plan));
done:
    plan_free(plan);
    return status;
}

/* The plan of the helper, where that is better than what there is. */
static enum status ask_helper(struct solve *solve, uint64_t limit_ns)
{
    const struct planner *helper = solve->task->helper;
    struct planner_task task = *solve->task;
    struct plan *plan;
    struct verdict verdict = {.fault = VERIFY_VALID};
    enum status status;
    task.time_limit_ns = limit_ns;
    TRY(plan_create(task.problem, &plan, solve->error));
    TRY_OR_DONE(status, helper->plan(helper, &task, plan, solve->error));
    if (!plan_found(plan))
        goto done;
    TRY_OR_DONE(status, verify_plan(task.problem, plan, &verdict, solve->error));
    if (verdict.fault == VERIFY_VALID)
        status = offer_plan(solve, plan);
done:
    plan_free(plan);
    return status;
}

static enum status note_progress(void *context, const struct exact_component *component,
                                 bool first_plan, struct error *error)
{
    struct solve *solve = context;
    (void)error;
    take_bound(solve, component);
    solve->unplanned -= first_plan;
    TRY(note_point(solve));
    return assemble(solve);
}

static enum status advance(struct solve *solve, uint32_t level, bool *advanced)
{
    *advanced = false;
    for (uint32_t i = 0; i < solve->parts.count; i++) {
        const struct exact_goal goal = {.minimise = minimises(solve),
                                        .capacity_bytes = solve->task->capacity_bytes,
                                        .ceiling_bytes = get_peak(solve),
                                        .enough_bytes = solve->plan->measures.lower_bound_bytes,
                                        .note = note_progress,
                                        .context = solve};
        if (is_over(solve))
            return STATUS_OK;
        if (!solve->component[i] || exact_component_is_done(solve->component[i], &goal))
            continue;
        TRY(exact_component_advance(solve->component[i], &goal, level, solve->error));
        *advanced = true;
    }
    return STATUS_OK;
}

static enum status search(struct solve *solve)
{
    bool advanced = true;
    TRY(create_components(solve));
    TRY(assemble(solve));
    for (uint32_t level = 0; advanced && !is_over(solve); level++) {
        TRY(advance(solve, level < LAST_LEVEL ? level : LAST_LEVEL, &advanced));
        if (solve->quick_plans && minimises(solve) && !is_over(solve))
            TRY(take_quick_plans(solve, EXACT_QUICK_PLANS));
    }
    return STATUS_OK;
}

/* Short of the optimum of so many buffers the helper's plans are the better ones: under a time
   limit it gets an eighth, the search half of what is left then, and the helper the rest. */
static enum status search_between(struct solve *solve)
{
    const uint64_t deadline_ns = solve->options.race.deadline_ns;
    bool is_limited = deadline_ns != UINT64_MAX;
    uint64_t left_ns = clock_left_ns(deadline_ns);
    TRY(ask_helper(solve, is_limited ? left_ns / 8 : left_ns));
    if (is_over(solve))
        return STATUS_OK;
    if (is_limited)
        solve->options.race.deadline_ns = clock_deadline_ns(clock_left_ns(deadline_ns) / 2);
    TRY(search(solve));
    left_ns = clock_left_ns(deadline_ns);
    return is_solved(solve) || !is_limited || !left_ns ? STATUS_OK : ask_helper(solve, left_ns);
}

static enum status solve_many(struct solve *solve, bool is_searched)
{
    return is_searched ? search_between(solve)
                       : ask_helper(solve, clock_left_ns(solve->options.race.deadline_ns));
}

/* Where there is nothing to search, quick plans are all there is. */
static enum status solve_few(struct solve *solve, bool is_searched)
{
    if (!plan_found(solve->plan))
        TRY(take_quick_plans(solve, is_searched ? 1 : EXACT_QUICK_PLANS));
    return is_over(solve) || !is_searched ? STATUS_OK : search(solve);
}

static enum status solve_problem(struct solve *solve)
{
    const struct problem *problem = solve->task->problem;
    uint64_t pairs;
    TRY(bound_peak(problem, &solve->plan->measures.lower_bound_bytes, solve->error));
    TRY(note_point(solve));
    if (is_solved(solve))
        return STATUS_OK;
    TRY(take_start(solve));
    if (is_solved(solve))
        return STATUS_OK;
    TRY(exact_quick_count(problem, &pairs, solve->error));
    return solve->task->helper && problem->buffers > MANY_BUFFERS
               ? solve_many(solve, pairs <= MOST_PAIRS)
               : solve_few(solve, pairs <= MOST_PAIRS);
}

static void set_status(struct solve *solve)
{
    struct plan *plan = solve->plan;
    if (plan->measures.lower_bound_bytes > solve->task->capacity_bytes)
        plan->status = PLAN_INFEASIBLE;
    else if (get_peak(solve) > solve->task->capacity_bytes)
        plan->status = PLAN_TIMEOUT;
    else if (plan_found(plan) && plan->measures.peak_bytes <= plan->measures.lower_bound_bytes)
        plan->status = PLAN_OPTIMAL;
}

static void count(struct solve *solve)
{
    uint64_t *counter = solve->plan->search->counter;
    for (uint32_t i = 0; solve->component && i < solve->parts.count; i++)
        if (solve->component[i])
            exact_component_count(solve->component[i], counter);
    solve->plan->measures.nodes = counter[SEARCH_PLACEMENTS] + counter[SEARCH_REJECTIONS];
}

static void clear(struct solve *solve)
{
    for (uint32_t i = 0; solve->component && i < solve->parts.count; i++)
        exact_component_free(solve->component[i]);
    memory_free(solve->component);
    memory_free(solve->settled);
    parts_clear(&solve->parts);
}

enum status exact_solve(const struct planner_task *task,
                        const struct exact_component_options *options, struct plan *plan,
                        struct error *error)
{
    struct solve solve = {.task = task,
                          .plan = plan,
                          .options = *options,
                          .began_ns = clock_monotonic_ns(),
                          .error = error};
    plan->status = PLAN_TIMEOUT;
    enum status status = solve_problem(&solve);
    count(&solve);
    set_status(&solve);
    clear(&solve);
    return status;
}
