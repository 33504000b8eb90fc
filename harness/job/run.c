#include "harness/job/run.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/compare.h"
#include "core/memory.h"
#include "harness/catalogue/planners.h"
#include "harness/job/begin.h"
#include "harness/job/pinned.h"
#include "planning/lowering/level.h"
#include "planning/lowering/stream_level.h"
#include "planning/verify/paths/paths.h"
#include "planning/verify/problem/fixed.h"

/* One call for a job: the planner runs once for each level of a graph, or once for a problem. */
struct call {
    const struct job *job;
    uint64_t deadline_ns;
    struct search_record *search; /* of what was planned so far */
    bool lists_too_many;          /* the planner lists pairs, and too many conflict */
    bool is_cautious;             /* the problem may have conflicts that the graph has not */
    char reason[128];             /* of the last plan that says why it is not proved, or "" */
    bool is_unsearched; /* the planner proves, but not where clocks alone say what conflicts */
    bool leaves_policy; /* some plan of an unsafe planner puts on the same bytes what its level
                           keeps apart */
};

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

/* Calls the job's planner on the problem of a level, or on the job's own problem without a level,
   with its share of the time that is left. */
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
                                .helper = planner->helper ? planners_find(planner->helper) : NULL,
                                .start = call->job->incumbent};
    if (!task.start && planner->flags & PLANNER_WANTS_START) {
        TRY(find_start(call, &task, &start, error));
        task.start = start;
    }
    task.time_limit_ns = clock_left_ns(call->deadline_ns);
    if (level && task.time_limit_ns != UINT64_MAX)
        task.time_limit_ns /= level->more_plans + (uint64_t)1;
    call->lists_too_many |= !planner_can_plan(planner, problem);
    call->is_unsearched |= problem_is_by_clocks(problem) && planner->flags & PLANNER_EXACT;
    TRY(planner_plan(planner, &task, plan, error));
    if (*plan->reason)
        snprintf(call->reason, sizeof call->reason, "%s", plan->reason);
    /* The search record of a level is added to that of the levels before it. The outermost level is
       planned last, so its curve is the one that stays. */
    if (plan->search) {
        if (call->search)
            search_record_join(plan->search, call->search);
        search_record_free(call->search);
        call->search = plan->search;
        plan->search = NULL;
    }
    return STATUS_OK;
}

static enum status plan_level(void *context, const struct level *level, struct plan *plan,
                              struct error *error)
{
    struct call *call = context;
    struct verdict verdict = {.fault = VERIFY_VALID};
    call->is_cautious |= level->is_cautious;
    TRY(call_planner(call, level->problem, level, plan, error));
    if (call->job->planner->flags & PLANNER_UNSAFE && plan_found(plan))
        TRY(verify_plan(level->problem, plan, &verdict, error));
    call->leaves_policy |= verdict.fault != VERIFY_VALID;
    return STATUS_OK;
}

static void __attribute__((format(printf, 2, 3)))
set_stop_reason(struct outcome *outcome, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(outcome->stop_reason, sizeof outcome->stop_reason, format, arguments);
    va_end(arguments);
}

/* Whether the policy or the planner cannot plan this graph; the outcome then says why. */
static bool refuse_graph(const struct job *job, struct outcome *outcome)
{
    const struct graph *graph = job->instance->graph;
    /* Where regions are planned one by one, a call of the planner does not know on which devices
       the tensors of other regions are. */
    bool is_one_level = job->policy->make_level || !graph_has_control_flow(graph);
    if (graph_has_streams(graph) && !(job->policy->flags & POLICY_STREAMS))
        set_stop_reason(outcome,
                        "its operators run on several streams, which policy %s takes for one",
                        job->policy->name);
    else if (graph_has_devices(graph) && !(is_one_level && job->planner->flags & PLANNER_DEVICES))
        set_stop_reason(outcome,
                        "its tensors are on several devices, which %s %s does not keep apart",
                        is_one_level ? "planner" : "policy",
                        is_one_level ? job->planner->name : job->policy->name);
    else
        return false;
    outcome->placement->status = PLAN_UNSUPPORTED;
    return true;
}

/* Plans once, and says why there is no plan or why there is one without a bound. */
static enum status plan_once(const struct job *job, struct outcome *outcome, struct error *error)
{
    SCOPED(pinned_clear) struct pinned pinned = {.offset = NULL};
    if (job->pin_io && job->instance->graph) {
        TRY(pinned_create(job, &pinned, error));
        job = &pinned.job;
    }
    struct call call = {.job = job, .deadline_ns = clock_deadline_ns(job->time_limit_ns)};
    const struct level_planner planner = {.plan = plan_level,
                                          .context = &call,
                                          .alignment_bytes = job->alignment_bytes,
                                          .unchecked = job->planner->flags & PLANNER_UNSAFE};
    enum status status = STATUS_OK;
    TRY(job_begin(job, outcome, error));
    if (outcome->plan)
        status = call_planner(&call, job->instance->problem, NULL, outcome->plan, error);
    else if (!refuse_graph(job, outcome))
        status =
            policy_place(job->policy, job->instance->graph, &planner, outcome->placement, error);
    if (pinned.offset && !status)
        status = pinned_finish(&pinned, outcome->placement, error);
    outcome->search = call.search;
    outcome->status = *outcome_places(outcome).status;
    /* The bounds under path and select are those of all plans that are right for the graph. */
    if (call.leaves_policy && !(job->policy->flags & POLICY_PATHS))
        outcome->verdict.fault = VERIFY_NOT_OF_POLICY;
    if (call.lists_too_many)
        set_stop_reason(outcome, "more of its buffers conflict than planner %s lists",
                        job->planner->name);
    else if (*call.reason)
        set_stop_reason(outcome, "%s", call.reason);
    else if (call.is_cautious)
        set_stop_reason(outcome, "%s", STREAM_LEVEL_CAUTIOUS);
    else if (call.is_unsearched && outcome->status == PLAN_FEASIBLE)
        set_stop_reason(outcome, "too many pairs conflict to be searched: the bound is that of the "
                                 "heaviest antichain");
    return status;
}

