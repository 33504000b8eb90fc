#include "harness/job/job.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "harness/catalogue/planners.h"
#include "planning/graph/critical_path.h"
#include "planning/lowering/level.h"
#include "planning/lowering/stream_level.h"
#include "planning/policies/policy.h"
#include "planning/verify/fixed.h"
#include "planning/verify/paths.h"

/* One call for a job: the planner runs once for each level of a graph, or once for a problem. */
struct call {
    const struct job *job;
    uint64_t deadline_ns;
    struct search_record *search; /* of what was planned so far */
    bool lists_too_many;          /* the planner lists pairs, and too many conflict */
    bool is_cautious;             /* the problem may have conflicts that the graph has not */
    bool is_unsearched; /* the planner proves, but not where clocks alone say what conflicts
                         */
    bool leaves_policy; /* some plan of an unsafe planner puts on the same bytes what its level
                           keeps apart */
};

struct job job_make(const struct instance *instance, const struct policy *policy,
                    const struct planner *planner)
{
    return (struct job){.instance = instance,
                        .policy = policy,
                        .planner = planner,
                        .capacity_bytes = UINT64_MAX,
                        .time_limit_ns = UINT64_MAX,
                        .seed = 1,
                        .alignment_bytes = 1,
                        .options = ""};
}

static const unsigned not_for_starts =
    PLANNER_EXACT | PLANNER_SEARCHES | PLANNER_SPLITS | PLANNER_UNSAFE | PLANNER_POOLED;

/* Finds the best plan of all quick heuristics, or of those that the time allows. The caller frees
 *best, also after an error. */
static enum status find_start(const struct call *call, const struct planner_task *task,
                              struct plan **best, struct error *error)
{
    *best = NULL;
    for (uint32_t i = 0; i < planners_count(); i++) {
        if (planners_at(i)->flags & not_for_starts || (*best && !clock_left_ns(call->deadline_ns)))
            continue;
        struct plan *plan;
        TRY(plan_create(task->problem, &plan, error));
        enum status status = planner_plan(planners_at(i), task, plan, error);
        bool better = !status && plan_found(plan) && !plan->extents &&
                      (!*best || plan->measures.peak_bytes < (*best)->measures.peak_bytes);
        plan_free(better ? *best : plan);
        if (better)
            *best = plan;
        TRY(status);
    }
    return STATUS_OK;
}

static uint64_t share_time(const struct call *call, const struct level *level)
{
    uint64_t remaining_ns = clock_left_ns(call->deadline_ns);
    if (!level || remaining_ns == UINT64_MAX)
        return remaining_ns;
    return remaining_ns / (level->more_plans + (uint64_t)1);
}

static enum status call_planner(struct call *call, const struct problem *problem,
                                const struct level *level, struct plan *plan, struct error *error)
{
    const struct planner *planner = call->job->planner;
    SCOPED(plan_release) struct plan *start = NULL;
    struct planner_task task = {.problem = problem,
                                .level = level && level->liveness ? level : NULL,
                                .capacity_bytes = call->job->capacity_bytes,
                                .time_limit_ns = UINT64_MAX,
                                .threads = call->job->threads,
                                .seed = call->job->seed,
                                .helper = planner->helper ? planners_find(planner->helper) : NULL};
    task.start = call->job->incumbent;
    if (!task.start && planner->flags & PLANNER_WANTS_START) {
        TRY(find_start(call, &task, &start, error));
        task.start = start;
    }
    task.time_limit_ns = share_time(call, level);
    call->lists_too_many |= !planner_can_plan(planner, problem);
    call->is_unsearched |= problem_is_by_clocks(problem) && planner->flags & PLANNER_EXACT;
    return planner_plan(planner, &task, plan, error);
}

/* Adds the search record of a level to that of the levels before it. The outermost level is planned
   last, so its curve is the one that stays. */
static void take_search(struct call *call, struct plan *plan)
{
    if (!plan->search)
        return;
    if (call->search)
        search_record_join(plan->search, call->search);
    search_record_free(call->search);
    call->search = plan->search;
    plan->search = NULL;
}

