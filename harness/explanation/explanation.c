#include "harness/explanation/explanation.h"

#include "core/clock.h"
#include "harness/catalogue/planners.h"
#include "planning/problem/bounds.h"

/* A planner's task with half of the job's time: one half is for the least capacity, the other for
   the subset. */
static struct planner_task make_task(const struct job *job, const struct problem *problem,
                                     uint64_t capacity_bytes)
{
    bool limited = job->time_limit_ns != UINT64_MAX;
    return (struct planner_task){.problem = problem,
                                 .capacity_bytes = capacity_bytes,
                                 .time_limit_ns = limited ? job->time_limit_ns / 2 : UINT64_MAX,
                                 .seed = job->seed,
                                 .threads = job->threads};
}

static enum status find_subset(const struct job *job, struct explanation *explanation,
                               struct error *error)
{
    const struct planner_task task = make_task(job, explanation->problem, job->capacity_bytes);
    if (!explanation->problem ||
        explanation_finding(explanation, job->capacity_bytes) != EXPLANATION_NOTHING)
        return STATUS_OK;
    return infeasible_subset_find(planners_find("exact"), &task, &explanation->subset, error);
}

struct levels {
    const struct job *job;
    const struct planner *exact;
    uint64_t deadline_ns;
    bool are_optimal; /* whether all plans so far are optimal, so that no block can be smaller */
    struct explanation *explanation;
};

