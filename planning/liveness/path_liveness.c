#include "planning/liveness/path_liveness.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/liveness/path_builder.h"

/* Adds the intervals of an output, unless it is outside the arena. */
static enum status add_output(struct path_builder *builder, uint32_t o, uint32_t output,
                              uint32_t from, uint32_t upper)
{
    if (builder->graph->tensor[output].external)
        return STATUS_OK;
    return path_add_intervals(builder, output, builder->graph->op[o].region, from, upper);
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

/* Those of an operator with branches have intervals of their own where they have places; those of a
   loop are written from the step that enters it. */
static enum status add_outputs(struct path_builder *builder, uint32_t o)
{
    const struct graph *graph = builder->graph;
    const struct graph_operator *op = &graph->op[o];
    const struct result_places *places = builder->places;
    uint32_t enter = builder->liveness->enter_step[o], leave = builder->liveness->leave_step[o];
    bool branches = graph_has_branches(graph, o);
    for (uint32_t c = op->carried.first; c < op->carried.first + op->carried.count; c++)
        TRY(add_argument(builder, o, graph->carried[c].argument));
    for (uint32_t i = 0; i < op->outputs.count; i++) {
        uint32_t output = graph->list[op->outputs.first + i];
        if (branches ? !(places && places->has_place[output])
                     : graph_find_carried_result(graph, o, output) != NULL)
            continue;
        TRY(add_output(builder, o, output, branches ? leave : enter, leave + 1));
    }
    return STATUS_OK;
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

enum status path_liveness_create(const struct graph *graph, const struct liveness *liveness,
                                 const struct result_places *places, struct path_liveness **created,
                                 struct error *error)
{
    struct path_builder builder = {
        .graph = graph, .liveness = liveness, .places = places, .error = error};
    uint64_t most = (uint64_t)PATH_MOST_INTERVALS * ((uint64_t)graph->tensors + graph->listed);
    enum status status;
    builder.most_needs = most < UINT32_MAX / 2 ? (uint32_t)most : UINT32_MAX / 2;
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
