#include "planning/graph/assign_streams.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "planning/graph/build.h"

/* The operators outside regions are nodes, numbered in the order of the list. */
struct nodes {
    struct graph *graph;
    uint32_t count;
    uint32_t *node;      /* [operators] whose, or that it is inside of */
    uint64_t *ancestors; /* [count * words] a bit for each node that must run before */
    uint32_t words;
    uint32_t *first, *edge; /* [count + 1] and into it: nodes that depend on each directly */
    size_t edge_capacity;
    uint32_t *next, *previous; /* [count] on the same stream, GRAPH_NONE */
    struct error *error;
};

static uint64_t *get_ancestors(const struct nodes *nodes, uint32_t node)
{
    return nodes->ancestors + (size_t)node * nodes->words;
}

static bool has(const uint64_t *set, uint32_t node)
{
    return set[node / 64] >> node % 64 & 1;
}

static uint32_t number_nodes(const struct graph *graph, uint32_t *node)
{
    uint32_t count = 0;
    for (uint32_t o = 0; o < graph->operators; o = graph->op[o].end, count++)
        for (uint32_t inner = o; inner < graph->op[o].end; inner++)
            node[inner] = count;
    return count;
}

static void add_dependences(const struct nodes *nodes, struct span tensors, uint32_t node,
                            uint64_t *direct)
{
    const struct graph *graph = nodes->graph;
    for (uint32_t i = 0; i < tensors.count; i++) {
        uint32_t producer = graph->tensor[graph->list[tensors.first + i]].producer;
        if (producer != GRAPH_NONE && nodes->node[producer] != node)
            direct[nodes->node[producer] / 64] |= UINT64_C(1) << nodes->node[producer] % 64;
    }
}

/* All that the operator and what its regions hold reads, and what it waits for. */
static void find_direct(const struct nodes *nodes, uint32_t o, uint64_t *direct)
{
    const struct graph *graph = nodes->graph;
    memset(direct, 0, nodes->words * sizeof *direct);
    for (uint32_t inner = o; inner < graph->op[o].end; inner++) {
        const struct graph_operator *op = &graph->op[inner];
        add_dependences(nodes, op->inputs, nodes->node[o], direct);
        for (uint32_t i = 0; i < op->carried.count; i++) {
            uint32_t init = graph->carried[op->carried.first + i].init;
            uint32_t producer = graph->tensor[init].producer;
            if (producer != GRAPH_NONE && nodes->node[producer] != nodes->node[o])
                direct[nodes->node[producer] / 64] |= UINT64_C(1) << nodes->node[producer] % 64;
        }
        for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
            add_dependences(nodes, graph->region[r].yields, nodes->node[o], direct);
    }
    for (uint32_t i = 0; i < graph->op[o].after.count; i++) {
        uint32_t earlier = nodes->node[graph->list[graph->op[o].after.first + i]];
        direct[earlier / 64] |= UINT64_C(1) << earlier % 64;
    }
}

/* Sets the ancestors of the node and leaves in `direct` only dependences that no other implies:
   going from the latest on, one that is an ancestor of an earlier met one is implied. */
static void reduce_dependences(const struct nodes *nodes, uint32_t node, uint64_t *direct)
{
    uint64_t *ancestors = get_ancestors(nodes, node);
    for (uint32_t earlier = node; earlier-- > 0;) {
        if (!has(direct, earlier))
            continue;
        if (has(ancestors, earlier)) {
            direct[earlier / 64] &= ~(UINT64_C(1) << earlier % 64);
            continue;
        }
        const uint64_t *more = get_ancestors(nodes, earlier);
        for (uint32_t w = 0; w < nodes->words; w++)
            ancestors[w] |= more[w];
        ancestors[earlier / 64] |= UINT64_C(1) << earlier % 64;
    }
}

/* Lists for each node those that it depends on directly. */
static enum status find_edges(struct nodes *nodes)
{
    uint64_t *direct;
    uint32_t edges = 0, node = 0;
    enum status status = STATUS_OK;
    TRY(memory_create(&direct, nodes->words, sizeof *direct, nodes->error));
    for (uint32_t o = 0; o < nodes->graph->operators && !status;
         o = nodes->graph->op[o].end, node++) {
        find_direct(nodes, o, direct);
        reduce_dependences(nodes, node, direct);
        for (uint32_t earlier = 0; earlier < node && !status; earlier++) {
            if (!has(direct, earlier))
                continue;
            status = memory_reserve(&nodes->edge, &nodes->edge_capacity, (size_t)edges + 1,
                                    sizeof *nodes->edge, nodes->error);
            if (!status)
                nodes->edge[edges++] = earlier;
        }
        nodes->first[node + 1] = edges;
    }
    memory_free(direct);
    return status;
}