/* Keeps a copy of the level's problem, in which the names of blocks say that they are blocks. */
static enum status keep_level(const struct levels *levels, const struct level *level,
                              struct error *error)
{
    struct explanation *explanation = levels->explanation;
    const struct problem *problem = level->problem;
    explanation->region = level->region;
    explanation->blocks_are_least = levels->are_optimal;
    TRY(problem_create(&explanation->level, names_get(&problem->name, 0), error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        SCOPED(text_free) struct text name = {0};
        text_append(&name, "%s%s", level->op[b] == GRAPH_NONE ? "" : "block of ",
                    names_get(&problem->names, b));
        TRY(text_check(&name, error));
        const struct problem_buffer buffer = {.name = name.bytes,
                                              .size = problem->size[b],
                                              .alignment = problem_alignment(problem, b),
                                              .fixed_offset = PROBLEM_FREE,
                                              .hint = -1};
        TRY(problem_add_buffer(explanation->level, &buffer, error));
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
            TRY(problem_add_segment(explanation->level,
                                    (struct problem_segment){problem->lower[s], problem->upper[s],
                                                             problem_window_lower(problem, s),
                                                             problem_window_upper(problem, s)},
                                    error));
    }
    explanation->problem = explanation->level;
    TRY(problem_finish(explanation->level, error));
    return problem_load(explanation->problem, &explanation->load_bytes, &explanation->load_step,
                        error);
}

static enum status plan_level(void *context, const struct level *level, struct plan *plan,
                              struct error *error)
{
    struct levels *levels = context;
    const struct planner_task task = {.problem = level->problem,
                                      .level = level,
                                      .capacity_bytes = UINT64_MAX,
                                      .time_limit_ns = clock_left_ns(levels->deadline_ns),
                                      .seed = levels->job->seed,
                                      .threads = levels->job->threads};
    TRY(planner_plan(levels->exact, &task, plan, error));
    bool fits = plan_found(plan) && plan->measures.peak_bytes <= levels->job->capacity_bytes;
    if (!fits && !levels->explanation->level)
        TRY(keep_level(levels, level, error));
    if (plan->status != PLAN_OPTIMAL)
        levels->are_optimal = false;
    return STATUS_OK;
}

static enum status explain_levels(const struct job *job, struct explanation *explanation,
                                  struct error *error)
{
    const struct graph *graph = job->instance->graph;
    /* Plans the graph in half of the time, level by level or in all ways that the policy knows.
       That gives the least peak and the bound of the whole graph, and, for the first level that
       needs more than the capacity, a copy of its problem, its load and its region. */
    const struct planner_task task = make_task(job, NULL, UINT64_MAX);
    struct levels levels = {.job = job,
                            .exact = planners_find("exact"),
                            .deadline_ns = clock_deadline_ns(task.time_limit_ns),
                            .are_optimal = true,
                            .explanation = explanation};
    const struct level_planner planner = {
        .plan = plan_level, .context = &levels, .alignment_bytes = job->alignment_bytes};
    SCOPED(placement_release) struct placement *placement = NULL;
    TRY(placement_create(graph, &placement, error));
    TRY(inplace_apply(graph, &job->inplace, placement, error));
    TRY(policy_place(job->policy, graph, &planner, placement, error));
    bool found = plan_status_is_found(placement->status);
    explanation->least_bytes = found ? placement->measures.peak_bytes : 0;
    explanation->bound_bytes = placement->measures.lower_bound_bytes;
    if (!explanation->problem)
        explanation->load_bytes = placement->measures.load_bytes;
    if (job->policy->make_level)
        explanation->region = GRAPH_NONE;
    return find_subset(job, explanation, error);
}

/* Begins an explanation, and returns the job to explain: where inputs and outputs are pinned, that
   of what is planned behind them. NULL after an error. */
static const struct job *begin(const struct job *job, struct explanation *explanation,
                               struct error *error)
{
    *explanation = (struct explanation){.region = GRAPH_NONE, .blocks_are_least = true};
    if (!job->pin_io || !job->instance->graph)
        return job;
    return pinned_create(job, &explanation->pinned, error) ? NULL : &explanation->pinned.job;
}

static enum status find_section(const struct job *job, struct explanation *explanation,
                                struct error *error)
{
    const struct graph *graph = job->instance->graph;
    struct job used = *job;
    /* Without control flow all policies for one stream give the same result. */
    if (graph && !graph_has_control_flow(graph) && !graph_has_streams(graph))
        used.policy = &policy_flat;
    if (used.policy && (!used.policy->make_level || used.policy->flags & POLICY_PATHS))
        return STATUS_OK;
    TRY(whole_problem_create(&used, &explanation->whole, error));
    explanation->problem = explanation->whole.problem;
    TRY(problem_load(explanation->problem, &explanation->load_bytes, &explanation->load_step,
                     error));
    explanation->bound_bytes = explanation->load_bytes;
    return STATUS_OK;
}

static enum status find(const struct job *job, struct explanation *explanation, struct error *error)
{
    SCOPED(plan_release) struct plan *plan = NULL;
    TRY(find_section(job, explanation, error));
    if (!explanation->problem)
        return explain_levels(job, explanation, error);
    const struct planner_task task = make_task(job, explanation->problem, UINT64_MAX);
    TRY(plan_create(task.problem, &plan, error));
    TRY(planner_plan(planners_find("exact"), &task, plan, error));
    if (plan_found(plan))
        explanation->least_bytes = plan->measures.peak_bytes;
    if (plan->status == PLAN_OPTIMAL)
        explanation->bound_bytes = plan->measures.peak_bytes;
    if (plan->measures.lower_bound_bytes > explanation->bound_bytes)
        explanation->bound_bytes = plan->measures.lower_bound_bytes;
    return find_subset(job, explanation, error);
}

/* Counts the pinned bytes in. Where these are padded, others may lie in the padding, so that only
   sums of bytes are proved. */
static void finish(struct explanation *explanation)
{
    uint64_t bytes = explanation->pinned.bytes, base = explanation->pinned.base;
    if (bytes != base) {
        explanation->subset.proved = false;
        if (explanation->bound_bytes > explanation->load_bytes)
            explanation->bound_bytes = explanation->load_bytes;
    }
    explanation->load_bytes += bytes;
    explanation->bound_bytes += bytes;
    explanation->least_bytes += explanation->least_bytes ? base : 0;
}

enum status explanation_find(const struct job *job, struct explanation *explanation,
                             struct error *error)
{
    const struct job *explained = begin(job, explanation, error);
    if (!explained)
        return error->status;
    TRY(find(explained, explanation, error));
    finish(explanation);
    return STATUS_OK;
}

enum status explanation_find_section(const struct job *job, struct explanation *explanation,
                                     struct error *error)
{
    const struct job *explained = begin(job, explanation, error);
    if (!explained)
        return error->status;
    TRY(find_section(explained, explanation, error));
    finish(explanation);
    return STATUS_OK;
}

void explanation_clear(struct explanation *explanation)
{
    infeasible_subset_free(&explanation->subset);
    whole_problem_clear(&explanation->whole);
    problem_free(explanation->level);
    pinned_clear(&explanation->pinned);
    *explanation = (struct explanation){0};
}

enum explanation_finding explanation_finding(const struct explanation *explanation,
                                             uint64_t capacity_bytes)
{
    if (explanation->problem && explanation->load_bytes > capacity_bytes)
        return EXPLANATION_SECTION;
    if (explanation->subset.proved)
        return EXPLANATION_SUBSET;
    return explanation->least_bytes && explanation->least_bytes <= capacity_bytes
               ? EXPLANATION_FITS
               : EXPLANATION_NOTHING;
}

uint64_t explanation_live_bytes(const struct problem *problem, uint32_t buffer, uint32_t step)
{
    for (uint32_t s = problem->first[buffer]; s < problem->first[buffer + 1]; s++)
        if (problem->lower[s] <= step && step < problem->upper[s])
            return problem_window_upper(problem, s) - problem_window_lower(problem, s);
    return 0;
}
