#include "planning/liveness/path_liveness.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/liveness/path_intervals.h"
#include "planning/liveness/path_moves.h"
#include "planning/liveness/path_results.h"
#include "planning/liveness/path_uses.h"

static enum status add_plain_outputs(struct path_builder *builder, uint32_t o)
{
    const struct graph *graph = builder->graph;
    const struct graph_operator *plain = &graph->op[o];
    uint32_t step = builder->liveness->enter_step[o];
    assert(plain->first_region == GRAPH_NONE);
    for (uint32_t i = 0; i < plain->outputs.count; i++) {
        uint32_t output = graph->list[plain->outputs.first + i];
        if (!graph->tensor[output].external)
            TRY(path_add_intervals(builder, output, plain->region, step, step + 1));
    }
    return STATUS_OK;
}

static enum status add_branch_results(struct path_builder *builder, uint32_t o)
{
    const struct graph *graph = builder->graph;
    const struct graph_operator *branching = &graph->op[o];
    uint32_t leave = builder->liveness->leave_step[o];
    assert(branching->first_region != GRAPH_NONE && !branching->loop);
    for (uint32_t i = 0; i < branching->outputs.count && builder->places; i++) {
        uint32_t result = graph->list[branching->outputs.first + i];
        if (builder->places->has_place[result])
            TRY(path_add_intervals(builder, result, branching->region, leave, leave + 1));
    }
    return STATUS_OK;
}

/* A carried argument is live at the step that enters the loop, then as far as a turn reads it, and
   at the step that leaves the loop, when it gets the value for the next turn. */
static enum status add_argument(struct path_builder *builder, uint32_t o, uint32_t argument)
{
    const struct liveness *liveness = builder->liveness;
    uint32_t first = builder->paths->intervals;
    assert(liveness->enter_step[o] < liveness->leave_step[o]);
    if (builder->graph->tensor[argument].external)
        return STATUS_OK;
    TRY(path_add_always(builder, argument, liveness->enter_step[o], liveness->enter_step[o] + 1));
    TRY(path_add_turn(builder, argument, o));
    TRY(path_add_always(builder, argument, liveness->leave_step[o], liveness->leave_step[o] + 1));
    return path_add_needs(builder, argument, first);
}

static bool is_carried_result(const struct graph *graph, uint32_t o, uint32_t tensor)
{
    struct span carried = graph->op[o].carried;
    for (uint32_t c = 0; c < carried.count; c++)
        if (graph->carried[carried.first + c].result == tensor)
            return true;
    return false;
}

static enum status add_loop_results(struct path_builder *builder, uint32_t o)
{
    const struct graph *graph = builder->graph;
    const struct graph_operator *loop = &graph->op[o];
    const struct liveness *liveness = builder->liveness;
    assert(loop->loop);
    for (uint32_t c = 0; c < loop->carried.count; c++)
        TRY(add_argument(builder, o, graph->carried[loop->carried.first + c].argument));
    for (uint32_t i = 0; i < loop->outputs.count; i++) {
        uint32_t output = graph->list[loop->outputs.first + i];
        if (!graph->tensor[output].external && !is_carried_result(graph, o, output))
            TRY(path_add_intervals(builder, output, loop->region, liveness->enter_step[o],
                                   liveness->leave_step[o] + 1));
    }
    return STATUS_OK;
}

static enum status add_outputs(struct path_builder *builder, uint32_t o)
{
    const struct graph_operator *producer = &builder->graph->op[o];
    if (producer->first_region == GRAPH_NONE)
        return add_plain_outputs(builder, o);
    return producer->loop ? add_loop_results(builder, o) : add_branch_results(builder, o);
}

static enum status fill_intervals(struct path_builder *builder)
{
    const struct graph *graph = builder->graph;
    TRY(path_pass_results(builder));
    assert(builder->paths->intervals == 0);
    for (uint32_t i = 0; i < graph->inputs.count; i++) {
        uint32_t input = graph->list[graph->inputs.first + i];
        if (!graph->tensor[input].external)
            TRY(path_add_intervals(builder, input, 0, 0, 0));
    }
    for (uint32_t o = 0; o < graph->operators; o++)
        TRY(add_outputs(builder, o));
    return path_add_clashes(builder);
}

static uint32_t find_most_needs(const struct graph *graph)
{
    uint64_t most = (uint64_t)PATH_MOST_INTERVALS * ((uint64_t)graph->tensors + graph->listed);
    return most < UINT32_MAX / 2 ? (uint32_t)most : UINT32_MAX / 2;
}

enum status path_liveness_create(const struct graph *graph, const struct liveness *liveness,
                                 const struct result_places *places, struct path_liveness **created,
                                 struct error *error)
{
    struct path_builder builder = {.graph = graph,
                                   .liveness = liveness,
                                   .places = places,
                                   .most_needs = find_most_needs(graph),
                                   .error = error};
    enum status status;
    TRY(memory_create(&builder.paths, 1, sizeof *builder.paths, error));
    builder.paths->graph = graph;
    builder.paths->steps = liveness->steps;
    TRY_OR_DONE(status, path_uses_create(&builder.uses, graph, liveness, error));
    TRY_OR_DONE(status, memory_create(&builder.first_need, graph->tensors,
                                      sizeof *builder.first_need, error));
    TRY_OR_DONE(status, fill_intervals(&builder));
    *created = builder.paths;
done:
    path_uses_free(&builder.uses);
    memory_free(builder.need);
    memory_free(builder.first_need);
    if (status)
        path_liveness_free(builder.paths);
    return status;
}

void path_liveness_free(struct path_liveness *paths)
{
    if (!paths)
        return;
    memory_free(paths->condition);
    memory_free(paths->interval);
    memory_free(paths->clash);
    memory_free(paths);
}
