#include "planning/policies/streams.h"

#include <assert.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"
#include "planning/graph/add_waits.h"
#include "planning/graph/happens_before.h"
#include "planning/graph/predecessors.h"
#include "planning/graph/value_bytes.h"
#include "planning/liveness/stream_lifetimes.h"
#include "planning/lowering/stream_level.h"

/* Makes lifetimes as if there were one stream; every result of an If has a place of its own. */
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
    assert(placement->tensors == graph->tensors);
    for (uint32_t t = 0; t < placement->tensors; t++) {
        placement->overwrites[t] = GRAPH_NONE;
        placement->is_view[t] = false;
    }
    return policy_level_place(policy, graph, planner, placement, error);
}

struct wave {
    uint32_t region, number, op;
};

struct barriers {
    const struct graph *graph;
    struct happens_before *order;
    struct wave *wave; /* [operators] wave by wave */
    struct graph_wait *wait;
    size_t waits, capacity;
    struct error *error;
};

COMPARE_MEMBERS(compare_waves, struct wave, region, number, op)

static enum status find_waves(struct barriers *barriers)
{
    const struct graph *graph = barriers->graph;
    SCOPED(groups_free) struct groups predecessors = {0};
    TRY(happens_before_create(graph, NULL, &barriers->order, barriers->error));
    TRY(memory_create(&barriers->wave, graph->operators, sizeof *barriers->wave, barriers->error));
    TRY(predecessors_create(graph, true, &predecessors, barriers->error));
    for (uint32_t o = 0; o < graph->operators; o++) {
        struct wave *wave = &barriers->wave[o];
        assert(predecessors.first[o] <= predecessors.first[o + 1]);
        *wave = (struct wave){.region = graph->op[o].region, .op = o};
        for (uint64_t e = predecessors.first[o]; e < predecessors.first[o + 1]; e++) {
            assert(predecessors.item[e] < o);
            uint32_t behind = barriers->wave[predecessors.item[e]].number + 1;
            wave->number = wave->number < behind ? behind : wave->number;
        }
    }
    if (graph->operators)
        qsort(barriers->wave, graph->operators, sizeof *barriers->wave, compare_waves);
    return STATUS_OK;
}

/* Each operator waits for all of the wave before its own, unless it does so anyway. */
static enum status add_barriers(struct barriers *barriers)
{
    const struct wave *wave = barriers->wave;
    const struct happens_before *order = barriers->order;
    uint32_t before = 0, begin = 0;
    for (uint32_t i = 0; i < barriers->graph->operators; i++) {
        if (wave[i].region != wave[begin].region)
            before = begin = i;
        if (wave[i].number != wave[begin].number) {
            assert(wave[i].number == wave[begin].number + 1);
            before = begin;
            begin = i;
        }
        for (uint32_t e = before; e < begin; e++) {
            assert(wave[e].region == wave[i].region && wave[e].number + 1 == wave[i].number);
            uint32_t op = wave[i].op, earlier = wave[e].op;
            if (happens_before_is(order, order->leave_step[earlier], order->enter_step[op]))
                continue;
            TRY(memory_reserve(&barriers->wait, &barriers->capacity, barriers->waits + 1,
                               sizeof *barriers->wait, barriers->error));
            barriers->wait[barriers->waits++] = (struct graph_wait){op, earlier};
        }
    }
    return STATUS_OK;
}

enum status streams_launch_waves(const struct graph *graph, const struct placement *placement,
                                 struct graph **launched, struct error *error)
{
    struct barriers barriers = {.graph = graph, .error = error};
    enum status status;
    (void)placement;
    TRY_OR_DONE(status, find_waves(&barriers));
    TRY_OR_DONE(status, add_barriers(&barriers));
    status = graph_add_waits(graph, barriers.wait, barriers.waits, launched, error);
done:
    happens_before_free(barriers.order);
    memory_free_all(barriers.wave, barriers.wait);
    return status;
}

/* Where waves follow each other, what is surely over before a wave starts is exactly what the waves
   before it used last. */
enum status streams_make_waves(const struct policy *policy, const struct policy_input *input,
                               struct policy_level *made, struct error *error)
{
    (void)policy;
    SCOPED(graph_release) struct graph *launched = NULL;
    TRY(streams_launch_waves(input->graph, NULL, &launched, error));
    TRY(stream_level_create(
        &(struct stream_level_source){.graph = launched, .alignment_bytes = input->alignment_bytes},
        &made->level, error));
    assert(launched->tensors == input->graph->tensors);
    made->level->graph = input->graph;
    return STATUS_OK;
}
