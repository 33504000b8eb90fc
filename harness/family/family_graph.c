#include "harness/family/family_graph.h"

#include <assert.h>

#include "core/memory.h"
#include "harness/files/plan_buffers.h"
#include "planning/execute/execute.h"
#include "planning/lowering/level.h"
#include "planning/problem/copy.h"

enum status family_graph_lower(const struct instance *graph, struct instance **lowered,
                               struct error *error)
{
    SCOPED(plan_buffers_clear) struct plan_buffers flat = {.instance = NULL};
    SCOPED(memory_release) uint32_t *all = NULL;
    SCOPED(problem_release) struct problem *problem = NULL;
    assert(graph->graph && graph->tensor_sizes);
    TRY(plan_buffers_create(graph, NULL, &flat, error));
    uint32_t buffers = flat.problem->buffers;
    if (!buffers)
        return error_set(error, STATUS_USAGE, "'%s' has no tensors in the arena", graph->name);
    TRY(memory_create(&all, buffers, sizeof *all, error));
    for (uint32_t b = 0; b < buffers; b++)
        all[b] = b;
    TRY(problem_copy_part(flat.problem, graph->name, all, buffers, &problem, error));
    TRY(sizes_create_like(graph->tensor_sizes, &problem->sizes, error));
    for (uint32_t b = 0; b < buffers; b++) {
        uint64_t size;
        TRY(sizes_add_copy(problem->sizes, graph->tensor_sizes, flat.level->tensor[b], error));
        if (!sizes_value(problem->sizes, b, problem->sizes->greatest, &size) ||
            size != problem->size[b])
            return error_set(error, STATUS_USAGE,
                             "buffer '%s' of '%s' has other bytes than its tensor, expected one "
                             "tensor in each buffer",
                             names_get(&problem->names, b), graph->name);
    }
    struct problem *given = problem;
    problem = NULL;
    return instance_create(graph->name, NULL, given, lowered, error);
}

enum status family_graph_execute(const struct family_graph_run *run, const uint64_t *point,
                                 bool *intact, struct error *error)
{
    SCOPED(instance_release) struct instance *at = NULL;
    SCOPED(plan_buffers_clear) struct plan_buffers flat = {.instance = NULL};
    SCOPED(plan_release) struct plan *plan = NULL;
    SCOPED(placement_release) struct placement *placement = NULL;
    struct execute_options options = EXECUTE_DEFAULTS;
    struct execution execution;
    TRY(instance_create_at(run->graph, point, &at, error));
    TRY(plan_buffers_create(at, NULL, &flat, error));
    TRY(plan_create(flat.problem, &plan, error));
    TRY(placement_create(at->graph, &placement, error));
    bool fits = flat.problem->buffers == run->lowered->buffers &&
                orientation_place(run->orientation, flat.problem, flat.problem->size, plan->offset,
                                  &plan->measures.peak_bytes);
    if (!fits)
        return error_set(error, STATUS_INTERNAL, "'%s' has other buffers at another point",
                         run->graph->name);
    plan->status = PLAN_FEASIBLE;
    TRY(plan_buffers_to_placement(&flat, plan, placement, error));
    options.seed = run->seed;
    TRY(execute_placement(at->graph, placement, &options, &execution, error));
    *intact = execution.intact;
    return STATUS_OK;
}
