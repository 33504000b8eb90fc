/* The command info. Facts about an instance are collected as one JSON object, whose rows the plain
   form prints; --policy adds the results of control-flow policies on a graph: load, naive, the
   best plan of the portfolio within a second, whether the checks accept it, and whether its
   addresses are static. */

#include "cli/arguments/command.h"
#include "cli/arguments/select.h"
#include "cli/output/json.h"
#include "cli/output/print.h"
#include "core/memory.h"
#include "dma/program/regions.h"
#include "harness/explanation/explanation.h"
#include "harness/job/run.h"
#include "harness/orders/order_bound.h"
#include "planning/graph/ways.h"
#include "planning/lowering/stream_level.h"
#include "planning/plan/addresses.h"
#include "planning/policies/policy.h"
#include "planning/problem/bounds.h"
#include "planning/problem/sections.h"

static const uint64_t second_ns = 1000000000;

static enum status add_policy(struct job *job, struct json_tree *facts, struct error *error)
{
    SCOPED(outcome_clear) struct outcome outcome = {0};
    TRY(job_run(job, &outcome, error));
    bool are_static = false;
    json_build_open(facts, NULL, JSON_OBJECT);
    json_build_text(facts, "policy", job->policy->name);
    json_build_count(facts, "load", outcome.measures.load_bytes);
    json_build_count(facts, "naive", outcome.measures.naive_bytes);
    json_build_count(facts, "lower_bound", outcome.measures.lower_bound_bytes);
    json_build_text(facts, "status", plan_status_name(outcome.status));
    if (*outcome.stop_reason)
        json_build_text(facts, "note", outcome.stop_reason);
    if (outcome_found(&outcome)) {
        TRY(addresses_are_static(job->instance->graph, outcome.placement, &are_static, error));
        json_build_count(facts, "peak", outcome.measures.peak_bytes);
        json_build_boolean(facts, "safe", outcome_is_good(&outcome));
        json_build_text(facts, "addresses", are_static ? "static" : "run-time");
    }
    json_build_close(facts);
    return STATUS_OK;
}

static enum status add_policies(const struct arguments *arguments, const struct instance *instance,
                                struct json_tree *facts, struct error *error)
{
    SCOPED(planner_release) struct planner *planner = NULL;
    SCOPED(memory_release) const struct policy **chosen = NULL;
    uint32_t count;
    if (!instance->graph)
        return error_set(error, STATUS_USAGE,
                         "--policy, but '%s' is a problem, which has no control flow",
                         instance->name);
    TRY(select_planner(arguments->registry, "portfolio", &planner, error));
    TRY(select_policies(arguments->policies, &chosen, &count, error));
    struct job job = job_make(instance, NULL, planner);
    job.time_limit_ns = second_ns;
    json_build_open(facts, "policies", JSON_ARRAY);
    for (uint32_t i = 0; i < (chosen ? count : policy_count()); i++) {
        job.policy = chosen ? chosen[i] : policy_at(i);
        if (chosen || policy_suits(job.policy, instance->graph))
            TRY(add_policy(&job, facts, error));
    }
    json_build_close(facts);
    return STATUS_OK;
}

static void add_policy_row(const struct json_tree *facts, const struct json_value *policy,
                           struct table *table)
{
    const struct json_value *safe = json_tree_find(facts, policy, "safe");
    const char *note = json_get_text(facts, policy, "note");
    table_add(table, cell_text(json_get_text(facts, policy, "policy")),
              cell_number((uint64_t)json_get_integer(facts, policy, "load")),
              cell_number((uint64_t)json_get_integer(facts, policy, "naive")),
              cell_known(safe, (uint64_t)json_get_integer(facts, policy, "peak")),
              cell_text(json_get_text(facts, policy, "status")),
              safe ? cell_text(json_get_text(facts, policy, "addresses")) : cell_missing());
    table_add(table, !safe                           ? cell_missing()
                     : json_tree_is(safe, JSON_TRUE) ? cell_text("yes")
                                                     : cell_text("no"));
    if (note && *note)
        table_add_note(table, "%s: %s", json_get_text(facts, policy, "policy"), note);
}

static enum status print_policies(const struct json_tree *facts, struct error *error)
{
    SCOPED(table_free) struct table table = {0};
    const struct json_value *policies = json_tree_find(facts, json_tree_root(facts), "policies");
    table_set_title(&table, "What the policies make of it");
    table_add_columns(&table, "policy | load (bytes): | naive (bytes): | best plan (bytes): | "
                              "status | addresses | safe");
    for (const struct json_value *policy = json_tree_first(policies); policy;
         policy = json_tree_next(policies, policy))
        add_policy_row(facts, policy, &table);
    return print_table(&table, NULL, NULL, error);
}

