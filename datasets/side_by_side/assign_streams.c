#include "datasets/side_by_side/assign_streams.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/scratch.h"
#include "planning/graph/build.h"
#include "planning/graph/predecessors.h"

/* The operators that a region holds directly are nodes, numbered in the order of the list. */
struct nodes {
    struct graph *graph;
    const struct groups *predecessors;
    uint32_t region, count;
    uint32_t *op;        /* [count] */
    uint32_t *node;      /* [operators] the node that each is, if it is one */
    uint64_t *ancestors; /* [count * words] for each node a bit for each one that must run before */
    uint32_t words;
    uint32_t *first,
        *edge; /* node n depends directly on edge[first[n]] to edge[first[n + 1] - 1] */
    size_t edge_capacity;
    uint32_t *next,
        *previous;       /* [count] the node after and before each on its stream, GRAPH_NONE */
    uint64_t *direct;    /* [words] the dependences of the node at hand */
    uint32_t *queue;     /* [count] for extend_matching: nodes that want a predecessor */
    uint32_t *wanted_by; /* [count] the node that wants each as predecessor, GRAPH_NONE where none
                            does yet */
    struct scratch scratch; /* of the region */
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

/* Lists for each node those that it depends on directly. Of its dependences only those are left
   that no other implies: going from the latest on, one that is an ancestor of an earlier met one is
   implied. */
static enum status find_edges(struct nodes *nodes)
{
    const struct groups *predecessors = nodes->predecessors;
    uint32_t edges = 0;
    for (uint32_t node = 0; node < nodes->count; node++) {
        uint32_t o = nodes->op[node];
        uint64_t *ancestors = get_ancestors(nodes, node), *direct = nodes->direct;
        memset(direct, 0, nodes->words * sizeof *direct);
        for (uint64_t e = predecessors->first[o]; e < predecessors->first[o + 1]; e++) {
            uint32_t earlier = nodes->node[predecessors->item[e]];
            assert(earlier < node);
            direct[earlier / 64] |= UINT64_C(1) << earlier % 64;
        }
        for (uint32_t earlier = node; earlier-- > 0;) {
            if (has(direct, earlier) && has(ancestors, earlier)) {
                direct[earlier / 64] &= ~(UINT64_C(1) << earlier % 64);
            } else if (has(direct, earlier)) {
                const uint64_t *more = get_ancestors(nodes, earlier);
                for (uint32_t w = 0; w < nodes->words; w++)
                    ancestors[w] |= more[w];
                ancestors[earlier / 64] |= UINT64_C(1) << earlier % 64;
            }
        }
        for (uint32_t earlier = 0; earlier < node; earlier++) {
            if (!has(direct, earlier))
                continue;
            TRY(memory_reserve(&nodes->edge, &nodes->edge_capacity, (size_t)edges + 1,
                               sizeof *nodes->edge, nodes->error));
            nodes->edge[edges++] = earlier;
        }
        nodes->first[node + 1] = edges;
    }
    return STATUS_OK;
}

/* Searches, breadth first, for a way to give the node a predecessor on its stream, where nodes that
   have one already may take another one instead. */
static void extend_matching(const struct nodes *nodes, uint32_t node)
{
    uint32_t *queue = nodes->queue, *wanted_by = nodes->wanted_by, tail = 0;
    queue[tail++] = node;
    memset(wanted_by, 0xff, nodes->count * sizeof *wanted_by);
    for (uint32_t head = 0; head < tail; head++)
        for (uint32_t e = nodes->first[queue[head]]; e < nodes->first[queue[head] + 1]; e++) {
            uint32_t earlier = nodes->edge[e];
            if (wanted_by[earlier] != GRAPH_NONE)
                continue;
            wanted_by[earlier] = queue[head];
            if (nodes->next[earlier] != GRAPH_NONE) {
                assert(tail < nodes->count);
                queue[tail++] = nodes->next[earlier];
                continue;
            }
            while (earlier != GRAPH_NONE) {
                uint32_t later = wanted_by[earlier], given_up = nodes->previous[later];
                assert(earlier < later);
                nodes->next[earlier] = later;
                nodes->previous[later] = earlier;
                earlier = given_up;
            }
            return;
        }
}

static enum status name_streams(struct graph *graph, uint32_t streams, struct error *error)
{
    for (uint32_t s = graph->streams.count; s < streams; s++) {
        char name[32];
        snprintf(name, sizeof name, "side%u", s);
        TRY(graph_add_stream(graph, name, "", &(uint32_t){0}, error));
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
        assert(stream < most);
        for (uint32_t inner = nodes->op[n]; inner < graph->op[nodes->op[n]].end; inner++)
            graph->op[inner].stream = stream;
        most_used = most_used <= stream ? stream + 1 : most_used;
    }
    return name_streams(graph, most_used, nodes->error);
}

static enum status assign_region(struct nodes *nodes, uint32_t most)
{
    struct scratch *scratch = &nodes->scratch;
    struct error *error = nodes->error;
    const struct graph *graph = nodes->graph;
    const struct graph_region *region = &graph->region[nodes->region];
    nodes->count = 0;
    for (uint32_t o = region->begin; o < region->end; o = graph->op[o].end) {
        nodes->op[nodes->count] = o;
        nodes->node[o] = nodes->count++;
    }
    size_t count = nodes->count, item = sizeof(uint32_t);
    if (count > GRAPH_MOST_ASSIGNED)
        return error_set(error, STATUS_BAD_INPUT,
                         "%u operators to put on streams, expected at most %d", nodes->count,
                         GRAPH_MOST_ASSIGNED);
    nodes->words = nodes->count / 64 + 1;
    assert(nodes->count <= graph->operators);
    TRY(scratch_take(scratch, &nodes->ancestors, count, nodes->words * sizeof(uint64_t), error));
    TRY(scratch_take(scratch, &nodes->direct, nodes->words, sizeof(uint64_t), error));
    TRY(scratch_take(scratch, &nodes->first, count + 1, item, error));
    TRY(scratch_take(scratch, &nodes->next, count, item, error));
    TRY(scratch_take(scratch, &nodes->previous, count, item, error));
    TRY(scratch_take(scratch, &nodes->queue, count, item, error));
    TRY(scratch_take(scratch, &nodes->wanted_by, count, item, error));
    TRY(find_edges(nodes));
    memset(nodes->next, 0xff, count * item);
    memset(nodes->previous, 0xff, count * item);
    for (uint32_t n = 0; n < count; n++)
        extend_matching(nodes, n);
    return set_streams(nodes, most);
}

static void free_nodes(struct nodes *nodes)
{
    scratch_free(&nodes->scratch);
    memory_free(nodes->edge);
}

enum status graph_assign_streams(struct graph *graph, uint32_t most, struct error *error)
{
    SCOPED(groups_free) struct groups predecessors = {0};
    SCOPED(scratch_free) struct scratch scratch = {0};
    SCOPED(free_nodes)
    struct nodes nodes = {.graph = graph, .predecessors = &predecessors, .error = error};
    assert(most > 0 && graph->streams.count == 1);
    graph->waits_implied = true;
    TRY(predecessors_create(graph, false, &predecessors, error));
    TRY(scratch_take_all(&scratch, graph->operators, error, &nodes.op, &nodes.node));
    for (; nodes.region < graph->regions; nodes.region++) {
        TRY(assign_region(&nodes, most));
        scratch_free(&nodes.scratch);
    }
    return STATUS_OK;
}

enum status graph_deal_streams(struct graph *graph, uint32_t most, struct error *error)
{
    struct degree {
        uint32_t predecessors, successors;
    } * degree;
    SCOPED(groups_free) struct groups predecessors = {0};
    SCOPED(scratch_free) struct scratch scratch = {0};
    uint32_t next = 0;
    assert(most > 0 && graph->streams.count == 1);
    TRY(predecessors_create(graph, false, &predecessors, error));
    TRY(scratch_take(&scratch, &degree, graph->operators, sizeof *degree, error));
    for (uint32_t o = 0; o < graph->operators; o++)
        for (uint64_t e = predecessors.first[o]; e < predecessors.first[o + 1]; e++) {
            uint64_t same = predecessors.first[o];
            while (predecessors.item[same] != predecessors.item[e])
                same++;
            if (same < e)
                continue; /* several of its results are read */
            degree[o].predecessors++;
            degree[predecessors.item[e]].successors++;
        }
    for (uint32_t o = 0; o < graph->operators; o++) {
        const uint32_t *before = predecessors.item + predecessors.first[o];
        bool goes_on = degree[o].predecessors == 1 && degree[*before].successors == 1;
        assert(!goes_on || *before < o);
        graph->op[o].stream = goes_on ? graph->op[*before].stream : next++ % most;
    }
    graph->waits_implied = true;
    return name_streams(graph, next < most ? next : most, error);
}
