#include "planning/policies/stream_line.h"

#include "core/memory.h"
#include "planning/graph/value_bytes.h"

enum status stream_line_create(const struct graph *graph, struct liveness **liveness,
                               struct error *error)
{
    bool *has_place;
    TRY(memory_create(&has_place, graph->tensors, sizeof *has_place, error));
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *op = &graph->op[o];
        bool branches = op->first_region != GRAPH_NONE && !op->loop;
        for (uint32_t i = 0; branches && i < op->outputs.count; i++)
            has_place[graph->list[op->outputs.first + i]] = true;
    }
    enum status status = liveness_create_placed(graph, has_place, liveness, error);
    memory_free(has_place);
    if (!status)
        status = value_bytes_create(graph, &(*liveness)->place_bytes, error);
    return status;
}

enum status stream_line_level(const struct policy_input *input, struct policy_level *made,
                              struct error *error)
{
    return level_create_flat(
        &(struct level_source){input->graph, made->liveness, input->alignment_bytes}, &made->level,
        error);
}

static void forget_overwrites(struct placement *placement)
{
    for (uint32_t t = 0; t < placement->tensors; t++) {
        placement->overwrites[t] = GRAPH_NONE;
        placement->is_view[t] = false;
    }
}

enum status stream_line_place(const struct policy *policy, const struct graph *graph,
                              const struct level_planner *planner, struct placement *placement,
                              struct error *error)
{
    forget_overwrites(placement);
    return policy_level_place(policy, graph, planner, placement, error);
}
