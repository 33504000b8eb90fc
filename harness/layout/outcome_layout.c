#include "harness/layout/outcome_layout.h"

#include <assert.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"
#include "planning/liveness/path_liveness.h"
#include "planning/liveness/sharing.h"

COMPARE_MEMBERS(compare_intervals, struct path_interval, tensor, lower)

/* Whether results of Ifs have places of their own, as under policy path but not under policy
   select. Where no result needs one, both policies give the same. */
static bool has_results(const struct graph *graph, const struct placement *placement)
{
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *op = &graph->op[o];
        for (uint32_t i = 0; i < op->outputs.count; i++)
            if (op->first_region != GRAPH_NONE && !op->loop &&
                placement->offset[graph->list[op->outputs.first + i]] != PROBLEM_FREE)
                return true;
    }
    return false;
}

enum status outcome_layout_add_paths(const struct graph *graph, const struct placement *placement,
                                     struct layout *layout, struct error *error)
{
    SCOPED(result_places_release) struct result_places *places = NULL;
    SCOPED(liveness_release) struct liveness *liveness = NULL;
    SCOPED(path_liveness_release) struct path_liveness *paths = NULL;
    if (has_results(graph, placement)) {
        TRY(result_places_create(graph, placement, NULL, &places, error));
        TRY(liveness_create_in_places(graph, placement, places, &liveness, error));
    } else {
        TRY(liveness_create_shared(graph, placement, &liveness, error));
    }
    TRY(path_liveness_create(graph, liveness, places, &paths, error));
    if (paths->intervals)
        qsort(paths->interval, paths->intervals, sizeof *paths->interval, compare_intervals);
    const struct path_interval *interval = paths->interval, *end = interval + paths->intervals;
    while (interval < end) {
        uint32_t tensor = interval->tensor, lower = interval->lower, upper = interval->upper;
        /* The needs of one tensor that continue without a hole are one rectangle. */
        for (; interval < end && interval->tensor == tensor && interval->lower <= upper; interval++)
            if (interval->upper > upper)
                upper = interval->upper;
        const struct layout_rectangle rectangle = {.label = names_get(&graph->tensor_names, tensor),
                                                   .item = tensor,
                                                   .lower = lower,
                                                   .upper = upper,
                                                   .group = layout_region(graph, tensor)};
        if (placement->offset[tensor] != PROBLEM_FREE)
            TRY(layout_add_extents(layout, rectangle,
                                   placement_begin(placement, tensor, graph->tensor[tensor].bytes),
                                   error));
    }
    layout->overlaps = true;
    return STATUS_OK;
}

/* The plan of a problem, whose buffers become rectangles. */
struct buffers {
    const struct problem *problem;
    const struct plan *plan;
    struct layout *layout;
};

static enum status add_segment(const struct buffers *buffers, uint32_t segment,
                               struct layout_rectangle rectangle, struct error *error)
{
    const struct problem *problem = buffers->problem;
    rectangle.label = names_get(&problem->names, rectangle.item);
    return layout_add_extents(buffers->layout, rectangle,
                              plan_begin(buffers->plan, rectangle.item,
                                         problem_window_lower(problem, segment),
                                         problem_window_upper(problem, segment)),
                              error);
}

/* Adds the buffers that are live at conflict steps alone. column[s] becomes the number of conflict
   steps before line_end + s at which such buffers are live: where they are drawn. */
static enum status add_timeless(const struct buffers *buffers, struct error *error)
{
    const struct problem *problem = buffers->problem;
    uint32_t end = problem->line_end, used = 0;
    uint32_t steps = problem_steps(problem) - problem_line_steps(problem);
    SCOPED(memory_release) uint32_t *column = NULL;
    if (!steps)
        return STATUS_OK;
    TRY(memory_create(&column, (size_t)steps + 1, sizeof *column, error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (problem_lower(problem, b) >= end)
            for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++)
                for (uint32_t step = problem->lower[s]; step < problem->upper[s]; step++)
                    column[step - end] = 1;
    for (uint32_t s = 0; s <= steps; s++) {
        uint32_t taken = column[s];
        column[s] = used;
        used += taken;
    }
    for (uint32_t b = 0; b < problem->buffers; b++) {
        if (problem_lower(problem, b) < end)
            continue;
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++) {
            const struct layout_rectangle rectangle = {
                .item = b,
                .lower = end + column[problem->lower[s] - end],
                .upper = end + column[problem->upper[s] - end],
                .timeless = true};
            TRY(add_segment(buffers, s, rectangle, error));
        }
    }
    return STATUS_OK;
}

static enum status add_buffers(const struct buffers *buffers, struct error *error)
{
    const struct problem *problem = buffers->problem;
    uint32_t end = problem->line_end;
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++) {
            const struct layout_rectangle rectangle = {
                .item = b,
                .lower = problem->lower[s],
                .upper = problem->upper[s] < end ? problem->upper[s] : end};
            if (rectangle.lower < end)
                TRY(add_segment(buffers, s, rectangle, error));
        }
    return add_timeless(buffers, error);
}

/* The placement of a graph, whose tensors become rectangles. */
struct tensors {
    const struct graph *graph;
    const struct placement *placement;
    const struct liveness *liveness;
    struct layout *layout;
};

/* Whether the operator's regions use the same bytes, which they may since they exclude each other:
   the bytes of its block, or those of its results. */