static enum status plan_level(void *context, const struct level *level, struct plan *plan,
                              struct error *error)
{
    struct call *call = context;
    struct verdict verdict = {.fault = VERIFY_VALID};
    call->is_cautious |= level->is_cautious;
    TRY(call_planner(call, level->problem, level, plan, error));
    take_search(call, plan);
    if (call->job->planner->flags & PLANNER_UNSAFE && plan_found(plan))
        TRY(verify_plan(level->problem, plan, &verdict, error));
    call->leaves_policy |= verdict.fault != VERIFY_VALID;
    return STATUS_OK;
}

/* Says why there is no plan, or why there is a plan without a bound. */
static void explain_end(const struct call *call, struct outcome *outcome)
{
    if (call->lists_too_many)
        snprintf(outcome->stop_reason, sizeof outcome->stop_reason,
                 "more of its buffers conflict than planner %s lists", call->job->planner->name);
    else if (call->is_cautious)
        snprintf(outcome->stop_reason, sizeof outcome->stop_reason, "%s", STREAM_LEVEL_CAUTIOUS);
    else if (call->is_unsearched && outcome->status == PLAN_FEASIBLE)
        snprintf(outcome->stop_reason, sizeof outcome->stop_reason,
                 "too many pairs conflict to be searched: the bound is that of the heaviest "
                 "antichain");
}

static enum status plan_problem(const struct job *job, struct outcome *outcome, struct error *error)
{
    struct call call = {.job = job, .deadline_ns = clock_deadline_ns(job->time_limit_ns)};
    TRY(plan_create(job->instance->problem, &outcome->plan, error));
    TRY(call_planner(&call, job->instance->problem, NULL, outcome->plan, error));
    take_search(&call, outcome->plan);
    outcome->search = call.search;
    outcome->status = outcome->plan->status;
    explain_end(&call, outcome);
    return STATUS_OK;
}

/* Whether the policy makes one problem of the whole graph. Where regions are planned one by one, a
   call of the planner does not know on which devices the tensors of other regions are. */
static bool makes_one_level(const struct job *job)
{
    return job->policy->make_level || !graph_has_control_flow(job->instance->graph);
}

static bool keeps_devices_apart(const struct job *job)
{
    return job->planner->flags & PLANNER_DEVICES && makes_one_level(job);
}

static void refuse_streams(const struct job *job, struct outcome *outcome)
{
    snprintf(outcome->stop_reason, sizeof outcome->stop_reason,
             "its operators run on several streams, which policy %s takes for one",
             job->policy->name);
}

static void refuse_devices(const struct job *job, struct outcome *outcome)
{
    snprintf(outcome->stop_reason, sizeof outcome->stop_reason,
             "its tensors are on several devices, which %s %s does not keep apart",
             makes_one_level(job) ? "planner" : "policy",
             makes_one_level(job) ? job->planner->name : job->policy->name);
}

/* Whether the policy or the planner cannot plan this graph; the outcome then says why. */
static bool refuse_graph(const struct job *job, struct outcome *outcome)
{
    const struct graph *graph = job->instance->graph;
    if (graph_has_streams(graph) && !(job->policy->flags & POLICY_STREAMS))
        refuse_streams(job, outcome);
    else if (graph_has_devices(graph) && !keeps_devices_apart(job))
        refuse_devices(job, outcome);
    else
        return false;
    outcome->placement->status = outcome->status = PLAN_UNSUPPORTED;
    return true;
}

static enum status plan_graph(const struct job *job, struct outcome *outcome, struct error *error)
{
    struct call call = {.job = job, .deadline_ns = clock_deadline_ns(job->time_limit_ns)};
    struct level_planner planner = {.plan = plan_level,
                                    .context = &call,
                                    .alignment_bytes = job->alignment_bytes,
                                    .unchecked = job->planner->flags & PLANNER_UNSAFE};
    TRY(placement_create(job->instance->graph, &outcome->placement, error));
    TRY(inplace_apply(job->instance->graph, &job->inplace, outcome->placement, error));
    if (refuse_graph(job, outcome))
        return STATUS_OK;
    enum status status =
        policy_place(job->policy, job->instance->graph, &planner, outcome->placement, error);
    outcome->search = call.search;
    outcome->status = outcome->placement->status;
    /* The bounds under path and select are those of all plans that are right for the graph. */
    if (call.leaves_policy && !(job->policy->flags & POLICY_PATHS))
        outcome->verdict.fault = VERIFY_NOT_OF_POLICY;
    explain_end(&call, outcome);
    return status;
}

