#include "heuristics/exclusive/exclusion.h"

#include <assert.h>
#include <string.h>

#include "planning/lowering/level.h"

/* Whether the rules of exclusion.h can be applied: the problem has to come from a graph without
   control flow. */
static bool has_kinds(const struct planner_task *task)
{
    return task->level && !graph_has_control_flow(task->level->graph);
}

static uint64_t count_nodes(const struct graph *graph)
{
    return (uint64_t)graph->inputs.count + graph->operators;
}

bool exclusion_is_too_large(const struct planner_task *task)
{
    return has_kinds(task) && count_nodes(task->level->graph) > EXCLUSION_MOST_NODES;
}

/* Numbers the nodes of the graph: first its inputs, then the operators in the order in which they
   run. */
static void number_nodes(struct exclusion *exclusion, const struct graph *graph)
{
    for (uint32_t t = 0; t < graph->tensors; t++) {
        uint32_t producer = graph->tensor[t].producer;
        exclusion->node[t] = producer == GRAPH_NONE ? GRAPH_NONE : graph->inputs.count + producer;
    }
    for (uint32_t i = 0; i < graph->inputs.count; i++)
        exclusion->node[graph->list[graph->inputs.first + i]] = i;
}

static uint64_t *get_row(const struct exclusion *exclusion, uint32_t node)
{
    return exclusion->before + (size_t)node * exclusion->words;
}

static bool leads_to(const struct exclusion *exclusion, uint32_t from, uint32_t to)
{
    return get_row(exclusion, to)[from / 64] >> (from % 64) & 1;
}

/* Finds for each node all nodes from which a path leads to it. One pass over the operators
   suffices, since none of them reads a tensor before it is written. */
static void find_paths(struct exclusion *exclusion, const struct graph *graph)
{
    for (uint32_t o = 0; o < graph->operators; o++) {
        uint64_t *row = get_row(exclusion, graph->inputs.count + o);
        struct span inputs = graph->op[o].inputs;
        for (uint32_t i = 0; i < inputs.count; i++) {
            uint32_t from = exclusion->node[graph->list[inputs.first + i]];
            if (from == GRAPH_NONE)
                continue;
            assert(from < graph->inputs.count + o);
            for (uint32_t w = 0; w < exclusion->words; w++)
                row[w] |= get_row(exclusion, from)[w];
            row[from / 64] |= UINT64_C(1) << (from % 64);
        }
    }
}

static bool reads_from(const struct exclusion *exclusion, uint32_t reader, uint32_t from)
{
    const struct graph *graph = exclusion->level->graph;
    if (reader < graph->inputs.count)
        return false;
    struct span inputs = graph->op[reader - graph->inputs.count].inputs;
    for (uint32_t i = 0; i < inputs.count; i++)
        if (exclusion->node[graph->list[inputs.first + i]] == from)
            return true;
    return false;
}

static bool nodes_exclude(const struct exclusion *exclusion, uint32_t a, uint32_t b)
{
    uint32_t first = a < b ? a : b, second = a < b ? b : a;
    return first == second || !leads_to(exclusion, first, second) ||
           reads_from(exclusion, second, first);
}

static uint32_t get_next(const struct exclusion *exclusion, uint32_t tensor)
{
    const uint32_t *next = exclusion->level->liveness->next;
    return next ? next[tensor] : GRAPH_NONE;
}

/* Whether an operator that writes buffer a and one that writes buffer b exclude each other by one
   of the rules. */
static bool exclude_by_kind(const struct exclusion *exclusion, uint32_t a, uint32_t b)
{
    const uint32_t *tensor = exclusion->level->tensor, *node = exclusion->node;
    for (uint32_t t = tensor[a]; t != GRAPH_NONE; t = get_next(exclusion, t))
        for (uint32_t u = tensor[b]; u != GRAPH_NONE; u = get_next(exclusion, u))
            if (node[t] != GRAPH_NONE && node[u] != GRAPH_NONE &&
                nodes_exclude(exclusion, node[t], node[u]))
                return true;
    return false;
}

static enum status find_kinds(struct exclusion *exclusion, const struct planner_task *task,
                              struct error *error)
{
    const struct graph *graph = task->level->graph;
    exclusion->level = task->level;
    exclusion->nodes = (uint32_t)count_nodes(graph);
    exclusion->words = exclusion->nodes / 64 + 1;
    TRY(scratch_take(task->scratch, &exclusion->node, graph->tensors, sizeof *exclusion->node,
                     error));
    TRY(scratch_take(task->scratch, &exclusion->before, (size_t)exclusion->nodes * exclusion->words,
                     sizeof *exclusion->before, error));
    number_nodes(exclusion, graph);
    find_paths(exclusion, graph);
    return STATUS_OK;
}

enum status exclusion_create(const struct planner_task *task, bool lifetimes,
                             struct exclusion *exclusion, struct error *error)
{
    *exclusion = (struct exclusion){.problem = task->problem};
    if (has_kinds(task))
        TRY(find_kinds(exclusion, task, error));
    return lifetimes || !exclusion->level
               ? conflicts_create(task->problem, &exclusion->lifetimes, error)
               : STATUS_OK;
}

/* Lists the buffers that exclude this one, by one of the rules or by lifetime, in ascending
   order. */
static uint32_t merge_kinds(const struct exclusion *exclusion, uint32_t buffer, uint32_t *others)
{
    const struct conflicts *lifetimes = exclusion->lifetimes;
    uint64_t next = lifetimes ? lifetimes->first[buffer] : 0;
    uint64_t end = lifetimes ? lifetimes->first[buffer + 1] : 0;
    uint32_t count = 0;
    for (uint32_t b = 0; b < exclusion->problem->buffers; b++) {
        bool live = next < end && lifetimes->other[next] == b;
        next += live;
        if (b != buffer && (live || exclude_by_kind(exclusion, buffer, b)))
            others[count++] = b;
    }
    return count;
}

uint32_t exclusion_list(const struct exclusion *exclusion, uint32_t buffer, uint32_t *others)
{
    const struct conflicts *lifetimes = exclusion->lifetimes;
    if (exclusion->level)
        return merge_kinds(exclusion, buffer, others);
    uint64_t first = lifetimes->first[buffer], count = lifetimes->first[buffer + 1] - first;
    memcpy(others, lifetimes->other + first, count * sizeof *others);
    return (uint32_t)count;
}