static enum status add_problem_facts(const struct problem *problem, struct json_tree *facts,
                                     struct error *error)
{
    uint64_t load_bytes;
    uint32_t step;
    TRY(problem_load(problem, &load_bytes, &step, error));
    json_build_count(facts, "buffers", problem->buffers);
    json_build_count(facts, "steps", problem_line_steps(problem));
    json_build_count(facts, "load", load_bytes);
    json_build_count(facts, "load_step", step);
    /* Adds the witness of the load: the buffers that are live at the step where it is reached, be
       it a time step or a conflict step. */
    uint32_t count = 0;
    json_build_open(facts, "load_buffer_names", JSON_ARRAY);
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (explanation_live_bytes(problem, b, step)) {
            json_build_text(facts, NULL, names_get(&problem->names, b));
            count++;
        }
    json_build_close(facts);
    json_build_count(facts, "load_buffers", count);
    json_build_count(facts, "naive", problem_naive_bytes(problem));
    if (problem_streams(problem))
        json_build_count(facts, "streams", problem_streams(problem));
    if (problem_is_by_clocks(problem))
        return STATUS_OK;
    if (problem->line_end != PROBLEM_NO_LINE_END)
        json_build_count(facts, "conflict_steps", problem_steps(problem) - problem->line_end);
    /* Adds the number of sections. A section may list a buffer for each step at which it is live;
       where that could take gigabytes, the number is left out. */
    static const uint64_t most_members = 250000000;
    SCOPED(sections_release) struct sections *sections = NULL;
    uint64_t members = 0;
    for (uint32_t s = 0; s < problem->segments && members <= most_members; s++)
        members += problem->upper[s] - problem->lower[s];
    if (members > most_members)
        return STATUS_OK;
    TRY(sections_create(problem, &sections, error));
    json_build_count(facts, "sections", sections->count);
    return STATUS_OK;
}

/* For a graph on several streams: adds how many ways its branches allow, not counted beyond 2^32 -
   2, and a note where the problem may have conflicts that no way has, so that its bounds say
   nothing of the graph. */
static void add_stream_facts(const struct graph *graph, const struct level *level,
                             struct json_tree *facts)
{
    if (!graph_has_streams(graph))
        return;
    json_build_count(facts, "operator_streams", graph->streams.count);
    if (!graph_has_control_flow(graph))
        return;
    json_build_count(facts, "ways", graph_count_ways(graph, UINT32_MAX - 1));
    if (level->is_cautious)
        json_build_text(facts, "streams_note", STREAM_LEVEL_CAUTIOUS);
}

static enum status add_graph_facts(const struct instance *instance, struct json_tree *facts,
                                   struct error *error)
{
    const struct graph *graph = instance->graph;
    json_build_count(facts, "operators", graph->operators);
    json_build_count(facts, "tensors", graph->tensors);
    json_build_count(facts, "regions", graph->regions - 1);
    uint64_t flops = 0;
    for (uint32_t o = 0; o < graph->operators; o++)
        flops += graph->op[o].flops > 0 ? (uint64_t)graph->op[o].flops : 0;
    json_build_count(facts, "flops", flops);
    /* Adds the facts of the problem in which all branches run one after the other, or, with several
       streams, these side by side. */
    const struct job job =
        job_make(instance, graph_has_streams(graph) ? &policy_streams : &policy_flat, NULL);
    SCOPED(whole_problem_clear) struct whole_problem whole = {0};
    TRY(whole_problem_create(&job, &whole, error));
    TRY(add_problem_facts(whole.problem, facts, error));
    add_stream_facts(graph, whole.made.level, facts);
    /* Adds the bound on the loads of all orders, unless none is known. */
    uint64_t bound_bytes;
    TRY(order_bound_find(graph, NULL, &bound_bytes, error));
    if (bound_bytes)
        json_build_count(facts, "order_bound", bound_bytes);
    SCOPED(transfer_regions_release) struct transfer_regions *regions = NULL;
    TRY(transfer_regions_create(graph, &regions, error));
    json_build_count(facts, "weight_bytes", regions->total_bytes);
    json_build_count(facts, "transfer_regions", regions->weighted_regions);
    json_build_count(facts, "alloc0_bytes", regions->alloc_bytes[0]);
    json_build_count(facts, "alloc1_bytes", regions->alloc_bytes[1]);
    return STATUS_OK;
}

static enum status add_facts(const struct arguments *arguments, const struct instance *instance,
                             struct json_tree *facts, struct error *error)
{
    json_build_text(facts, "name", instance->name);
    json_build_text(facts, "kind", instance->graph ? "graph" : "problem");
    json_build_boolean(facts, "reconstruction", instance->is_reconstruction);
    json_build_text(facts, "digest", instance->digest);
    if (instance->graph && instance->graph->note)
        json_build_text(facts, "note", instance->graph->note);
    if (instance->problem)
        TRY(add_problem_facts(instance->problem, facts, error));
    else
        TRY(add_graph_facts(instance, facts, error));
    return arguments->policies ? add_policies(arguments, instance, facts, error) : STATUS_OK;
}

static enum status run_info(const struct arguments *arguments, struct error *error)
{
    SCOPED(instance_release) struct instance *instance = NULL;
    SCOPED(json_tree_free) struct json_tree facts = {0};
    TRY(select_instance(arguments, arguments->operand[0], &instance, error));
    json_open_facts(&facts, "info");
    TRY(add_facts(arguments, instance, &facts, error));
    json_build_close(&facts);
    if (arguments->json)
        return json_print(&facts, error);
    TRY(json_print_lines(&facts, error));
    if (!arguments->policies)
        return STATUS_OK;
    print_lines("\n");
    return print_policies(&facts, error);
}

const struct command command_info = {
    .name = "info",
    .summary = "facts about an instance: operators, tensors, buffers, load, naive",
    .operands = "INSTANCE",
    .kind = "instances",
    .least = 1,
    .most = 1,
    .options = OPTIONS(OPTION_POLICIES, OPTION_FACTS, OPTION_IGNORE_OFFSETS, OPTION_DIALECT,
                       OPTION_BIND, OPTION_RANGE, OPTION_ASSUME_DIM),
    .help = HELP({OPTION_POLICIES,
                  "also the load, the naive peak and the best plan under these policies, "
                  "separated by commas, or all; may be repeated"}),
    .examples = "memplan info zoo/resnet50\nmemplan info luna/denoise -f json\n"
                "memplan info luna/denoise --policy all",
    .run = run_info,
};