static bool shares_bytes(const struct graph *graph, const struct placement *placement, uint32_t o)
{
    struct span outputs = graph->op[o].outputs;
    if (placement->block_offset[o] != PROBLEM_FREE)
        return true;
    for (uint32_t i = 0; i < outputs.count && !graph->op[o].loop; i++)
        if (placement->offset[graph->list[outputs.first + i]] != PROBLEM_FREE)
            return true;
    return false;
}

/* Whether the region yields the tensor as a result that has the same place. The tensor's rectangle
   then ends with the region, and the result's goes on from the step that leaves the operator. */
static bool becomes_result(const struct graph *graph, const struct placement *placement,
                           uint32_t region, uint32_t tensor)
{
    struct span yields = graph->region[region].yields;
    if (region == 0 || graph->op[graph->region[region].owner].loop)
        return false;
    const uint32_t *result = graph->list + graph->op[graph->region[region].owner].outputs.first;
    for (uint32_t i = 0; i < yields.count; i++)
        if (graph->list[yields.first + i] == tensor &&
            placement->offset[result[i]] == placement->offset[tensor])
            return true;
    return false;
}

/* Adds the rectangles of a tensor. If a branch shares its bytes with other branches, their steps
   follow it on the line of steps although they are not run on its paths, so the rectangle leaves
   them out. For each region around the tensor these are the steps from its end to the step that
   leaves its operator. */
static enum status add_tensor(const struct tensors *tensors, struct layout_rectangle rectangle,
                              struct error *error)
{
    const struct graph *graph = tensors->graph;
    const uint32_t *region_end = tensors->liveness->region_end;
    const struct extents_walk extents =
        placement_begin(tensors->placement, rectangle.item, graph->tensor[rectangle.item].bytes);
    uint32_t upper = rectangle.upper;
    if (becomes_result(graph, tensors->placement, rectangle.group, rectangle.item))
        upper = region_end[rectangle.group];
    for (uint32_t r = rectangle.group; r != 0; r = graph->op[graph->region[r].owner].region) {
        uint32_t owner = graph->region[r].owner;
        if (!shares_bytes(graph, tensors->placement, owner) || upper <= region_end[r])
            continue;
        rectangle.upper = region_end[r];
        TRY(layout_add_extents(tensors->layout, rectangle, extents, error));
        rectangle.lower = tensors->liveness->leave_step[owner];
    }
    rectangle.upper = upper;
    return rectangle.lower < upper ? layout_add_extents(tensors->layout, rectangle, extents, error)
                                   : STATUS_OK;
}

/* Where the rectangle of a tensor ends. Of several tensors in one place only one has a rectangle at
   each step: from the step that writes it to the step that writes the next one; the last until all
   of them have been read. */
static uint32_t find_upper(const struct liveness *liveness, uint32_t tensor)
{
    uint32_t upper = liveness->upper[tensor];
    if (!liveness->root)
        return upper;
    if (liveness->next[tensor] != GRAPH_NONE)
        return liveness->lower[liveness->next[tensor]];
    for (uint32_t t = liveness->root[tensor]; t != GRAPH_NONE; t = liveness->next[t])
        if (liveness->upper[t] > upper)
            upper = liveness->upper[t];
    return upper;
}

static enum status add_graph(const struct tensors *tensors, struct error *error)
{
    const struct graph *graph = tensors->graph;
    const struct placement *placement = tensors->placement;
    const struct liveness *liveness = tensors->liveness;
    for (uint32_t t = 0; t < graph->tensors; t++) {
        const struct layout_rectangle rectangle = {.label = names_get(&graph->tensor_names, t),
                                                   .item = t,
                                                   .lower = liveness->lower[t],
                                                   .upper = find_upper(liveness, t),
                                                   .group = layout_region(graph, t)};
        if (placement->offset[t] != PROBLEM_FREE && rectangle.lower < rectangle.upper)
            TRY(add_tensor(tensors, rectangle, error));
    }
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct layout_rectangle rectangle = {.label = graph_label(graph, graph->op[o].name),
                                                   .item = o,
                                                   .lower = liveness->enter_step[o],
                                                   .upper = liveness->block_upper[o],
                                                   .offset = placement->block_offset[o],
                                                   .size = placement->block_bytes[o],
                                                   .group = graph->op[o].region,
                                                   .block = true};
        if (placement->block_offset[o] == PROBLEM_FREE)
            continue;
        TRY(layout_add(tensors->layout, rectangle, error));
        tensors->layout->overlaps = true;
    }
    return STATUS_OK;
}

enum status outcome_layout_fill(const struct job *job, const struct outcome *outcome,
                                struct layout *layout, struct error *error)
{
    const struct graph *graph = job->instance->graph;
    const struct placement *placement = outcome->placement;
    SCOPED(liveness_release) struct liveness *liveness = NULL;
    assert(outcome_found(outcome));
    if (outcome->plan)
        return add_buffers(&(struct buffers){job->instance->problem, outcome->plan, layout}, error);
    if (job->policy->flags & POLICY_PATHS)
        return outcome_layout_add_paths(graph, placement, layout, error);
    TRY(liveness_create_shared(graph, placement, &liveness, error));
    return add_graph(&(struct tensors){graph, placement, liveness, layout}, error);
}
