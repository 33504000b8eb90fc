#include "harness/job/pinned.h"

#include <assert.h>
#include <string.h>

#include "core/checked.h"
#include "core/memory.h"
#include "planning/graph/value_bytes.h"

static enum status refuse_bytes(struct error *error)
{
    return error_set(error, STATUS_BAD_INPUT,
                     "with pinned inputs and outputs the sizes add up to more than 2^63 - 1 bytes");
}

/* Pins a tensor. The result of a loop is where its argument is, which is then pinned with it. */
static enum status pin(struct pinned *pinned, uint32_t tensor, struct error *error)
{
    const struct graph *graph = &pinned->graph;
    uint32_t producer = graph->tensor[tensor].producer;
    const struct graph_carried *carried =
        producer == GRAPH_NONE ? NULL : graph_find_carried_result(graph, producer, tensor);
    uint32_t placed = carried ? carried->argument : tensor;
    uint64_t alignment = graph_alignment(graph, tensor), other = graph_alignment(graph, placed);
    if (graph->tensor[tensor].external)
        return STATUS_OK;
    alignment = pinned->job.alignment_bytes ? pinned->job.alignment_bytes
                : alignment < other         ? other
                                            : alignment;
    graph->tensor[tensor].external = graph->tensor[placed].external = true;
    if (!checked_align(pinned->end, alignment, &pinned->offset[placed]) ||
        !checked_add(pinned->offset[placed], graph->tensor[placed].bytes, &pinned->end))
        return refuse_bytes(error);
    pinned->bytes += graph->tensor[placed].bytes;
    return STATUS_OK;
}

enum status pinned_create(const struct job *job, struct pinned *pinned, struct error *error)
{
    const struct graph *from = job->instance->graph;
    *pinned = (struct pinned){.job = *job, .instance = *job->instance, .graph = *from};
    struct graph *graph = &pinned->graph;
    SCOPED(memory_release) uint64_t *bytes = NULL;
    graph->tensor = NULL;
    TRY(value_bytes_create(from, &bytes, error));
    TRY(memory_create(&graph->tensor, graph->tensors, sizeof *graph->tensor, error));
    memcpy(graph->tensor, from->tensor, graph->tensors * sizeof *graph->tensor);
    TRY(memory_create(&pinned->offset, graph->tensors, sizeof *pinned->offset, error));
    for (uint32_t t = 0; t < graph->tensors; t++) {
        graph->tensor[t].bytes = bytes[t];
        pinned->offset[t] = PROBLEM_FREE;
    }
    const struct span lists[] = {graph->inputs, graph->region[0].yields};
    for (int i = 0; i < 2; i++)
        for (uint32_t k = 0; k < lists[i].count; k++)
            TRY(pin(pinned, graph->list[lists[i].first + k], error));
    uint64_t alignment = job->alignment_bytes ? job->alignment_bytes : 1;
    for (uint32_t t = 0; t < graph->tensors && !job->alignment_bytes; t++)
        if (!graph->tensor[t].external && graph_alignment(graph, t) > alignment)
            alignment = graph_alignment(graph, t);
    if (!checked_align(pinned->end, alignment, &pinned->base))
        return refuse_bytes(error);
    pinned->instance.graph = graph;
    pinned->job.instance = &pinned->instance;
    pinned->job.pin_io = false;
    if (job->capacity_bytes != UINT64_MAX)
        pinned->job.capacity_bytes =
            job->capacity_bytes > pinned->base ? job->capacity_bytes - pinned->base : 1;
    return STATUS_OK;
}

void pinned_clear(struct pinned *pinned)
{
    memory_free_all(pinned->graph.tensor, pinned->offset);
}

/* Moves all places of the rest up to the base, and adds the pinned ones. */
static void move_places(const struct pinned *pinned, struct placement *placement)
{
    struct extents *extents = placement->extents;
    for (uint32_t t = 0; t < placement->tensors; t++) {
        if (pinned->offset[t] != PROBLEM_FREE) {
            assert(placement->offset[t] == PROBLEM_FREE);
            placement->offset[t] = pinned->offset[t];
        } else if (placement->offset[t] != PROBLEM_FREE) {
            placement->offset[t] += pinned->base;
        }
    }
    for (uint32_t i = 0; extents && i < extents->count; i++)
        extents->extent[i].offset += pinned->base;
    for (uint32_t o = 0; o < placement->operators; o++)
        if (placement->block_offset[o] != PROBLEM_FREE)
            placement->block_offset[o] += pinned->base;
}

enum status pinned_finish(const struct pinned *pinned, struct placement *placement,
                          struct error *error)
{
    struct measures *measures = &placement->measures;
    uint64_t rest_bytes = measures->peak_bytes, base = pinned->base, sum;
    bool found = plan_status_is_found(placement->status);
    uint64_t most = measures->naive_bytes > rest_bytes ? measures->naive_bytes : rest_bytes;
    most = measures->lower_bound_bytes > most ? measures->lower_bound_bytes : most;
    if (!checked_add(most, base, &sum) || sum > INT64_MAX)
        return refuse_bytes(error);
    /* A rest of no bytes has no place behind the base. */
    bool tight = pinned->bytes == base || !measures->naive_bytes;
    uint64_t load_bytes = pinned->bytes + measures->load_bytes;
    load_bytes = load_bytes < pinned->end ? pinned->end : load_bytes;
    measures->lower_bound_bytes = tight ? pinned->end + measures->lower_bound_bytes : load_bytes;
    measures->load_bytes = load_bytes;
    measures->naive_bytes += pinned->end;
    if (found || rest_bytes)
        measures->peak_bytes = rest_bytes ? base + rest_bytes : pinned->end;
    if (found) {
        move_places(pinned, placement);
        placement->status =
            measures->peak_bytes == measures->lower_bound_bytes ? PLAN_OPTIMAL : PLAN_FEASIBLE;
    } else if (placement->status == PLAN_INFEASIBLE && !tight) {
        placement->status = PLAN_GAVE_UP;
    }
    return STATUS_OK;
}
