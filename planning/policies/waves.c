#include "planning/graph/add_waits.h"
#include "planning/graph/happens_before.h"
#include "planning/graph/predecessors.h"
#include "planning/lowering/stream_level.h"
#include "planning/policies/stream_line.h"

#include <stdlib.h>

#include "core/memory.h"

/* Operators start in waves: each belongs to the first wave behind all that it comes after, and a
   wave starts when the one before it has ended. So a wave is one position in the list, through
   which all lives that its operators use; and lifetimes are intervals again. What that costs is
   time: all wait for the slowest operator of a wave. The regions of an operator have waves of their
   own.

       main   conv        pool        add            waves: conv, load | pool, send | add
       copy   load        send                       pool waits for load, too, and send for conv */

struct wave {
    uint32_t region, number, op;
};

static void number_waves(const struct graph *graph, const struct groups *predecessors,
                         struct wave *wave)
{
    for (uint32_t o = 0; o < graph->operators; o++) {
        wave[o] = (struct wave){.region = graph->op[o].region, .op = o};
        for (uint64_t e = predecessors->first[o]; e < predecessors->first[o + 1]; e++) {
            uint32_t behind = wave[predecessors->item[e]].number + 1;
            wave[o].number = wave[o].number < behind ? behind : wave[o].number;
        }
    }
}

static int compare_waves(const void *left, const void *right)
{
    const struct wave *a = left, *b = right;
    if (a->region != b->region)
        return a->region < b->region ? -1 : 1;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return a->op < b->op ? -1 : a->op > b->op;
}

struct barriers {
    const struct graph *graph;
    struct happens_before *order;
    struct wave *wave; /* [operators] wave by wave */
    struct graph_wait *wait;
    size_t waits, capacity;
    struct error *error;
};

static enum status add_wait(struct barriers *barriers, uint32_t op, uint32_t earlier)
{
    const struct happens_before *order = barriers->order;
    if (happens_before_is(order, order->leave_step[earlier], order->enter_step[op]))
        return STATUS_OK;
    TRY(memory_reserve(&barriers->wait, &barriers->capacity, barriers->waits + 1,
                       sizeof *barriers->wait, barriers->error));
    barriers->wait[barriers->waits++] = (struct graph_wait){op, earlier};
    return STATUS_OK;
}

/* Each operator waits for all of the wave before its own. */
static enum status add_barriers(struct barriers *barriers)
{
    const struct wave *wave = barriers->wave;
    uint32_t before = 0, begin = 0;
    for (uint32_t i = 0; i < barriers->graph->operators; i++) {
        if (wave[i].region != wave[begin].region)
            before = begin = i;
        if (wave[i].number != wave[begin].number) {
            before = begin;
            begin = i;
        }
        for (uint32_t e = before; e < begin; e++)
            TRY(add_wait(barriers, wave[i].op, wave[e].op));
    }
    return STATUS_OK;
}

static enum status find_waves(struct barriers *barriers)
{
    const struct graph *graph = barriers->graph;
    struct groups predecessors;
    TRY(happens_before_create(graph, NULL, &barriers->order, barriers->error));
    TRY(memory_create(&barriers->wave, graph->operators, sizeof *barriers->wave, barriers->error));
    TRY(predecessors_create(graph, true, &predecessors, barriers->error));
    number_waves(graph, &predecessors, barriers->wave);
    groups_free(&predecessors);
    if (graph->operators)
        qsort(barriers->wave, graph->operators, sizeof *barriers->wave, compare_waves);
    return STATUS_OK;
}

static enum status launch_waves(const struct graph *graph, const struct placement *placement,
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
    memory_free(barriers.wave);
    memory_free(barriers.wait);
    return status;
}

/* Where waves follow each other, what is surely over before a wave starts is exactly what the waves
   before it used last. */
static enum status make_waves(const struct policy *policy, const struct policy_input *input,
                              struct policy_level *made, struct error *error)
{
    (void)policy;
    struct graph *launched;
    TRY(launch_waves(input->graph, NULL, &launched, error));
    const struct stream_level_source source = {.graph = launched,
                                               .alignment_bytes = input->alignment_bytes};
    enum status status = stream_level_create(&source, &made->level, error);
    if (!status)
        made->level->graph = input->graph;
    graph_free(launched);
    return status;
}

const struct policy policy_waves = {
    .name = "waves",
    .title = "operators of all streams start in waves, each when the one before has ended; tensors "
             "live through all waves that use them",
    .source = "IREE's concurrent regions: Stream/Transforms/ScheduleAllocation.cpp",
    .flags = POLICY_STREAMS,
    .make_level = make_waves,
    .place = stream_line_place,
    .launch = launch_waves,
};
