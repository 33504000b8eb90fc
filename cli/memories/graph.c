/* Graphs with several memories: what plan and verify do with --memories. */
#include <string.h>

#include "cli/memories/memories.h"
#include "cli/output/picture.h"
#include "core/clock.h"
#include "harness/files/graph_memories.h"
#include "harness/files/plan_read.h"
#include "harness/files/plan_write.h"
#include "harness/memories/graph.h"
#include "harness/memories/memory_planners.h"
#include "planning/execute/memories.h"
#include "planning/verify/memories/graph.h"

enum status memories_check_options(const struct arguments *arguments,
                                   const struct instance *instance, struct error *error)
{
    if (!instance->graph || instance_sizes(instance))
        return error_set(error, STATUS_USAGE,
                         "'%s' is %s, expected a graph of one size for --memories", instance->name,
                         instance->graph ? "a graph of many sizes" : "a problem");
    if (arguments->orders && strcmp(arguments->orders, "best") == 0)
        return error_set(error, STATUS_USAGE, "found --order best, expected --memories without it");
    return memories_refuse_options(arguments, true, error);
}

static enum status write_plan(const struct arguments *arguments, const struct graph_memories *graph,
                              struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    TRY(plan_file_write(graph->job, &graph->outcome, arguments->output, &text, error));
    return text_write_file(arguments->output, &text, error);
}

enum status memories_plan_graph(const struct arguments *arguments, const struct job *job,
                                struct error *error)
{
    SCOPED(graph_memories_clear) struct graph_memories graph = {.job = NULL};
    SCOPED(memory_plan_release) struct memory_plan *plan = NULL;
    struct memory_graph_checks checks;
    const char *name = arguments->planners ? arguments->planners : "best";
    const struct memory_planner *planner = memory_planner_find(name);
    uint64_t began_ns = clock_monotonic_ns();
    if (!planner)
        return memory_planner_refuse(name, strlen(name), error);
    const struct planner named = {.name = planner->name};
    struct job shown = *job;
    shown.planner = &named;
    TRY(graph_memories_create(&shown, arguments->memories, &graph, error));
    TRY(memory_plan_create(graph.file.problem, &plan, error));
    TRY(memory_run_graph(&graph, planner,
                         &(struct memory_run){arguments->time_limit_ns, arguments->seed, 0}, plan,
                         &checks, error));
    struct memories_finding finding = {.problem = graph.file.problem,
                                       .planner = planner,
                                       .plan = plan,
                                       .policy = job_policy_name(job),
                                       .checks = &checks};
    finding.wall_ns = clock_monotonic_ns() - began_ns;
    graph.outcome.samples = 1;
    graph.outcome.wall_ns[0] = finding.wall_ns;
    if (memory_plan_found(plan) && arguments->output)
        TRY(picture_has_name(arguments->output) ? memories_draw(&finding, arguments->output, error)
                                                : write_plan(arguments, &graph, error));
    return memories_report(arguments, &finding, error);
}

static enum status execute_plan(const struct arguments *arguments, const struct graph *graph,
                                const struct memory_problem *memories,
                                const struct placement *placement, struct memories_execution *found,
                                bool *sampled, struct error *error)
{
    struct execute_options options = EXECUTE_DEFAULTS;
    struct execution execution;
    options.seed = arguments->seed;
    TRY(execute_memories(graph, memories, arguments->alignment_bytes, placement, &options,
                         &execution, error));
    found->intact = execution.intact;
    *sampled |= execution.intact && !execution.all_paths;
    return execute_describe(&(struct executed){graph, placement, &execution}, found->text,
                            sizeof found->text, error);
}

enum status memories_verify_graph(const struct arguments *arguments,
                                  const struct instance *instance,
                                  const struct inplace_choice *choice, struct error *error)
{
    SCOPED(memory_file_clear) struct memory_file memories = {0};
    SCOPED(plan_file_free) struct plan_file file = {0};
    struct memory_verdict verdict;
    struct memories_execution execution = {.intact = false};
    bool sampled = false, ran_some = false;
    struct arguments told = *arguments;
    told.moves = moves_are_in_file(arguments->operand[1]);
    TRY(memories_check_options(&told, instance, error));
    if (arguments->output)
        return error_set(error, STATUS_USAGE, "found --output, expected --memories without it");
    if (told.moves)
        return moves_verify_graph(arguments, instance, error);
    TRY(graph_memories_read(arguments->memories, &memories, error));
    TRY(plan_file_read(instance, arguments->operand[1], choice, &memories.problem->names, &file,
                       error));
    const struct placement *placement = file.placement;
    const struct memory_rules rules = {memories.problem, arguments->alignment_bytes};
    TRY(verify_graph_memories(instance->graph, &rules, placement, &sampled, &verdict, error));
    if (arguments->execute)
        TRY(execute_plan(arguments, instance->graph, memories.problem, placement, &execution,
                         &ran_some, error));
    TRY(memories_report_verdict(arguments, &verdict, arguments->execute ? &execution : NULL,
                                error));
    return sampled || ran_some ? STATUS_LIMIT : STATUS_OK;
}
