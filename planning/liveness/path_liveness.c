#include "planning/liveness/path_liveness.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/liveness/path_builder.h"

/* Goes through the program twice: to count the uses of each tensor, and to list them. */
struct collector {
    const struct path_builder *builder;
    uint32_t *place; /* [tensors] where the next use is listed; NULL while counting */
};

static void add_use(struct collector *collector, uint32_t tensor, uint32_t region, uint32_t upper)
{
    const struct path_uses *uses = &collector->builder->uses;
    assert(tensor < collector->builder->graph->tensors);
    assert(upper <= collector->builder->liveness->steps);
    if (collector->place)
        uses->use[collector->place[tensor]++] = (struct path_use){region, upper};
    else
        uses->first[tensor + 1]++;
}

static void add_all(struct collector *collector, struct span tensors, uint32_t region,
                    uint32_t upper)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        add_use(collector, collector->builder->graph->list[tensors.first + i], region, upper);
}

static void walk_region(struct collector *collector, uint32_t region)
{
    const struct graph *graph = collector->builder->graph;
    const struct liveness *liveness = collector->builder->liveness;
    const struct graph_region *walked = &graph->region[region];
    assert(region < graph->regions && walked->begin <= walked->end);
    for (uint32_t o = walked->begin; o < walked->end; o = graph->op[o].end) {
        const struct graph_operator *op = &graph->op[o];
        const struct graph_carried *carried = graph->carried + op->carried.first;
        uint32_t enter = liveness->enter_step[o], leave = liveness->leave_step[o];
        for (uint32_t c = 0; c < op->carried.count; c++)
            add_use(collector, carried[c].init, op->region, enter);
        add_all(collector, op->inputs, op->region, enter + 1);
        for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
            walk_region(collector, r);
        for (uint32_t c = 0; c < op->carried.count; c++)
            add_use(collector, carried[c].yield, op->last_region, leave);
        for (uint32_t r = op->first_region; r != GRAPH_NONE && op->loop; r = graph->region[r].next)
            add_all(collector, graph->region[r].yields, r, leave + 1);
    }
    if (walked->owner == GRAPH_NONE || !graph->op[walked->owner].loop)
        add_all(collector, walked->yields, region, liveness->region_end[region]);
}

static enum status list_uses(struct path_builder *builder)
{
    struct collector collector = {builder, NULL};
    struct path_uses *uses = &builder->uses;
    uint32_t tensors = builder->graph->tensors, *place;
    struct error *error = builder->error;
    TRY(scratch_take(&builder->memory, &uses->first, (size_t)tensors + 1, sizeof(uint32_t), error));
    TRY(scratch_take(&builder->memory, &place, tensors, sizeof *place, error));
    walk_region(&collector, 0);
    for (uint32_t t = 0; t < tensors; t++) {
        uses->first[t + 1] += uses->first[t];
        place[t] = uses->first[t];
        assert(uses->first[t] <= uses->first[t + 1]);
    }
    TRY(scratch_take(&builder->memory, &uses->use, uses->first[tensors], sizeof *uses->use, error));
    collector.place = place;
    walk_region(&collector, 0);
    assert(tensors == 0 || place[tensors - 1] == uses->first[tensors]);
    return STATUS_OK;
}

/* A carried argument is live at the step that enters the loop, then until a turn has read it for
   the last time, and at the step that leaves the loop, when it gets the value for the next turn. */
static enum status add_argument(struct path_builder *builder, uint32_t o, uint32_t argument)
{
    uint32_t first = builder->paths->intervals;
    uint32_t enter = builder->liveness->enter_step[o], leave = builder->liveness->leave_step[o];
    assert(enter < leave);
    if (builder->graph->tensor[argument].external)
        return STATUS_OK;
    TRY(path_add_always(builder, argument, enter, enter + 1));
    TRY(path_add_turn(builder, argument, o));
    TRY(path_add_always(builder, argument, leave, leave + 1));
    return path_add_needs(builder, argument, first);
}

static enum status fill_intervals(struct path_builder *builder)
{
    const struct graph *graph = builder->graph;
    const bool *has_place = builder->places ? builder->places->has_place : NULL;
    assert(builder->paths->intervals == 0);
    for (uint32_t i = 0; i < graph->inputs.count; i++) {
        uint32_t input = graph->list[graph->inputs.first + i];
        if (!graph->tensor[input].external)
            TRY(path_add_intervals(builder, input, 0, 0, 0));
    }
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *op = &graph->op[o];
        uint32_t enter = builder->liveness->enter_step[o], leave = builder->liveness->leave_step[o];
        for (uint32_t c = op->carried.first; c < op->carried.first + op->carried.count; c++)
            TRY(add_argument(builder, o, graph->carried[c].argument));
        /* Results of Ifs have intervals of their own where they have places; outputs of a loop are
           written from the step that enters it. */
        bool branches = graph_has_branches(graph, o);
        for (uint32_t i = 0; i < op->outputs.count; i++) {
            uint32_t output = graph->list[op->outputs.first + i];
            bool elsewhere = branches ? !(has_place && has_place[output])
                                      : graph_find_carried_result(graph, o, output) != NULL;
            if (!elsewhere && !graph->tensor[output].external)
                TRY(path_add_intervals(builder, output, op->region, branches ? leave : enter,
                                       leave + 1));
        }
    }
    return STATUS_OK;
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
    TRY_OR_DONE(status, list_uses(&builder));
    TRY_OR_DONE(status, scratch_take(&builder.memory, &builder.first_need, graph->tensors,
                                     sizeof *builder.first_need, error));
    TRY_OR_DONE(status, path_pass_results(&builder));
    TRY_OR_DONE(status, fill_intervals(&builder));
    TRY_OR_DONE(status, path_add_clashes(&builder));
    *created = builder.paths;
done:
    scratch_free(&builder.memory);
    memory_free(builder.need);
    if (status)
        path_liveness_free(builder.paths);
    return status;
}

void path_liveness_free(struct path_liveness *paths)
{
    if (!paths)
        return;
    memory_free_all(paths->condition, paths->interval, paths->clash, paths);
}
