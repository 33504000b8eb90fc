/* memplan_plan_memories and memplan_verify_memories: problems and graphs with several memories. */
#include <stdio.h>
#include <string.h>

#include "api/answer.h"
#include "api/graph.h"
#include "datasets/json/document.h"
#include "harness/catalogue/planners.h"
#include "harness/memories/graph.h"
#include "harness/memories/memory_planners.h"
#include "harness/memories/shortage.h"
#include "planning/memories/address.h"
#include "planning/verify/memories/graph.h"

/* Copies of the caller's structures; fields that they lack are zero. */
struct memories_call {
    struct memplan_memories given;
    struct memplan_memories_plan plan;
    struct memplan_graph graph_given;
    struct api_graph graph;     /* the caller's, or one without a graph */
    struct graph_memories made; /* of the graph, to be planned */
    struct memory_file file;    /* the problem, or for a check the memories of the graph */
    enum memplan_result result;
    struct error error;
};

static void clear_call(struct memories_call *call)
{
    graph_memories_clear(&call->made);
    memory_file_clear(&call->file);
    api_graph_clear(&call->graph);
}

static bool has_graph(const struct memories_call *call)
{
    return call->given.graph != NULL;
}

static enum status read_problem(struct memories_call *call, const struct text *text)
{
    SCOPED(json_document_release) struct json_document *document = NULL;
    struct error found = ERROR_NONE;
    if (json_document_read(text, "json", &document, &found) ||
        memory_file_read(document, &call->file, &found))
        return api_refuse_json(&found, &call->error);
    return STATUS_OK;
}

static enum status read_graph(struct memories_call *call)
{
    struct error *error = &call->error;
    TRY(api_copy_in(call->given.graph, "graph", &call->graph_given, sizeof call->graph_given,
                    error));
    if (call->graph_given.capacity_bytes || call->graph_given.flags)
        return error_set(error, STATUS_BAD_INPUT,
                         "found a capacity or flags of the graph, expected 0 with memories");
    TRY(api_graph_create(&call->graph_given, &call->graph, error));
    struct job *job = &call->graph.job;
    job->seed = call->given.seed;
    job->capacity_bytes = UINT64_MAX;
    job->options = "";
    return STATUS_OK;
}

/* Sets what the caller learns of the memories alone. */
static enum status take_names(struct memories_call *call, const struct memory_problem *problem)
{
    struct memplan_memories_plan *plan = &call->plan;
    bool wants = plan->name || plan->peak_bytes || plan->enough_bytes;
    plan->memories = problem->memories;
    if (wants && plan->most_memories < problem->memories)
        return error_set(&call->error, STATUS_BAD_INPUT,
                         "found room for %u memories, expected the %u of the JSON",
                         plan->most_memories, problem->memories);
    for (uint32_t m = 0; m < problem->memories; m++) {
        if (plan->name)
            snprintf(plan->name[m], sizeof plan->name[m], "%s", names_get(&problem->names, m));
        if (plan->peak_bytes)
            plan->peak_bytes[m] = 0;
        if (plan->enough_bytes)
            plan->enough_bytes[m] = MEMPLAN_NONE;
    }
    if (plan->tight)
        memset(plan->tight, 0, call->given.buffers);
    return STATUS_OK;
}

/* Begins a call: copies what the caller gave, and reads it. A graph gets its memories, with its
   traffic where it is to be planned. */
static enum status begin(const struct memplan_memories *memories,
                         const struct memplan_memories_plan *plan, bool to_plan,
                         struct memories_call *call)
{
    struct error *error = &call->error, found = ERROR_NONE;
    SCOPED(text_free) struct text text = {0};
    TRY(api_copy_in(plan, "plan", &call->plan, sizeof call->plan, error));
    call->plan.message[0] = '\0';
    call->plan.cost = call->plan.cost_bound = call->plan.memories = 0;
    call->plan.step = MEMPLAN_NOBODY;
    TRY(api_copy_in(memories, "problem", &call->given, sizeof call->given, error));
    if (!call->plan.memory || !call->plan.offset)
        return error_set(error, STATUS_BAD_INPUT, "found no array %s, expected one",
                         call->plan.memory ? "offset" : "memory");
    TRY(api_read_json(call->given.json, call->given.json_bytes, &text, error));
    if (!has_graph(call)) {
        TRY(read_problem(call, &text));
    } else {
        TRY(read_graph(call));
        if (to_plan ? graph_memories_create(&call->graph.job, text.bytes, &call->made, &found)
                    : graph_memories_read(text.bytes, &call->file, &found))
            return api_refuse_json(&found, error);
    }
    uint32_t buffers = has_graph(call) ? call->graph.instance.graph->tensors
                                       : call->file.problem->problem->buffers;
    if (call->given.buffers != buffers)
        return error_set(error, STATUS_BAD_INPUT, "found %u buffers, expected the %u of the JSON",
                         call->given.buffers, buffers);
    return take_names(call,
                      has_graph(call) && to_plan ? call->made.file.problem : call->file.problem);
}