/* Whether enough runs were timed. The first plan of a process takes longer than those after it,
   because it is the first to touch its memory; with three runs it is not the median. */
static bool is_sampled(const struct job *job, const struct outcome *outcome, uint64_t sampled_ns)
{
    enum { FEW = 3, LONG = 4 };
    if (outcome->samples == OUTCOME_MOST_SAMPLES)
        return true;
    return sampled_ns >= job->least_sampled_ns &&
           (outcome->samples >= FEW || sampled_ns / LONG >= job->least_sampled_ns);
}

static enum status plan_repeatedly(const struct job *job, struct outcome *outcome,
                                   struct error *error)
{
    uint64_t sampled_ns = 0;
    do {
        outcome_clear(outcome);
        memory_begin_peak();
        uint64_t began = clock_monotonic_ns();
        TRY(job->instance->graph ? plan_graph(job, outcome, error)
                                 : plan_problem(job, outcome, error));
        outcome->wall_ns[outcome->samples++] = clock_monotonic_ns() - began;
        outcome->planner_bytes = memory_peak_bytes();
        sampled_ns += outcome->wall_ns[outcome->samples - 1];
    } while (!is_sampled(job, outcome, sampled_ns));
    return STATUS_OK;
}

static enum status check_plan(const struct job *job, struct outcome *outcome, struct error *error)
{
    const struct problem *problem = job->instance->problem;
    struct plan *plan = outcome->plan;
    outcome->buffers = problem->buffers;
    TRY(plan_complete(plan, problem, error));
    outcome->measures = plan->measures;
    if (!plan_found(plan))
        return STATUS_OK;
    if (plan->measures.peak_bytes == plan->measures.lower_bound_bytes)
        outcome->status = PLAN_OPTIMAL;
    return verify_plan(problem, plan, &outcome->verdict, error);
}

static uint64_t count_places(const struct placement *placement)
{
    uint64_t places = 0;
    for (uint32_t t = 0; t < placement->tensors; t++)
        places += placement->offset[t] != PROBLEM_FREE && placement->overwrites[t] == GRAPH_NONE;
    return places;
}

enum status job_launch(const struct job *job, const struct placement *placement,
                       struct graph **launched, struct error *error)
{
    *launched = NULL;
    if (!job->policy->launch)
        return STATUS_OK;
    return job->policy->launch(job->instance->graph, placement, launched, error);
}

static enum status check_launched(const struct job *job, const struct graph *graph,
                                  struct outcome *outcome, struct error *error)
{
    struct execute_options options = EXECUTE_DEFAULTS;
    struct verdict planned = outcome->verdict;
    options.seed = job->seed;
    if (graph_has_streams(graph))
        TRY(critical_path_find(graph, &outcome->path, error));
    TRY(verify_paths(graph, outcome->placement, &outcome->verdict, error));
    if (outcome->verdict.fault == VERIFY_VALID || outcome->verdict.fault == VERIFY_SAMPLED)
        if (planned.fault == VERIFY_NOT_OF_POLICY)
            outcome->verdict = planned;
    return execute_placement(graph, outcome->placement, &options, &outcome->execution, error);
}

static enum status check_placement(const struct job *job, struct outcome *outcome,
                                   struct error *error)
{
    const struct placement *placement = outcome->placement;
    SCOPED(graph_release) struct graph *launched = NULL;
    outcome->measures = placement->measures;
    outcome->in_place = placement_in_place(placement);
    if (!outcome_found(outcome))
        return STATUS_OK;
    outcome->buffers = count_places(placement);
    TRY(job_launch(job, placement, &launched, error));
    return check_launched(job, launched ? launched : job->instance->graph, outcome, error);
}

static bool offsets_can_be_kept(const uint64_t *offset, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (offset[i] > INT64_MAX && offset[i] != PROBLEM_FREE)
            return false;
    return true;
}

static bool extents_can_be_kept(const struct extents *extents)
{
    for (uint32_t i = 0; extents && i < extents->count; i++)
        if (extents->extent[i].bytes > INT64_MAX ||
            extents->extent[i].offset > INT64_MAX - extents->extent[i].bytes)
            return false;
    return true;
}

/* Refuses numbers above 2^63 - 1, which databases and files cannot hold. No correct plan of a
   problem needs one. */
