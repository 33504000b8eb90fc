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

bool exclusion_is_too_large(const struct planner_task *task)
{
    return has_kinds(task) &&
           (uint64_t)task->level->graph->inputs.count + task->level->graph->operators >
               EXCLUSION_MOST_NODES;
}

static uint64_t *get_row(const struct exclusion *exclusion, uint32_t node)
{
    return exclusion->before + (size_t)node * exclusion->words;
}

static bool nodes_exclude(const struct exclusion *exclusion, uint32_t a, uint32_t b)
{
    const struct graph *graph = exclusion->level->graph;
    uint32_t first = a < b ? a : b, second = a < b ? b : a;
    assert(second < exclusion->nodes);
    bool path = get_row(exclusion, second)[first / 64] >> (first % 64) & 1;
    if (!path || second < graph->inputs.count)
        return !path;
    struct span inputs = graph->op[second - graph->inputs.count].inputs;
    for (uint32_t i = 0; i < inputs.count; i++)
        if (exclusion->node[graph->list[inputs.first + i]] == first)
            return true;
    return false;
}

/* Whether an operator that writes buffer a and one that writes buffer b exclude each other by one
   of the rules. */
static bool exclude_by_kind(const struct exclusion *exclusion, uint32_t a, uint32_t b)
{
    const uint32_t *tensor = exclusion->level->tensor, *node = exclusion->node;
    const uint32_t *next = exclusion->level->liveness->next;
    for (uint32_t t = tensor[a]; t != GRAPH_NONE; t = next ? next[t] : GRAPH_NONE)
        for (uint32_t u = tensor[b]; u != GRAPH_NONE; u = next ? next[u] : GRAPH_NONE)
            if (node[t] != GRAPH_NONE && node[u] != GRAPH_NONE &&
                (node[t] == node[u] || nodes_exclude(exclusion, node[t], node[u])))
                return true;
    return false;
}

enum status exclusion_create(const struct planner_task *task, bool lifetimes,
                             struct exclusion *exclusion, struct error *error)
{
    struct scratch *scratch = task->scratch;
    *exclusion = (struct exclusion){.problem = task->problem};
    if (lifetimes || !has_kinds(task))
        TRY(conflicts_create(task->problem, &exclusion->lifetimes, error));
    if (!has_kinds(task))
        return STATUS_OK;

    /* The nodes are numbered: first the inputs, then the operators in the order in which they
       run. */
    const struct graph *graph = task->level->graph;
    uint32_t inputs = graph->inputs.count;
    exclusion->level = task->level;
    exclusion->nodes = inputs + graph->operators;
    exclusion->words = exclusion->nodes / 64 + 1;
    size_t bits = (size_t)exclusion->nodes * exclusion->words;
    TRY(scratch_take(scratch, &exclusion->node, graph->tensors, sizeof(uint32_t), error));
    TRY(scratch_take(scratch, &exclusion->before, bits, sizeof *exclusion->before, error));
    for (uint32_t t = 0; t < graph->tensors; t++) {
        uint32_t producer = graph->tensor[t].producer;
        exclusion->node[t] = producer == GRAPH_NONE ? GRAPH_NONE : inputs + producer;
    }
    for (uint32_t i = 0; i < inputs; i++)
        exclusion->node[graph->list[graph->inputs.first + i]] = i;

    /* One pass over the operators finds for each all nodes from which a path leads to it, since
       none of them reads a tensor before it is written. */
    for (uint32_t o = 0; o < graph->operators; o++) {
        uint64_t *row = get_row(exclusion, inputs + o);
        struct span read = graph->op[o].inputs;
        for (uint32_t i = 0; i < read.count; i++) {
            uint32_t from = exclusion->node[graph->list[read.first + i]];
            if (from == GRAPH_NONE)
                continue;
            assert(from < inputs + o);
            for (uint32_t w = 0; w < exclusion->words; w++)
                row[w] |= get_row(exclusion, from)[w];
            row[from / 64] |= UINT64_C(1) << (from % 64);
        }
    }
    return STATUS_OK;
}

uint32_t exclusion_list(const struct exclusion *exclusion, uint32_t buffer, uint32_t *others)
{
    const struct conflicts *lifetimes = exclusion->lifetimes;
    uint64_t next = lifetimes ? lifetimes->first[buffer] : 0;
    uint64_t end = lifetimes ? lifetimes->first[buffer + 1] : 0;
    uint32_t count = 0;
    if (!exclusion->level) {
        memcpy(others, lifetimes->other + next, (end - next) * sizeof *others);
        return (uint32_t)(end - next);
    }
    for (uint32_t b = 0; b < exclusion->problem->buffers; b++) {
        bool live = next < end && lifetimes->other[next] == b;
        next += live;
        if (b != buffer && (live || exclude_by_kind(exclusion, buffer, b)))
            others[count++] = b;
    }
    assert(next == end);
    return count;
}