static const struct memory_problem *get_problem(const struct memories_call *call)
{
    return has_graph(call) ? call->made.file.problem : call->file.problem;
}

/* Says what does not fit, and what would. */
static enum status add_shortage(struct memories_call *call, uint64_t limit_ns)
{
    enum { MOST_NS = 2000000000 };
    const struct memory_problem *problem = get_problem(call);
    struct memplan_memories_plan *plan = &call->plan;
    SCOPED(memory_shortage_clear) struct memory_shortage shortage = {0};
    SCOPED(text_free) struct text text = {0};
    TRY(memory_shortage_find(problem, planners_find("exact"),
                             limit_ns < MOST_NS ? limit_ns : MOST_NS, &shortage, &call->error));
    memory_shortage_write(problem, &shortage, &text);
    TRY(text_check(&text, &call->error));
    snprintf(plan->message, sizeof plan->message, "%s", text.bytes);
    plan->step = shortage.step;
    for (uint32_t i = 0; i < shortage.buffers && plan->tight; i++) {
        uint32_t b = shortage.buffer[i];
        plan->tight[has_graph(call) ? call->made.level.level->tensor[b] : b] = 1;
    }
    for (uint32_t m = 0; m < problem->memories && plan->enough_bytes; m++)
        plan->enough_bytes[m] = shortage.least[m];
    return STATUS_OK;
}

/* Copies the places of a plan that was found. */
static enum status take_places(struct memories_call *call, const struct memory_plan *found)
{
    struct memplan_memories_plan *plan = &call->plan;
    const struct placement *placement = call->made.outcome.placement;
    plan->cost = found->cost;
    if (plan->peak_bytes)
        memcpy(plan->peak_bytes, found->peak, found->memories * sizeof *found->peak);
    for (uint32_t b = 0; b < call->given.buffers; b++) {
        bool has_place = !has_graph(call) || placement->offset[b] != PROBLEM_FREE;
        plan->memory[b] = !has_place        ? MEMPLAN_NOBODY
                          : has_graph(call) ? memory_of_address(placement->offset[b])
                                            : found->memory[b];
        plan->offset[b] = !has_place        ? MEMPLAN_FREE
                          : has_graph(call) ? memory_offset_of_address(placement->offset[b])
                                            : found->offset[b];
    }
    return STATUS_OK;
}

static enum status plan_memories(const char *name, struct memories_call *call)
{
    enum { DEFAULT_NS = 1000000000 };
    const struct memory_problem *problem = get_problem(call);
    struct memplan_memories_plan *plan = &call->plan;
    const struct memory_planner *planner = memory_planner_find(name ? name : "best");
    const struct memory_run run = {
        call->given.time_limit_ns ? call->given.time_limit_ns : DEFAULT_NS, call->given.seed, 0};
    SCOPED(memory_plan_release) struct memory_plan *found = NULL;
    struct memory_graph_checks checks = {.sampled = false};
    if (!planner)
        return memory_planner_refuse(name, strlen(name), &call->error);
    TRY(memory_plan_create(problem, &found, &call->error));
    TRY(has_graph(call) ? memory_run_graph(&call->made, planner, &run, found, &checks, &call->error)
                        : memory_run_planner(problem, planner, &run, found, &call->error));
    plan->cost_bound = found->cost_bound;
    switch (found->status) {
    case PLAN_OPTIMAL:
    case PLAN_FEASIBLE:
        call->result = checks.sampled                  ? MEMPLAN_SAMPLED
                       : found->status == PLAN_OPTIMAL ? MEMPLAN_OPTIMAL
                                                       : MEMPLAN_FOUND;
        if (checks.sampled)
            snprintf(plan->message, sizeof plan->message, "%s", checks.executed);
        return take_places(call, found);
    case PLAN_INFEASIBLE:
        call->result = MEMPLAN_INFEASIBLE;
        return add_shortage(call, run.time_limit_ns);
    case PLAN_UNSUPPORTED:
        call->result = MEMPLAN_UNSUPPORTED;
        snprintf(plan->message, sizeof plan->message,
                 "%s cannot plan chunks, pins or reserved ranges", planner->name);
        return STATUS_OK;
    default:
        call->result = MEMPLAN_GAVE_UP;
        snprintf(plan->message, sizeof plan->message,
                 "%s found no plan that fits, and no proof that there is none", planner->name);
        return STATUS_OK;
    }
}

