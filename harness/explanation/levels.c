#include "harness/explanation/levels.h"

#include "core/clock.h"
#include "core/text.h"
#include "planning/policies/policy.h"

struct levels {
    const struct job *job;
    const struct planner *exact;
    uint64_t deadline_ns;
    bool are_optimal; /* all so far, so that no block can be smaller */
    struct explanation *explanation;
};

static enum status copy_buffer(const struct level *level, uint32_t b, struct problem *copy,
                               struct error *error)
{
    const struct problem *problem = level->problem;
    struct text name = {0};
    text_append(&name, "%s%s", level->op[b] == GRAPH_NONE ? "" : "block of ",
                names_get(&problem->names, b));
    enum status status = text_check(&name, error);
    const struct problem_buffer buffer = {.name = name.bytes,
                                          .size = problem->size[b],
                                          .alignment = problem->alignment[b],
                                          .fixed_offset = PROBLEM_FREE,
                                          .hint = -1};
    if (!status)
        status = problem_add_buffer(copy, &buffer, error);
    for (uint32_t s = problem->first[b]; s < problem->first[b + 1] && !status; s++)
        status = problem_add_segment(copy, problem->lower[s], problem->upper[s],
                                     problem->window_lower[s], problem->window_upper[s], error);
    text_free(&name);
    return status;
}

static enum status copy_level(const struct level *level, struct explanation *explanation,
                              struct error *error)
{
    const struct problem *problem = level->problem;
    TRY(problem_create(&explanation->level, names_get(&problem->name, 0), error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        TRY(copy_buffer(level, b, explanation->level, error));
    explanation->problem = explanation->level;
    return problem_finish(explanation->level, error);
}

static enum status keep_level(const struct levels *levels, const struct level *level,
                              struct error *error)
{
    struct explanation *explanation = levels->explanation;
    explanation->region = level->region;
    explanation->blocks_are_least = levels->are_optimal;
    TRY(copy_level(level, explanation, error));
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
    TRY(levels->exact->plan(levels->exact, &task, plan, error));
    bool fits = plan_found(plan) && plan->measures.peak_bytes <= levels->job->capacity_bytes;
    if (!fits && !levels->explanation->level)
        TRY(keep_level(levels, level, error));
    if (plan->status != PLAN_OPTIMAL)
        levels->are_optimal = false;
    return STATUS_OK;
}

static void take_placement(const struct placement *placement, struct explanation *explanation)
{
    bool found = plan_status_is_found(placement->status);
    explanation->least_bytes = found ? placement->measures.peak_bytes : 0;
    explanation->bound_bytes = placement->measures.lower_bound_bytes;
    if (!explanation->problem)
        explanation->load_bytes = placement->measures.load_bytes;
}

enum status explanation_levels_find(const struct job *job, const struct planner *exact,
                                    struct explanation *explanation, struct error *error)
{
    bool limited = job->time_limit_ns != UINT64_MAX;
    struct levels levels = {.job = job,
                            .exact = exact,
                            .deadline_ns =
                                clock_deadline_ns(limited ? job->time_limit_ns / 2 : UINT64_MAX),
                            .are_optimal = true,
                            .explanation = explanation};
    const struct level_planner planner = {
        .plan = plan_level, .context = &levels, .alignment_bytes = job->alignment_bytes};
    struct placement *placement;
    enum status status;
    TRY(placement_create(job->instance->graph, &placement, error));
    TRY_OR_DONE(status, inplace_apply(job->instance->graph, &job->inplace, placement, error));
    TRY_OR_DONE(status,
                policy_place(job->policy, job->instance->graph, &planner, placement, error));
    take_placement(placement, explanation);
done:
    placement_free(placement);
    return status;
}
