#include "harness/memories/graph.h"

#include <inttypes.h>
#include <stdio.h>

#include "planning/execute/execute.h"
#include "planning/execute/memories.h"
#include "planning/verify/memories/graph.h"

static enum status check_placement(const struct graph_memories *made, const char *planner,
                                   const struct memory_plan *plan,
                                   struct memory_graph_checks *checks, struct error *error)
{
    const struct graph *graph = made->job->instance->graph;
    const struct placement *placement = made->outcome.placement;
    const struct memory_rules rules = {made->file.problem, made->job->alignment_bytes};
    struct execute_options options = EXECUTE_DEFAULTS;
    struct memory_verdict verdict;
    struct execution execution;
    options.seed = made->job->seed;
    TRY(verify_graph_memories(graph, &rules, placement, &checks->sampled, &verdict, error));
    TRY(execute_memories(graph, made->file.problem, made->job->alignment_bytes, placement, &options,
                         &execution, error));
    TRY(execute_describe(&(struct executed){graph, placement, &execution}, checks->executed,
                         sizeof checks->executed, error));
    snprintf(checks->verified, sizeof checks->verified, "%s", verdict.text);
    checks->sampled |= !execution.all_paths;
    if (!verdict.valid || !execution.intact)
        return error_set(error, STATUS_INTERNAL, "%s made a wrong plan: %s", planner,
                         verdict.valid ? checks->executed : checks->verified);
    if (verdict.cost != plan->cost)
        return error_set(error, STATUS_INTERNAL,
                         "%s says that its plan costs %" PRIu64
                         " thousandths, and it costs %" PRIu64,
                         planner, plan->cost, verdict.cost);
    return STATUS_OK;
}

enum status memory_run_graph(struct graph_memories *made, const struct memory_planner *planner,
                             const struct memory_run *run, struct memory_plan *plan,
                             struct memory_graph_checks *checks, struct error *error)
{
    *checks = (struct memory_graph_checks){.sampled = false};
    TRY(memory_run_planner(made->file.problem, planner, run, plan, error));
    if (!made->is_exact)
        graph_memories_take_back(plan);
    if (!memory_plan_found(plan))
        return STATUS_OK;
    TRY(graph_memories_take(made, plan, error));
    return check_placement(made, planner->name, plan, checks, error);
}