static enum status verify_buffers(struct memories_call *call, struct memory_verdict *verdict)
{
    const struct memory_problem *problem = call->file.problem;
    const struct memplan_memories_plan *plan = &call->plan;
    SCOPED(memory_plan_release) struct memory_plan *checked = NULL;
    TRY(memory_plan_create(problem, &checked, &call->error));
    memcpy(checked->memory, plan->memory, call->given.buffers * sizeof *checked->memory);
    memcpy(checked->offset, plan->offset, call->given.buffers * sizeof *checked->offset);
    TRY(verify_memories(problem, checked, verdict, &call->error));
    for (uint32_t b = 0; b < call->given.buffers && verdict->valid && plan->peak_bytes; b++) {
        uint64_t *peak = &plan->peak_bytes[plan->memory[b]];
        uint64_t end = plan->offset[b] + problem->problem->size[b];
        *peak = end > *peak ? end : *peak;
    }
    return STATUS_OK;
}

static enum status verify_tensors(struct memories_call *call, struct memory_verdict *verdict,
                                  bool *sampled)
{
    const struct memory_problem *memories = call->file.problem;
    const struct memplan_memories_plan *plan = &call->plan;
    const struct graph *graph = call->graph.instance.graph;
    const struct memory_rules rules = {memories, call->graph.job.alignment_bytes};
    SCOPED(placement_release) struct placement *placement = NULL;
    TRY(placement_create(graph, &placement, &call->error));
    TRY(inplace_apply(graph, &call->graph.job.inplace, placement, &call->error));
    for (uint32_t t = 0; t < graph->tensors; t++) {
        if (plan->memory[t] == MEMPLAN_NOBODY && plan->offset[t] == MEMPLAN_FREE)
            continue;
        if (plan->memory[t] >= memories->memories || plan->offset[t] >= MEMORY_OFFSET_END) {
            *verdict = (struct memory_verdict){.valid = false};
            snprintf(verdict->text, sizeof verdict->text, "tensor '%s' is in no memory",
                     names_get(&graph->tensor_names, t));
            return STATUS_OK;
        }
        placement->offset[t] = memory_address(plan->memory[t], plan->offset[t]);
    }
    placement->status = PLAN_FEASIBLE;
    TRY(verify_graph_memories(graph, &rules, placement, sampled, verdict, &call->error));
    return plan->peak_bytes && verdict->valid
               ? graph_memories_find_peaks(graph, placement, memories->memories, plan->peak_bytes,
                                           &call->error)
               : STATUS_OK;
}

static enum status verify_places(struct memories_call *call)
{
    struct memory_verdict verdict;
    bool sampled = false;
    TRY(has_graph(call) ? verify_tensors(call, &verdict, &sampled)
                        : verify_buffers(call, &verdict));
    call->result = !verdict.valid ? MEMPLAN_WRONG : sampled ? MEMPLAN_SAMPLED : MEMPLAN_FOUND;
    call->plan.cost = verdict.valid ? verdict.cost : 0;
    if (call->result != MEMPLAN_FOUND)
        snprintf(call->plan.message, sizeof call->plan.message, "%s", verdict.text);
    return STATUS_OK;
}

enum memplan_result memplan_plan_memories(const char *planner,
                                          const struct memplan_memories *memories,
                                          struct memplan_memories_plan *plan)
{
    SCOPED(clear_call)
    struct memories_call call = {.result = MEMPLAN_FAILED, .error = ERROR_NONE};
    enum status status = begin(memories, plan, true, &call);
    if (!status)
        status = plan_memories(planner, &call);
    return API_END(&call, plan, status, plan);
}

enum memplan_result memplan_verify_memories(const struct memplan_memories *memories,
                                            struct memplan_memories_plan *plan)
{
    SCOPED(clear_call)
    struct memories_call call = {.result = MEMPLAN_FAILED, .error = ERROR_NONE};
    enum status status = begin(memories, plan, false, &call);
    if (!status)
        status = verify_places(&call);
    return API_END(&call, plan, status, plan);
}