static enum status check_range(const struct job *job, const struct outcome *outcome,
                               struct error *error)
{
    const struct measures *measures = &outcome->measures;
    const struct plan *plan = outcome->plan;
    const struct placement *placement = outcome->placement;
    bool kept = measures->peak_bytes <= INT64_MAX && measures->lower_bound_bytes <= INT64_MAX &&
                measures->nodes <= INT64_MAX && measures->pool_bytes <= INT64_MAX &&
                measures->pools <= INT64_MAX;
    if (plan && plan_found(plan))
        kept = kept && offsets_can_be_kept(plan->offset, plan->buffers) &&
               extents_can_be_kept(plan->extents);
    if (placement && outcome_found(outcome))
        kept = kept && offsets_can_be_kept(placement->offset, placement->tensors) &&
               offsets_can_be_kept(placement->block_offset, placement->operators) &&
               extents_can_be_kept(placement->extents);
    if (kept)
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT,
                     "planner %s answered with a number above 2^63 - 1, expected offsets, bytes "
                     "and counts up to that",
                     job->planner->name);
}

static int compare_times(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

static void set_stop_reason(struct outcome *outcome, const char *reason)
{
    snprintf(outcome->stop_reason, sizeof outcome->stop_reason, "%s", reason);
}

/* Refuses a problem in which buffers are fixed at overlapping bytes, without calling a planner. */
static enum status refuse_fixed(const struct job *job, struct outcome *outcome, bool *refused,
                                struct error *error)
{
    *refused = false;
    if (!job->instance->problem)
        return STATUS_OK;
    TRY(verify_fixed(job->instance->problem, &outcome->verdict, error));
    if (outcome->verdict.fault == VERIFY_VALID)
        return STATUS_OK;
    *refused = true;
    set_stop_reason(outcome, "fixed buffers overlap");
    TRY(plan_create(job->instance->problem, &outcome->plan, error));
    outcome->status = outcome->plan->status = PLAN_INFEASIBLE;
    outcome->samples = 1;
    return STATUS_OK;
}

/* A heuristic does not look at the capacity, so its plan may exceed it; the status then says so. */
static void judge_capacity(const struct job *job, struct outcome *outcome)
{
    if (!outcome_found(outcome) || outcome->measures.peak_bytes <= job->capacity_bytes)
        return;
    outcome->status =
        outcome->measures.lower_bound_bytes > job->capacity_bytes ? PLAN_INFEASIBLE : PLAN_GAVE_UP;
    set_stop_reason(outcome, "over the capacity");
}

/* Takes back the status optimal where a check refuses the plan: the plan of an unsafe planner or
   policy may be wrong, and then it proves nothing that its peak meets the bound. */
static void judge_optimum(struct outcome *outcome)
{
    if (outcome->status == PLAN_OPTIMAL && !outcome_is_good(outcome))
        outcome->status = PLAN_FEASIBLE;
}

static enum status make_plan(const struct job *job, struct outcome *outcome, struct error *error)
{
    bool refused;
    TRY(refuse_fixed(job, outcome, &refused, error));
    if (!refused)
        TRY(plan_repeatedly(job, outcome, error));
    qsort(outcome->wall_ns, outcome->samples, sizeof *outcome->wall_ns, compare_times);
    if (outcome->status == PLAN_TIMEOUT)
        set_stop_reason(outcome, "time limit");
    return STATUS_OK;
}

enum status job_plan(const struct job *job, struct outcome *outcome, struct error *error)
{
    assert(!job->instance->graph || (job->policy && job->alignment_bytes));
    memset(outcome, 0, sizeof *outcome);
    enum status status = make_plan(job, outcome, error);
    if (status)
        outcome_clear(outcome);
    return status;
}

enum status job_check(const struct job *job, struct outcome *outcome, struct error *error)
{
    assert(!outcome->plan != !outcome->placement);
    TRY(outcome->plan ? check_plan(job, outcome, error) : check_placement(job, outcome, error));
    TRY(check_range(job, outcome, error));
    judge_optimum(outcome);
    judge_capacity(job, outcome);
    return STATUS_OK;
}

enum status job_run(const struct job *job, struct outcome *outcome, struct error *error)
{
    TRY(job_plan(job, outcome, error));
    enum status status = job_check(job, outcome, error);
    if (status)
        outcome_clear(outcome);
    return status;
}

const char *job_policy_name(const struct job *job)
{
    return job->policy ? job->policy->name : "problem";
}