/* Looks, breadth first, for a way to give `node` a node before it on its stream, where others that
   have one take another. */
struct search {
    uint32_t *queue; /* [count] nodes that want one */
    uint32_t
        *from; /* [count] of a node that could come before: who wants it; GRAPH_NONE: not met */
};

static bool extend_matching(const struct nodes *nodes, uint32_t node, const struct search *search)
{
    uint32_t head = 0, tail = 0;
    search->queue[tail++] = node;
    memset(search->from, 0xff, nodes->count * sizeof *search->from);
    for (; head < tail; head++) {
        uint32_t wanting = search->queue[head];
        for (uint32_t e = nodes->first[wanting]; e < nodes->first[wanting + 1]; e++) {
            uint32_t earlier = nodes->edge[e];
            if (search->from[earlier] != GRAPH_NONE)
                continue;
            search->from[earlier] = wanting;
            if (nodes->next[earlier] != GRAPH_NONE) {
                search->queue[tail++] = nodes->next[earlier];
                continue;
            }
            while (earlier != GRAPH_NONE) {
                uint32_t later = search->from[earlier], given_up = nodes->previous[later];
                nodes->next[earlier] = later;
                nodes->previous[later] = earlier;
                earlier = given_up;
            }
            return true;
        }
    }
    return false;
}

static enum status match_nodes(struct nodes *nodes)
{
    struct search search = {0};
    enum status status;
    TRY_OR_DONE(status, memory_create(&search.queue, nodes->count, sizeof(uint32_t), nodes->error));
    TRY_OR_DONE(status, memory_create(&search.from, nodes->count, sizeof(uint32_t), nodes->error));
    memset(nodes->next, 0xff, nodes->count * sizeof *nodes->next);
    memset(nodes->previous, 0xff, nodes->count * sizeof *nodes->previous);
    for (uint32_t n = 0; n < nodes->count; n++)
        extend_matching(nodes, n, &search);
done:
    memory_free(search.queue);
    memory_free(search.from);
    return status;
}

static enum status name_streams(struct graph *graph, uint32_t streams, struct error *error)
{
    for (uint32_t s = graph->streams.count; s < streams; s++) {
        char name[32];
        uint32_t stream;
        snprintf(name, sizeof name, "side%u", s);
        TRY(graph_add_stream(graph, name, "", &stream, error));
    }
    return STATUS_OK;
}

/* A chain of nodes joined by the matching is a stream; a node that nothing is before begins one. */
static enum status set_streams(struct nodes *nodes, uint32_t most)
{
    struct graph *graph = nodes->graph;
    uint32_t chains = 0, *stream;
    TRY(memory_create(&stream, nodes->count, sizeof *stream, nodes->error));
    for (uint32_t n = 0; n < nodes->count; n++)
        stream[n] = nodes->previous[n] == GRAPH_NONE ? chains++ % most : stream[nodes->previous[n]];
    for (uint32_t o = 0; o < graph->operators; o++)
        graph->op[o].stream = stream[nodes->node[o]];
    memory_free(stream);
    graph->waits_implied = true;
    return name_streams(graph, chains < most ? chains : most, nodes->error);
}

static enum status assign_streams(struct nodes *nodes, uint32_t most)
{
    TRY(memory_create(&nodes->node, nodes->graph->operators, sizeof *nodes->node, nodes->error));
    nodes->count = number_nodes(nodes->graph, nodes->node);
    if (nodes->count > GRAPH_MOST_ASSIGNED)
        return error_set(nodes->error, STATUS_BAD_INPUT,
                         "%u operators to put on streams, expected at most %d", nodes->count,
                         GRAPH_MOST_ASSIGNED);
    nodes->words = nodes->count / 64 + 1;
    TRY(memory_create(&nodes->ancestors, nodes->count, nodes->words * sizeof(uint64_t),
                      nodes->error));
    TRY(memory_create(&nodes->first, (size_t)nodes->count + 1, sizeof(uint32_t), nodes->error));
    TRY(memory_create(&nodes->next, nodes->count, sizeof(uint32_t), nodes->error));
    TRY(memory_create(&nodes->previous, nodes->count, sizeof(uint32_t), nodes->error));
    TRY(find_edges(nodes));
    TRY(match_nodes(nodes));
    return set_streams(nodes, most);
}

enum status graph_assign_streams(struct graph *graph, uint32_t most, struct error *error)
{
    struct nodes nodes = {.graph = graph, .error = error};
    assert(most > 0 && graph->streams.count == 1);
    enum status status = assign_streams(&nodes, most);
    memory_free(nodes.node);
    memory_free(nodes.ancestors);
    memory_free(nodes.first);
    memory_free(nodes.edge);
    memory_free(nodes.next);
    memory_free(nodes.previous);
    return status;
}
