#include "harness/family/family_graph.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/graph/value_bytes.h"
#include "planning/verify/paths/paths.h"

/* A tensor that is written over one of another size gets a place of its own again. */
static void part_others(const struct symbolic_sizes *sizes, struct placement *placement)
{
    for (uint32_t t = 0; t < placement->tensors; t++)
        if (placement->overwrites[t] != GRAPH_NONE &&
            !sizes_are_same(sizes, t, placement->overwrites[t])) {
            placement->overwrites[t] = GRAPH_NONE;
            placement->is_view[t] = false;
        }
}

/* The tensors that lie in one buffer. */
struct room {
    const struct instance *instance;
    uint32_t *tensor; /* [count] of different sizes */
    uint32_t count;
};

/* Adds a tensor, unless one of the same size is there already. For the result of an If it adds what
   each branch yields instead, since the result has the bytes of that, and so on to any depth. */
static void add_tensor(struct room *room, uint32_t tensor)
{
    const struct graph *graph = room->instance->graph;
    if (!graph->tensor[tensor].external && graph_is_branch_result(graph, tensor)) {
        const struct graph_operator *op = &graph->op[graph->tensor[tensor].producer];
        uint32_t position = graph_position(graph, op->outputs, tensor);
        for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
            add_tensor(room, graph_yield(graph, r, position));
        return;
    }
    for (uint32_t i = 0; i < room->count; i++)
        if (sizes_are_same(room->instance->tensor_sizes, room->tensor[i], tensor))
            return;
    room->tensor[room->count++] = tensor;
}

/* Several tensors may share the place of one buffer. Returns the one that follows this one there,
   or GRAPH_NONE where it is the last. */
static uint32_t next_in_place(const struct family_graph *family, uint32_t tensor)
{
    return family->made.places ? family->made.places->next[tensor] : GRAPH_NONE;
}

/* Adds the size of a buffer: that of the largest tensor that lies in it. */
static enum status add_size(const struct family_graph *family, uint32_t buffer, struct room *room,
                            struct problem *problem, struct error *error)
{
    const struct level *level = family->made.level;
    const struct symbolic_sizes *sizes = room->instance->tensor_sizes;
    SCOPED(text_free) struct text text = {0};
    uint64_t size;
    room->count = 0;
    for (uint32_t t = level->tensor[buffer]; t != GRAPH_NONE; t = next_in_place(family, t))
        add_tensor(room, t);
    for (uint32_t i = 0; i < room->count; i++) {
        text_append(&text, i + 1 < room->count ? "max(" : "");
        sizes_write(sizes, room->tensor[i], false, &text);
        text_append(&text, i + 1 < room->count ? ", " : "");
    }
    for (uint32_t i = 1; i < room->count; i++)
        text_append(&text, ")");
    TRY(text_check(&text, error));
    TRY(sizes_add(problem->sizes, text.bytes, error));
    if (!sizes_value(problem->sizes, buffer, sizes->greatest, &size) ||
        size != level->problem->size[buffer])
        return error_set(error, STATUS_USAGE,
                         "buffer '%s' of '%s' has other bytes than what lies in it, expected those "
                         "of the largest tensor",
                         names_get(&level->problem->names, buffer), room->instance->name);
    return STATUS_OK;
}

/* Adds a buffer of the level, used whole in all of its segments. */
static enum status add_buffer(struct family_graph *family, uint32_t b, struct problem *problem,
                              struct error *error)
{
    const struct problem *source = family->made.level->problem;
    const struct problem_buffer buffer = {.name = names_get(&source->names, b),
                                          .size = source->size[b],
                                          .alignment = problem_alignment(source, b),
                                          .fixed_offset = PROBLEM_FREE,
                                          .hint = -1};
    TRY(problem_add_buffer(problem, &buffer, error));
    for (uint32_t s = source->first[b], last; s < source->first[b + 1]; s = last + 1) {
        for (last = s;
             last + 1 < source->first[b + 1] && source->lower[last + 1] == source->upper[last];
             last++)
            ;
        for (uint32_t i = s; i <= last; i++)
            family->asks_more |= problem_window_lower(source, i) ||
                                 problem_window_upper(source, i) != source->size[b];
        TRY(problem_add_segment(
            problem,
            (struct problem_segment){source->lower[s], source->upper[last], 0, source->size[b]},
            error));
    }
    return STATUS_OK;
}

static enum status lower(struct family_graph *family, uint64_t alignment_bytes, struct error *error)
{
    const struct instance *instance = family->graph;
    const struct problem *source = family->made.level->problem;
    SCOPED(problem_release) struct problem *problem = NULL;
    SCOPED(memory_release) uint32_t *tensor = NULL;
    struct room room = {.instance = instance};
    if (!source->buffers)
        return error_set(error, STATUS_USAGE, "'%s' has no tensors in the arena", instance->name);
    if (problem_is_by_clocks(source))
        return error_set(error, STATUS_USAGE,
                         "found more than 2^20 pairs of tensors of '%s' that only the order of its "
                         "streams keeps apart, expected fewer, as each becomes a step",
                         instance->name);
    TRY(memory_create(&tensor, instance->graph->tensors, sizeof *tensor, error));
    room.tensor = tensor;
    TRY(problem_create(&problem, instance->name, error));
    for (uint32_t b = 0; b < source->buffers; b++)
        TRY(add_buffer(family, b, problem, error));
    TRY(problem_finish(problem, error));
    TRY(sizes_create_like(instance->tensor_sizes, &problem->sizes, error));
    for (uint32_t b = 0; b < source->buffers; b++)
        TRY(add_size(family, b, &room, problem, error));
    TRY(problem_align(problem, alignment_bytes, error));
    struct problem *given = problem;
    problem = NULL;
    return instance_create(instance->name, NULL, given, &family->lowered, error);
}

