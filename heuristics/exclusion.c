#include "heuristics/exclusion.h"

#include <string.h>

#include "core/memory.h"
#include "planning/level.h"

bool exclusion_has_kinds(const struct planner_task *task)
{
    return task->level && !graph_has_control_flow(task->level->graph);
}

static uint64_t count_nodes(const struct graph *graph)
{
    return (uint64_t)graph->inputs.count + graph->operators;
}

bool exclusion_is_too_large(const struct planner_task *task)
{
    return exclusion_has_kinds(task) && count_nodes(task->level->graph) > EXCLUSION_MOST_NODES;
}

/* Inputs first, then operators in the order in which they run. */
static void number_nodes(struct exclusion *exclusion, const uint32_t *tensor_of_buffer)
{
    const struct graph *graph = exclusion->graph;
    for (uint32_t t = 0; t < graph->tensors; t++) {
        uint32_t producer = graph->tensor[t].producer;
        exclusion->of_tensor[t] =
            producer == GRAPH_NONE ? GRAPH_NONE : graph->inputs.count + producer;
    }
    for (uint32_t i = 0; i < graph->inputs.count; i++)
        exclusion->of_tensor[graph->list[graph->inputs.first + i]] = i;
    for (uint32_t b = 0; b < exclusion->problem->buffers; b++)
        exclusion->node[b] = exclusion->of_tensor[tensor_of_buffer[b]];
}

static uint64_t *get_row(const struct exclusion *exclusion, uint32_t node)
{
    return exclusion->before + (size_t)node * exclusion->words;
}

static bool leads_to(const struct exclusion *exclusion, uint32_t from, uint32_t to)
{
    return get_row(exclusion, to)[from / 64] >> (from % 64) & 1;
}

/* Operators run in an order in which nothing is read before it is written. */
static void find_paths(struct exclusion *exclusion)
{
    const struct graph *graph = exclusion->graph;
    for (uint32_t o = 0; o < graph->operators; o++) {
        uint64_t *row = get_row(exclusion, graph->inputs.count + o);
        struct span inputs = graph->operator[o].inputs;
        for (uint32_t i = 0; i < inputs.count; i++) {
            uint32_t from = exclusion->of_tensor[graph->list[inputs.first + i]];
            if (from == GRAPH_NONE)
                continue;
            for (uint32_t w = 0; w < exclusion->words; w++)
                row[w] |= get_row(exclusion, from)[w];
            row[from / 64] |= UINT64_C(1) << (from % 64);
        }
    }
}

static bool reads_from(const struct exclusion *exclusion, uint32_t reader, uint32_t from)
{
    const struct graph *graph = exclusion->graph;
    if (reader < graph->inputs.count)
        return false;
    struct span inputs = graph->operator[reader - graph->inputs.count].inputs;
    for (uint32_t i = 0; i < inputs.count; i++)
        if (exclusion->of_tensor[graph->list[inputs.first + i]] == from)
            return true;
    return false;
}

bool exclusion_by_kind(const struct exclusion *exclusion, uint32_t a, uint32_t b)
{
    if (!exclusion->graph || exclusion->node[a] == GRAPH_NONE || exclusion->node[b] == GRAPH_NONE)
        return false;
    bool rising = exclusion->node[a] < exclusion->node[b];
    uint32_t first = exclusion->node[rising ? a : b], second = exclusion->node[rising ? b : a];
    return first == second || !leads_to(exclusion, first, second) ||
           reads_from(exclusion, second, first);
}

static enum status find_kinds(struct exclusion *exclusion, const struct level *level,
                              struct error *error)
{
    const struct graph *graph = level->graph;
    uint32_t buffers = exclusion->problem->buffers;
    exclusion->graph = graph;
    exclusion->nodes = (uint32_t)count_nodes(graph);
    exclusion->words = exclusion->nodes / 64 + 1;
    TRY(memory_create(&exclusion->of_tensor, graph->tensors, sizeof *exclusion->of_tensor, error));
    TRY(memory_create(&exclusion->node, buffers, sizeof *exclusion->node, error));
    TRY(memory_create(&exclusion->before, (size_t)exclusion->nodes * exclusion->words,
                      sizeof *exclusion->before, error));
    number_nodes(exclusion, level->tensor);
    find_paths(exclusion);
    return STATUS_OK;
}

enum status exclusion_create(const struct planner_task *task, bool lifetimes,
                             struct exclusion **created, struct error *error)
{
    struct exclusion *exclusion;
    enum status status;
    TRY(memory_create(&exclusion, 1, sizeof *exclusion, error));
    exclusion->problem = task->problem;
    if (exclusion_has_kinds(task))
        TRY_OR_DONE(status, find_kinds(exclusion, task->level, error));
    if (lifetimes || !exclusion->graph)
        TRY_OR_DONE(status, conflicts_create(task->problem, &exclusion->lifetimes, error));
    *created = exclusion;
    status = STATUS_OK;
done:
    if (status)
        exclusion_free(exclusion);
    return status;
}

void exclusion_free(struct exclusion *exclusion)
{
    if (!exclusion)
        return;
    conflicts_free(exclusion->lifetimes);
    memory_free(exclusion->of_tensor);
    memory_free(exclusion->node);
    memory_free(exclusion->before);
    memory_free(exclusion);
}

/* Both lists ascend. */
static uint32_t merge_kinds(const struct exclusion *exclusion, uint32_t buffer, uint32_t *others)
{
    const struct conflicts *lifetimes = exclusion->lifetimes;
    uint64_t next = lifetimes ? lifetimes->first[buffer] : 0;
    uint64_t end = lifetimes ? lifetimes->first[buffer + 1] : 0;
    uint32_t count = 0;
    for (uint32_t b = 0; b < exclusion->problem->buffers; b++) {
        bool live = next < end && lifetimes->other[next] == b;
        next += live;
        if (b != buffer && (live || exclusion_by_kind(exclusion, buffer, b)))
            others[count++] = b;
    }
    return count;
}

uint32_t exclusion_list(const struct exclusion *exclusion, uint32_t buffer, uint32_t *others)
{
    const struct conflicts *lifetimes = exclusion->lifetimes;
    if (exclusion->graph)
        return merge_kinds(exclusion, buffer, others);
    uint64_t first = lifetimes->first[buffer], count = lifetimes->first[buffer + 1] - first;
    memcpy(others, lifetimes->other + first, count * sizeof *others);
    return (uint32_t)count;
}
