#include "planning/policies/streams.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/graph/value_bytes.h"
#include "planning/liveness/stream_lifetimes.h"
#include "planning/lowering/stream_level.h"

/* Lifetimes as on one stream, where every result of an If has a place of its own. */
static enum status create_line(const struct graph *graph, struct liveness **liveness,
                               struct error *error)
{
    SCOPED(memory_release) bool *has_place = NULL;
    TRY(memory_create(&has_place, graph->tensors, sizeof *has_place, error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        has_place[t] = graph_is_branch_result(graph, t);
    TRY(liveness_create_placed(graph, has_place, liveness, error));
    return value_bytes_create(graph, &(*liveness)->place_bytes, error);
}

enum status streams_make_level(const struct policy *policy, const struct policy_input *input,
                               struct policy_level *made, struct error *error)
{
    return stream_level_create(
        &(struct stream_level_source){.graph = input->graph,
                                      .alignment_bytes = input->alignment_bytes,
                                      .pool_per_stream = policy->pool_per_stream},
        &made->level, error);
}

enum status streams_make_list(const struct policy *policy, const struct policy_input *input,
                              struct policy_level *made, struct error *error)
{
    TRY(create_line(input->graph, &made->liveness, error));
    if (!policy->lag)
        return policy_level_make_line(input, made, error);
    for (uint32_t t = 0; t < input->graph->tensors; t++)
        made->liveness->upper[t] += policy->lag;
    return stream_level_create(
        &(struct stream_level_source){.graph = input->graph,
                                      .alignment_bytes = input->alignment_bytes,
                                      .line = made->liveness},
        &made->level, error);
}

/* The step starts only when all uses of the tensor have ended. */
static bool is_after_uses(const struct stream_lifetimes *lifetimes, uint32_t tensor, uint32_t step)
{
    const struct happens_before *order = lifetimes->order;
    assert(step < order->steps);
    for (uint32_t s = 0; s < order->streams; s++)
        if (lifetimes->end[(size_t)tensor * order->streams + s] >
            order->clock[(size_t)step * order->streams + s])
            return false;
    return true;
}

enum status streams_make_intervals(const struct policy *policy, const struct policy_input *input,
                                   struct policy_level *made, struct error *error)
{
    (void)policy;
    SCOPED(stream_lifetimes_release) struct stream_lifetimes *lifetimes = NULL;
    TRY(stream_lifetimes_create(input->graph, NULL, &lifetimes, error));
    TRY(create_line(input->graph, &made->liveness, error));
    for (uint32_t t = 0; t < input->graph->tensors; t++) {
        const struct liveness *liveness = made->liveness;
        uint32_t upper = lifetimes->order->steps;
        if (liveness->lower[t] == liveness->upper[t] || lifetimes->place[t] != t)
            continue;
        assert(liveness->upper[t] <= upper);
        while (upper > liveness->upper[t] && is_after_uses(lifetimes, t, upper - 1))
            upper--;
        liveness->upper[t] = upper;
    }
    return policy_level_make_line(input, made, error);
}

enum status streams_place(const struct policy *policy, const struct graph *graph,
                          const struct level_planner *planner, struct placement *placement,
                          struct error *error)
{
    for (uint32_t t = 0; t < placement->tensors; t++) {
        placement->overwrites[t] = GRAPH_NONE;
        placement->is_view[t] = false;
    }
    return policy_level_place(policy, graph, planner, placement, error);
}