enum status family_graph_create(const struct job *job, struct family_graph *made,
                                struct error *error)
{
    const struct instance *instance = job->instance;
    bool has_streams = graph_has_streams(instance->graph);
    const struct policy *policy =
        job->policy ? job->policy : policy_find(has_streams ? "streams" : "flat");
    *made = (struct family_graph){.graph = instance, .policy = policy};
    assert(policy && instance->tensor_sizes);
    const char *reason =
        policy->flags & POLICY_UNSAFE ? "is unsafe at some sizes"
        : !policy->make_level
            ? "plans the inside of blocks first, so that their sizes are peaks of plans"
        : has_streams && !(policy->flags & POLICY_STREAMS) ? "takes several streams for one"
                                                           : NULL;
    if (reason)
        return error_set(error, STATUS_USAGE,
                         "found policy '%s' for a graph whose sizes depend on parameters, expected "
                         "flat, path or select, or one for streams: '%s' %s",
                         policy->name, policy->name, reason);
    TRY(placement_create(instance->graph, &made->placement, error));
    TRY(inplace_apply(instance->graph, &job->inplace, made->placement, error));
    part_others(instance->tensor_sizes, made->placement);
    TRY(policy_level_create(policy, &(struct policy_input){instance->graph, made->placement, 1},
                            &made->made, error));
    made->asks_more = made->made.level->is_cautious ||
                      (policy->flags & POLICY_PATHS && graph_has_control_flow(instance->graph));
    return lower(made, job->alignment_bytes, error);
}

void family_graph_clear(struct family_graph *made)
{
    instance_free(made->lowered);
    policy_level_free(&made->made);
    placement_free(made->placement);
    *made = (struct family_graph){0};
}

/* Gives the tensors of each buffer its offset in the plan. STATUS_INTERNAL where one of them is
   larger than the buffer. */
static enum status place_tensors(const struct family_graph *family, const struct graph *graph,
                                 const struct plan *plan, const uint64_t *size,
                                 struct placement *placement, struct error *error)
{
    const struct level *level = family->made.level;
    SCOPED(memory_release) uint64_t *bytes = NULL;
    TRY(value_bytes_create(graph, &bytes, error));
    for (uint32_t t = 0; t < graph->tensors; t++) {
        placement->overwrites[t] = family->placement->overwrites[t];
        placement->is_view[t] = family->placement->is_view[t];
    }
    for (uint32_t b = 0; b < plan->buffers; b++)
        for (uint32_t t = level->tensor[b]; t != GRAPH_NONE; t = next_in_place(family, t)) {
            if (bytes[t] > size[b])
                return error_set(error, STATUS_INTERNAL,
                                 "tensor '%s' of '%s' is larger than its buffer",
                                 names_get(&graph->tensor_names, t), family->graph->name);
            TRY(placement_take_first(placement, t, bytes[t], (struct plan_buffer){plan, b}, error));
        }
    placement->status = PLAN_FEASIBLE;
    placement->measures.peak_bytes = plan->measures.peak_bytes;
    return placement_share(graph, placement, error);
}

enum status family_graph_execute(const struct family_graph *family,
                                 const struct orientation *orientation, const uint64_t *point,
                                 uint64_t seed, bool *intact, struct error *error)
{
    const struct problem *problem = family->lowered->problem;
    SCOPED(instance_release) struct instance *at = NULL;
    SCOPED(plan_release) struct plan *plan = NULL;
    SCOPED(placement_release) struct placement *placement = NULL;
    SCOPED(graph_release) struct graph *launched = NULL;
    SCOPED(memory_release) uint64_t *size = NULL;
    struct execute_options options = EXECUTE_DEFAULTS;
    struct execution execution;
    struct verdict verdict;
    TRY(memory_create(&size, problem->buffers, sizeof *size, error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (!sizes_value(problem->sizes, b, point, &size[b]))
            return error_set(error, STATUS_USAGE, "a size is above 2^63 - 1 bytes at the point");
    TRY(instance_create_at(family->graph, point, &at, error));
    TRY(plan_create(problem, &plan, error));
    TRY(placement_create(at->graph, &placement, error));
    if (!orientation_place(orientation, problem, size, plan->offset, &plan->measures.peak_bytes))
        return error_set(error, STATUS_USAGE, "the peak is above 2^63 - 1 bytes at the point");
    plan->status = PLAN_FEASIBLE;
    TRY(place_tensors(family, at->graph, plan, size, placement, error));
    if (family->policy->launch)
        TRY(family->policy->launch(at->graph, placement, &launched, error));
    const struct graph *run = launched ? launched : at->graph;
    TRY(verify_paths(run, placement, &verdict, error));
    options.seed = seed;
    TRY(execute_placement(run, placement, &options, &execution, error));
    *intact =
        execution.intact && (verdict.fault == VERIFY_VALID || verdict.fault == VERIFY_SAMPLED);
    return STATUS_OK;
}