/* Plans until enough runs were timed. The first plan of a process takes longer than those after it,
   because it is the first to touch its memory; with three runs it is not the median. */
static enum status plan_repeatedly(const struct job *job, struct outcome *outcome,
                                   struct error *error)
{
    enum { FEW = 3, LONG = 4 };
    uint64_t sampled_ns = 0;
    bool enough = false;
    while (!enough && outcome->samples < OUTCOME_MOST_SAMPLES) {
        outcome_clear(outcome);
        memory_begin_peak();
        uint64_t began_ns = clock_monotonic_ns();
        TRY(plan_once(job, outcome, error));
        uint64_t wall_ns = clock_monotonic_ns() - began_ns;
        outcome->wall_ns[outcome->samples++] = wall_ns;
        outcome->planner_bytes = memory_peak_bytes();
        sampled_ns += wall_ns;
        enough = sampled_ns >= job->least_sampled_ns &&
                 (outcome->samples >= FEW || sampled_ns / LONG >= job->least_sampled_ns);
    }
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

static enum status check_placement(const struct job *job, struct outcome *outcome,
                                   struct error *error)
{
    const struct placement *placement = outcome->placement;
    const struct graph *graph = job->instance->graph;
    const struct verdict planned = outcome->verdict;
    struct execute_options options = EXECUTE_DEFAULTS;
    SCOPED(graph_release) struct graph *launched = NULL;
    outcome->measures = placement->measures;
    outcome->in_place = placement_in_place(placement);
    if (!outcome_found(outcome))
        return STATUS_OK;
    outcome->buffers = 0;
    for (uint32_t t = 0; t < placement->tensors; t++)
        outcome->buffers +=
            placement->offset[t] != PROBLEM_FREE && placement->overwrites[t] == GRAPH_NONE;
    TRY(job_launch(job, placement, &launched, error));
    if (launched)
        graph = launched;
    if (graph_has_streams(graph))
        TRY(critical_path_find(graph, &outcome->path, error));
    TRY(verify_paths(graph, placement, &outcome->verdict, error));
    const struct verdict aligned = verify_alignment(graph, placement, job->alignment_bytes);
    if (aligned.fault &&
        (outcome->verdict.fault == VERIFY_VALID || outcome->verdict.fault == VERIFY_SAMPLED))
        outcome->verdict = aligned;
    if (planned.fault == VERIFY_NOT_OF_POLICY &&
        (outcome->verdict.fault == VERIFY_VALID || outcome->verdict.fault == VERIFY_SAMPLED))
        outcome->verdict = planned;
    options.seed = job->seed;
    return execute_placement(graph, placement, &options, &outcome->execution, error);
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
    const struct outcome_places places = outcome_places(outcome);
    const struct measures *measures = &outcome->measures;
    bool kept = measures->peak_bytes <= INT64_MAX && measures->lower_bound_bytes <= INT64_MAX &&
                measures->nodes <= INT64_MAX && measures->pool_bytes <= INT64_MAX &&
                measures->pools <= INT64_MAX;
    if (outcome->plan ? plan_found(outcome->plan) : outcome_found(outcome))
        kept = kept && offsets_can_be_kept(places.offset, places.items) &&
               offsets_can_be_kept(places.block_offset, places.operators) &&
               extents_can_be_kept(*places.extents);
    if (kept)
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT,
                     "planner %s answered with a number above 2^63 - 1, expected offsets, bytes "
                     "and counts up to that",
                     job->planner->name);
}

/* Refuses a problem in which buffers are fixed at overlapping bytes, without calling a planner; and
   plans all others. */
static enum status make_plan(const struct job *job, struct outcome *outcome, struct error *error)
{
    if (job->instance->problem)
        TRY(verify_fixed(job->instance->problem, &outcome->verdict, error));
    if (outcome->verdict.fault == VERIFY_VALID) {
        TRY(plan_repeatedly(job, outcome, error));
    } else {
        set_stop_reason(outcome, "fixed buffers overlap");
        TRY(job_begin(job, outcome, error));
        outcome->status = outcome->plan->status = PLAN_INFEASIBLE;
        outcome->samples = 1;
    }
    qsort(outcome->wall_ns, outcome->samples, sizeof *outcome->wall_ns, compare_number_items);
    if (outcome->status == PLAN_TIMEOUT)
        set_stop_reason(outcome, "time limit");
    return STATUS_OK;
}

enum status job_plan(const struct job *job, struct outcome *outcome, struct error *error)
{
    assert(!job->instance->graph || job->policy);
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
    /* The plan of an unsafe planner or policy may be wrong, and then it proves nothing that its
       peak meets the bound. */
    if (outcome->status == PLAN_OPTIMAL && !outcome_is_good(outcome))
        outcome->status = PLAN_FEASIBLE;
    /* A heuristic does not look at the capacity, so its plan may exceed it. */
    if (outcome_found(outcome) && outcome->measures.peak_bytes > job->capacity_bytes) {
        bool proved = outcome->measures.lower_bound_bytes > job->capacity_bytes;
        outcome->status = proved ? PLAN_INFEASIBLE : PLAN_GAVE_UP;
        set_stop_reason(outcome, "over the capacity");
    }
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
