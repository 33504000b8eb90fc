#include "planning/graph/assign_streams.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "planning/graph/build.h"
#include "planning/graph/predecessors.h"

/* The operators that a region holds directly are nodes, numbered in the order of the list. */
struct nodes {
    struct graph *graph;
    const struct predecessors *predecessors;
    uint32_t region, count;
    uint32_t *op;        /* [count] */
    uint32_t *node;      /* [operators] the node that each is, if it is one */
    uint64_t *ancestors; /* [count * words] for each node a bit for each one that must run before */
    uint32_t words;
    uint32_t *first,
        *edge; /* node n depends directly on edge[first[n]] to edge[first[n + 1] - 1] */
    size_t edge_capacity;
    uint32_t *next,
        *previous; /* [count] the node after and before each on its stream, GRAPH_NONE */
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

static void number_nodes(struct nodes *nodes)
{
    const struct graph *graph = nodes->graph;
    const struct graph_region *region = &graph->region[nodes->region];
    nodes->count = 0;
    for (uint32_t o = region->begin; o < region->end; o = graph->op[o].end) {
        nodes->op[nodes->count] = o;
        nodes->node[o] = nodes->count++;
    }
}

static void find_direct(const struct nodes *nodes, uint32_t node, uint64_t *direct)
{
    const struct predecessors *predecessors = nodes->predecessors;
    uint32_t o = nodes->op[node];
    memset(direct, 0, nodes->words * sizeof *direct);
    for (size_t e = predecessors->first[o]; e < predecessors->first[o + 1]; e++) {
        uint32_t earlier = nodes->node[predecessors->op[e]];
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
    uint32_t edges = 0;
    enum status status = STATUS_OK;
    TRY(memory_create(&direct, nodes->words, sizeof *direct, nodes->error));
    for (uint32_t node = 0; node < nodes->count && !status; node++) {
        find_direct(nodes, node, direct);
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

/* For the search of extend_matching, breadth first: how to give a node a predecessor on its stream,
   where nodes that have one already may take another one instead. */
struct search {
    uint32_t *queue; /* [count] nodes that want a predecessor */
    uint32_t
        *from; /* [count] the node that wants each as predecessor, GRAPH_NONE where none does yet */
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

/* A chain of nodes that the matching joins runs on one stream, and a node without a predecessor on
   its stream begins one. The first stream of a region is that of the operator around it. Operators
   in regions of a node run on its stream, until their own region is looked at. */
static enum status set_streams(const struct nodes *nodes, uint32_t most)
{
    struct graph *graph = nodes->graph;
    uint32_t owner = graph->region[nodes->region].owner;
    uint32_t next = owner == GRAPH_NONE ? 0 : graph->op[owner].stream, begun = 0;
    uint32_t most_used = graph->streams.count;
    for (uint32_t n = 0; n < nodes->count; n++) {
        uint32_t stream = nodes->previous[n] == GRAPH_NONE
                              ? (next + begun++) % most
                              : graph->op[nodes->op[nodes->previous[n]]].stream;
        for (uint32_t inner = nodes->op[n]; inner < graph->op[nodes->op[n]].end; inner++)
            graph->op[inner].stream = stream;
        most_used = most_used <= stream ? stream + 1 : most_used;
    }
    return name_streams(graph, most_used, nodes->error);
}

static enum status create_nodes(struct nodes *nodes)
{
    nodes->words = nodes->count / 64 + 1;
    TRY(memory_create(&nodes->ancestors, nodes->count, nodes->words * sizeof(uint64_t),
                      nodes->error));
    TRY(memory_create(&nodes->first, (size_t)nodes->count + 1, sizeof(uint32_t), nodes->error));
    TRY(memory_create(&nodes->next, nodes->count, sizeof(uint32_t), nodes->error));
    return memory_create(&nodes->previous, nodes->count, sizeof(uint32_t), nodes->error);
}

static void clear_nodes(struct nodes *nodes)
{
    memory_free(nodes->ancestors);
    memory_free(nodes->first);
    memory_free(nodes->edge);
    memory_free(nodes->next);
    memory_free(nodes->previous);
    nodes->edge = NULL;
    nodes->edge_capacity = 0;
    nodes->ancestors = NULL;
    nodes->first = nodes->next = nodes->previous = NULL;
}

static enum status assign_region(struct nodes *nodes, uint32_t most)
{
    number_nodes(nodes);
    if (nodes->count > GRAPH_MOST_ASSIGNED)
        return error_set(nodes->error, STATUS_BAD_INPUT,
                         "%u operators to put on streams, expected at most %d", nodes->count,
                         GRAPH_MOST_ASSIGNED);
    TRY(create_nodes(nodes));
    TRY(find_edges(nodes));
    TRY(match_nodes(nodes));
    return set_streams(nodes, most);
}

static enum status assign_regions(struct nodes *nodes, uint32_t most)
{
    TRY(memory_create(&nodes->op, nodes->graph->operators, sizeof(uint32_t), nodes->error));
    TRY(memory_create(&nodes->node, nodes->graph->operators, sizeof(uint32_t), nodes->error));
    for (nodes->region = 0; nodes->region < nodes->graph->regions; nodes->region++) {
        enum status status = assign_region(nodes, most);
        clear_nodes(nodes);
        TRY(status);
    }
    return STATUS_OK;
}

enum status graph_assign_streams(struct graph *graph, uint32_t most, struct error *error)
{
    struct predecessors predecessors;
    struct nodes nodes = {.graph = graph, .predecessors = &predecessors, .error = error};
    assert(most > 0 && graph->streams.count == 1);
    TRY(predecessors_create(graph, false, &predecessors, error));
    enum status status = assign_regions(&nodes, most);
    graph->waits_implied = true;
    predecessors_free(&predecessors);
    memory_free(nodes.op);
    memory_free(nodes.node);
    return status;
}

static bool has_one_predecessor(const struct predecessors *predecessors, uint32_t o)
{
    for (size_t e = predecessors->first[o] + 1; e < predecessors->first[o + 1]; e++)
        if (predecessors->op[e] != predecessors->op[e - 1])
            return false;
    return predecessors->first[o] < predecessors->first[o + 1];
}

/* Whether an edge before this one is from the same operator, of which several results are read. */
static bool is_repeated(const struct predecessors *predecessors, uint32_t o, size_t edge)
{
    for (size_t e = predecessors->first[o]; e < edge; e++)
        if (predecessors->op[e] == predecessors->op[edge])
            return true;
    return false;
}

static void count_successors(const struct graph *graph, const struct predecessors *predecessors,
                             uint32_t *successors)
{
    for (uint32_t o = 0; o < graph->operators; o++)
        for (size_t e = predecessors->first[o]; e < predecessors->first[o + 1]; e++)
            successors[predecessors->op[e]] += !is_repeated(predecessors, o, e);
}

static enum status deal_branches(struct graph *graph, const struct predecessors *predecessors,
                                 uint32_t most, struct error *error)
{
    uint32_t *successors, next = 0;
    TRY(memory_create(&successors, graph->operators, sizeof *successors, error));
    count_successors(graph, predecessors, successors);
    for (uint32_t o = 0; o < graph->operators; o++) {
        size_t first = predecessors->first[o];
        bool goes_on =
            has_one_predecessor(predecessors, o) && successors[predecessors->op[first]] == 1;
        graph->op[o].stream = goes_on ? graph->op[predecessors->op[first]].stream : next++ % most;
    }
    memory_free(successors);
    return name_streams(graph, next < most ? next : most, error);
}

enum status graph_deal_streams(struct graph *graph, uint32_t most, struct error *error)
{
    struct predecessors predecessors;
    assert(most > 0 && graph->streams.count == 1);
    TRY(predecessors_create(graph, false, &predecessors, error));
    enum status status = deal_branches(graph, &predecessors, most, error);
    graph->waits_implied = true;
    predecessors_free(&predecessors);
    return status;
}
