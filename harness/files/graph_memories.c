#include "harness/files/graph_memories.h"

#include <inttypes.h>
#include <string.h>

#include "core/memory.h"
#include "datasets/json/document.h"
#include "harness/files/hardware_file.h"
#include "harness/files/hardware_json.h"
#include "harness/job/begin.h"
#include "planning/graph/value_bytes.h"
#include "planning/memories/address.h"
#include "planning/memories/traffic.h"
#include "planning/problem/bounds.h"

/* Reads the memories of a profile, all of which is checked, for the plain problem, which is taken
   over. */
static enum status read_memories(const char *hardware, struct problem *plain,
                                 const struct tensor_traffic *traffic, struct memory_file *file,
                                 struct error *error)
{
    SCOPED(problem_release) struct problem *owned = plain;
    SCOPED(text_free) struct text text = {0};
    SCOPED(json_document_release) struct json_document *document = NULL;
    SCOPED(hardware_clear) struct hardware profile = {.rates_capacity = 0};
    const char *name;
    TRY(hardware_file_text(hardware, &text, &name, error));
    TRY(hardware_json_read(&text, name, &profile, error));
    TRY(json_document_read(&text, name, &document, error));
    owned = NULL;
    return memory_file_read_hardware(document, plain, traffic->read_bytes, traffic->write_bytes,
                                     file, error);
}

enum status graph_memories_read(const char *hardware, struct memory_file *file, struct error *error)
{
    SCOPED(problem_release) struct problem *plain = NULL;
    const struct tensor_traffic none = {.read_bytes = NULL};
    TRY(problem_create(&plain, hardware, error));
    TRY(problem_finish(plain, error));
    struct problem *handed = plain;
    plain = NULL;
    return read_memories(hardware, handed, &none, file, error);
}

static enum status check_policy(const struct job *job, struct error *error)
{
    const struct graph *graph = job->instance->graph;
    const struct policy *policy = job->policy;
    if (policy->flags & POLICY_UNSAFE || policy->launch)
        return error_set(error, STATUS_USAGE,
                         "policy '%s' with several memories, expected one that is safe and leaves "
                         "the graph as it is",
                         policy->name);
    if (graph_has_streams(graph) && !(policy->flags & POLICY_STREAMS))
        return error_set(error, STATUS_USAGE,
                         "'%s' has several streams, which policy '%s' takes for one",
                         job->instance->name, policy->name);
    return STATUS_OK;
}

/* Puts every tensor where the plan of the level has its buffer. */
static enum status place_tensors(struct graph_memories *made, const struct plan *plan,
                                 struct error *error)
{
    struct placement *placement = made->outcome.placement;
    for (uint32_t b = 0; b < plan->buffers; b++)
        TRY(policy_level_take(made->level.places, made->level.level->tensor[b],
                              (struct plan_buffer){plan, b}, placement, error));
    return placement_share(made->job->instance->graph, placement, error);
}

/* The traffic of each buffer is that of the tensors in its place, which are found by placing each
   buffer at its own number. */
