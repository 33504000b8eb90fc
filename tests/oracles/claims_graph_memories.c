/* Graphs in several memories for graph_memories.py: what `best` claims, and what both checks say of
   its plan with one tensor put elsewhere. */
#include <inttypes.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/text.h"
#include "harness/catalogue/planners.h"
#include "harness/files/graph_memories.h"
#include "harness/memories/memory_planners.h"
#include "oracles/graph_case.h"
#include "planning/execute/memories.h"
#include "planning/memories/address.h"
#include "planning/memories/model.h"
#include "planning/verify/memories/graph.h"

static enum status plan_case(struct graph_memories *graph, struct memory_plan **plan,
                             struct error *error)
{
    const struct memory_planner *planner = memory_planner_find("best");
    SCOPED(memory_model_release) struct memory_model *model = NULL;
    TRY(memory_model_create(graph->file.problem, &model, error));
    TRY(memory_plan_create(graph->file.problem, plan, error));
    const struct memory_task task = {.model = model,
                                     .deadline_ns = clock_deadline_ns(4000000000),
                                     .seed = 1,
                                     .exact = planners_find("exact"),
                                     .best = planners_find("exact")};
    TRY(memory_planner_plan(planner, &task, *plan, error));
    if (!graph->is_exact)
        graph_memories_take_back(*plan);
    return memory_plan_found(*plan) ? graph_memories_take(graph, *plan, error) : STATUS_OK;
}

static void write_places(const struct graph *graph, const struct placement *placement, FILE *out)
{
    const char *separator = ", \"places\": {";
    for (uint32_t t = 0; t < graph->tensors; t++) {
        uint64_t address = placement->offset[t];
        if (address == PROBLEM_FREE)
            continue;
        fprintf(out, "%s\"%s\": [%" PRIu32 ", %" PRIu64 "]", separator,
                names_get(&graph->tensor_names, t), memory_of_address(address),
                memory_offset_of_address(address));
        separator = ", ";
    }
    fputs(*separator == ',' && separator[2] == '"' ? ", \"places\": {}" : "}", out);
}

static enum status check(const struct graph_memories *made, const char *key, FILE *out,
                         struct error *error)
{
    const struct graph *graph = made->job->instance->graph;
    const struct placement *placement = made->outcome.placement;
    const struct memory_rules rules = {made->file.problem, made->job->alignment_bytes};
    const struct execute_options options = EXECUTE_DEFAULTS;
    struct memory_verdict verdict;
    struct execution execution;
    bool sampled;
    TRY(verify_graph_memories(graph, &rules, placement, &sampled, &verdict, error));
    TRY(execute_memories(graph, made->file.problem, made->job->alignment_bytes, placement, &options,
                         &execution, error));
    fprintf(out, ", \"%s\": {\"valid\": %s, \"intact\": %s, \"cost\": %" PRIu64 "}", key,
            verdict.valid ? "true" : "false", execution.intact ? "true" : "false", verdict.cost);
    return STATUS_OK;
}

/* Puts the tensor that the case counts, of those that have a place, elsewhere. */
static enum status alter(const struct json_reader *reader, struct placement *placement)
{
    const struct json_value *root = reader->document->root;
    uint64_t which, memory, offset, placed = 0;
    TRY(json_fields_unsigned(reader, root, "which", INT64_MAX, &which));
    TRY(json_fields_unsigned(reader, root, "memory", MEMORY_MOST - 1, &memory));
    TRY(json_fields_unsigned(reader, root, "offset", INT32_MAX, &offset));
    for (uint32_t t = 0; t < placement->tensors; t++)
        placed += placement->offset[t] != PROBLEM_FREE;
    for (uint32_t t = 0, k = 0; t < placement->tensors; t++)
        if (placement->offset[t] != PROBLEM_FREE && k++ == which % (placed ? placed : 1))
            placement->offset[t] = memory_address((uint32_t)memory, offset);
    return STATUS_OK;
}

enum status graph_case_answer(const struct graph_case *read, FILE *out, struct error *error)
{
    SCOPED(graph_memories_clear) struct graph_memories graph = {.job = NULL};
    SCOPED(memory_plan_release) struct memory_plan *plan = NULL;
    const struct json_reader reader = {read->document, error};
    char path[GRAPH_CASE_PATH_BYTES];
    TRY(graph_case_write_profile(&reader, path));
    enum status status = graph_memories_create(&read->job, path, &graph, error);
    unlink(path);
    TRY(status);
    TRY(plan_case(&graph, &plan, error));
    fprintf(out, "{\"status\": \"%s\", \"bound\": %" PRIu64 ", \"cost\": %" PRIu64,
            plan_status_name(plan->status), plan->cost_bound, plan->cost);
    if (memory_plan_found(plan)) {
        struct placement *placement = graph.outcome.placement;
        write_places(read->instance->graph, placement, out);
        TRY(check(&graph, "plan", out, error));
        TRY(alter(&reader, placement));
        TRY(check(&graph, "altered", out, error));
    }
    fputc('}', out);
    return STATUS_OK;
}
