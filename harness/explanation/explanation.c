#include "harness/explanation/explanation.h"

#include "harness/explanation/levels.h"
#include "planning/policies/policy.h"
#include "solvers/solvers.h"

/* Half of the time; the same problem again if need be for the other half. */
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

static enum status find_least(const struct job *job, struct explanation *explanation,
                              struct error *error)
{
    const struct planner *exact = solvers_at(0);
    const struct planner_task task = make_task(job, explanation->problem, UINT64_MAX);
    struct plan *plan;
    TRY(plan_create(task.problem, &plan, error));
    enum status status = exact->plan(exact, &task, plan, error);
    if (plan_found(plan))
        explanation->least_bytes = plan->measures.peak_bytes;
    if (plan->status == PLAN_OPTIMAL)
        explanation->bound_bytes = plan->measures.peak_bytes;
    if (plan->measures.lower_bound_bytes > explanation->bound_bytes)
        explanation->bound_bytes = plan->measures.lower_bound_bytes;
    plan_free(plan);
    return status;
}

static enum status find_subset(const struct job *job, struct explanation *explanation,
                               struct error *error)
{
    const struct planner_task task = make_task(job, explanation->problem, job->capacity_bytes);
    if (!explanation->problem ||
        explanation_finding(explanation, job->capacity_bytes) != EXPLANATION_NOTHING)
        return STATUS_OK;
    return infeasible_subset_find(solvers_at(0), &task, &explanation->subset, error);
}

/* Where there is no control flow all policies are one. */
static const struct policy *find_policy(const struct job *job)
{
    const struct graph *graph = job->instance->graph;
    return graph && !graph_has_control_flow(graph) ? &policy_flat : job->policy;
}

static enum status make_whole(const struct job *job, const struct policy *policy,
                              struct explanation *explanation, struct error *error)
{
    *explanation = (struct explanation){.region = GRAPH_NONE, .blocks_are_least = true};
    TRY(whole_problem_create(job->instance, policy, &job->inplace, job->alignment_bytes,
                             &explanation->whole, error));
    explanation->problem = explanation->whole.problem;
    TRY(problem_load(explanation->problem, &explanation->load_bytes, &explanation->load_step,
                     error));
    explanation->bound_bytes = explanation->load_bytes;
    return STATUS_OK;
}

static enum status explain_under(const struct job *job, const struct policy *policy,
                                 struct explanation *explanation, struct error *error)
{
    TRY(make_whole(job, policy, explanation, error));
    TRY(find_least(job, explanation, error));
    return find_subset(job, explanation, error);
}

static bool needs_less(const struct explanation *one, const struct explanation *other)
{
    return one->least_bytes && (!other->least_bytes || one->least_bytes < other->least_bytes);
}

/* What fits under either policy fits: the one that needs less is explained, and the bound holds for
   both. */
static enum status explain_alternative(const struct job *job, struct explanation *explanation,
                                       struct error *error)
{
    struct explanation other;
    enum status status = explain_under(job, job->policy->alternative, &other, error);
    if (!status) {
        uint64_t bound_bytes = other.bound_bytes < explanation->bound_bytes
                                   ? other.bound_bytes
                                   : explanation->bound_bytes;
        if (needs_less(&other, explanation)) {
            struct explanation worse = *explanation;
            *explanation = other;
            other = worse;
        }
        explanation->bound_bytes = bound_bytes;
    }
    explanation_clear(&other);
    return status;
}

static enum status explain_levels(const struct job *job, struct explanation *explanation,
                                  struct error *error)
{
    *explanation = (struct explanation){.region = GRAPH_NONE, .blocks_are_least = true};
    TRY(explanation_levels_find(job, solvers_at(0), explanation, error));
    return find_subset(job, explanation, error);
}

enum status explanation_find(const struct job *job, struct explanation *explanation,
                             struct error *error)
{
    const struct policy *policy = find_policy(job);
    if (policy && !policy->make_level)
        return explain_levels(job, explanation, error);
    TRY(explain_under(job, policy, explanation, error));
    return policy && policy->alternative ? explain_alternative(job, explanation, error) : STATUS_OK;
}

enum status explanation_find_section(const struct job *job, struct explanation *explanation,
                                     struct error *error)
{
    const struct policy *policy = find_policy(job);
    *explanation = (struct explanation){.region = GRAPH_NONE, .blocks_are_least = true};
    return policy && policy != &policy_flat ? STATUS_OK
                                            : make_whole(job, policy, explanation, error);
}

void explanation_clear(struct explanation *explanation)
{
    infeasible_subset_free(&explanation->subset);
    whole_problem_clear(&explanation->whole);
    problem_free(explanation->level);
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
            return problem->window_upper[s] - problem->window_lower[s];
    return 0;
}