static enum status sum_traffic(struct graph_memories *made, struct tensor_traffic *sum,
                               struct error *error)
{
    SCOPED(plan_release) struct plan *numbers = NULL;
    SCOPED(tensor_traffic_free) struct tensor_traffic traffic = {.read_bytes = NULL};
    const struct problem *problem = made->level.level->problem;
    const struct placement *placement = made->outcome.placement;
    TRY(plan_create(problem, &numbers, error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        numbers->offset[b] = b;
    TRY(place_tensors(made, numbers, error));
    TRY(tensor_traffic_create(made->job->instance->graph, placement, &traffic, error));
    TRY(memory_create_all(problem->buffers, error, &sum->read_bytes, &sum->write_bytes));
    for (uint32_t t = 0; t < placement->tensors; t++) {
        uint64_t b = placement->offset[t];
        if (b == PROBLEM_FREE)
            continue;
        if (traffic.read_bytes[t] > INT64_MAX - sum->read_bytes[b] ||
            traffic.write_bytes[t] > INT64_MAX - sum->write_bytes[b])
            return error_set(error, STATUS_BAD_INPUT,
                             "found 2^63 bytes of traffic or more of buffer '%s', expected less",
                             names_get(&problem->names, (uint32_t)b));
        sum->read_bytes[b] += traffic.read_bytes[t];
        sum->write_bytes[b] += traffic.write_bytes[t];
    }
    return STATUS_OK;
}

enum status graph_memories_create(const struct job *job, const char *hardware,
                                  struct graph_memories *made, struct error *error)
{
    SCOPED(tensor_traffic_free) struct tensor_traffic traffic = {.read_bytes = NULL};
    const struct graph *graph = job->instance->graph;
    /* In-place rules are for one line of steps (planning/policies/streams.h). */
    struct job begun = *job;
    if (job->policy->flags & POLICY_STREAMS)
        begun.inplace.rules = NULL;
    made->job = job;
    TRY(check_policy(job, error));
    TRY(job_begin(&begun, &made->outcome, error));
    const struct policy_input input = {graph, made->outcome.placement, job->alignment_bytes};
    TRY(policy_level_create(job->policy, &input, &made->level, error));
    TRY(sum_traffic(made, &traffic, error));
    struct problem *plain = made->level.level->problem;
    made->is_exact = !made->level.level->is_cautious && !problem_is_by_clocks(plain) &&
                     !problem_has_windows(plain) &&
                     !(job->policy->flags & POLICY_PATHS && graph_has_control_flow(graph));
    made->outcome.measures.naive_bytes = problem_naive_bytes(plain);
    TRY(problem_load(plain, &made->outcome.measures.load_bytes, NULL, error));
    made->outcome.measures.lower_bound_bytes =
        made->is_exact ? made->outcome.measures.load_bytes : 0;
    made->level.level->problem = NULL;
    return read_memories(hardware, plain, &traffic, &made->file, error);
}

enum status graph_memories_take(struct graph_memories *made, const struct memory_plan *plan,
                                struct error *error)
{
    const struct problem *problem = made->file.problem->problem;
    SCOPED(plan_release) struct plan *addresses = NULL;
    TRY(plan_create(problem, &addresses, error));
    for (uint32_t b = 0; b < plan->buffers; b++) {
        if (problem->size[b] >= MEMORY_OFFSET_END ||
            plan->offset[b] >= MEMORY_OFFSET_END - problem->size[b])
            return error_set(error, STATUS_BAD_INPUT,
                             "found buffer '%s' at %" PRIu64 ", expected places below 2^%d",
                             names_get(&problem->names, b), plan->offset[b], MEMORY_ADDRESS_BITS);
        addresses->offset[b] = memory_address(plan->memory[b], plan->offset[b]);
    }
    TRY(place_tensors(made, addresses, error));
    made->outcome.status = made->outcome.placement->status = plan->status;
    made->outcome.measures.peak_bytes = memory_plan_peaks(plan);
    made->outcome.placement->measures = made->outcome.measures;
    made->outcome.buffers = plan->buffers;
    made->outcome.memories = made->file.problem;
    return STATUS_OK;
}

void graph_memories_take_back(struct memory_plan *plan)
{
    plan->cost_bound = 0;
    if (plan->status == PLAN_OPTIMAL)
        plan->status = PLAN_FEASIBLE;
    if (plan->status == PLAN_INFEASIBLE)
        plan->status = PLAN_GAVE_UP;
}

void graph_memories_clear(struct graph_memories *made)
{
    outcome_clear(&made->outcome);
    policy_level_free(&made->level);
    memory_file_clear(&made->file);
    *made = (struct graph_memories){.job = NULL};
}

enum status graph_memories_find_peaks(const struct graph *graph, const struct placement *placement,
                                      uint32_t memories, uint64_t *peak, struct error *error)
{
    SCOPED(memory_release) uint64_t *bytes = NULL;
    TRY(value_bytes_create(graph, &bytes, error));
    memset(peak, 0, memories * sizeof *peak);
    for (uint32_t t = 0; t < graph->tensors; t++) {
        uint64_t address = placement->offset[t];
        if (address == PROBLEM_FREE || memory_of_address(address) >= memories)
            continue;
        uint64_t *end = &peak[memory_of_address(address)];
        uint64_t own = memory_offset_of_address(address) + bytes[t];
        *end = own > *end ? own : *end;
    }
    return STATUS_OK;
}
