#include "planning/policies/waves.h"

#include <assert.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"
#include "planning/graph/add_waits.h"
#include "planning/graph/happens_before.h"
#include "planning/graph/predecessors.h"
#include "planning/lowering/stream_level.h"

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

static int compare_waves(const void *left, const void *right)
{
    const struct wave *a = left, *b = right;
    int order = compare_numbers(a->region, b->region);
    if (!order)
        order = compare_numbers(a->number, b->number);
    return order ? order : compare_numbers(a->op, b->op);
}

static enum status find_waves(struct barriers *barriers)
{
    const struct graph *graph = barriers->graph;
    SCOPED(groups_free) struct groups predecessors = {0};
    TRY(happens_before_create(graph, NULL, &barriers->order, barriers->error));
    TRY(memory_create(&barriers->wave, graph->operators, sizeof *barriers->wave, barriers->error));
    TRY(predecessors_create(graph, true, &predecessors, barriers->error));
    for (uint32_t o = 0; o < graph->operators; o++) {
        struct wave *wave = &barriers->wave[o];
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

enum status waves_launch(const struct graph *graph, const struct placement *placement,
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
enum status waves_make_level(const struct policy *policy, const struct policy_input *input,
                             struct policy_level *made, struct error *error)
{
    (void)policy;
    SCOPED(graph_release) struct graph *launched = NULL;
    TRY(waves_launch(input->graph, NULL, &launched, error));
    TRY(stream_level_create(
        &(struct stream_level_source){.graph = launched, .alignment_bytes = input->alignment_bytes},
        &made->level, error));
    made->level->graph = input->graph;
    return STATUS_OK;
}
