#include "solvers/order_exact/bounds/flow.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"

#define NO_ARC UINT32_MAX
#define NO_LEVEL UINT32_MAX

void flow_free(struct flow *flow)
{
    memory_free_all(flow->arc, flow->first, flow->current, flow->level, flow->queue);
    *flow = (struct flow){0};
}

enum status flow_start(struct flow *flow, uint32_t vertices, struct error *error)
{
    TRY(memory_reserve(&flow->first, &flow->first_capacity, vertices, sizeof(uint32_t), error));
    TRY(memory_reserve(&flow->current, &flow->current_capacity, vertices, sizeof(uint32_t), error));
    TRY(memory_reserve(&flow->level, &flow->level_capacity, vertices, sizeof(uint32_t), error));
    TRY(memory_reserve(&flow->queue, &flow->queue_capacity, vertices, sizeof(uint32_t), error));
    assert(vertices > FLOW_SINK);
    memset(flow->first, 0xff, vertices * sizeof(uint32_t));
    flow->vertices = vertices;
    flow->arcs = 0;
    return STATUS_OK;
}

enum status flow_add_arc(struct flow *flow, uint32_t from, uint32_t to, uint64_t capacity,
                         struct error *error)
{
    assert(from < flow->vertices && to < flow->vertices);
    TRY(memory_reserve(&flow->arc, &flow->arc_capacity, (size_t)flow->arcs + 2, sizeof *flow->arc,
                       error));
    flow->arc[flow->arcs] = (struct flow_arc){to, flow->first[from], capacity};
    flow->first[from] = flow->arcs++;
    flow->arc[flow->arcs] = (struct flow_arc){from, flow->first[to], 0};
    flow->first[to] = flow->arcs++;
    return STATUS_OK;
}

/* A tie is two pairs of arcs, one from the source and one to the sink. The pair in use has no limit
   in either direction, the other one has no capacity. */
enum { TIE_TO_SINK = 2 };

enum status flow_add_tie(struct flow *flow, uint32_t vertex, uint32_t *tie, struct error *error)
{
    assert(vertex > FLOW_SINK && vertex < flow->vertices);
    *tie = flow->arcs;
    TRY(flow_add_arc(flow, FLOW_SOURCE, vertex, 0, error));
    TRY(flow_add_arc(flow, vertex, FLOW_SINK, FLOW_UNLIMITED, error));
    assert(flow->arc[*tie + 1].to == FLOW_SOURCE && flow->arc[*tie + TIE_TO_SINK].to == FLOW_SINK);
    flow->arc[*tie + TIE_TO_SINK + 1].left = FLOW_UNLIMITED;
    return STATUS_OK;
}

/* The flow that went through the pair of arcs in use now goes through the other pair, with the
   other sign: what ended at the sink ends at the source, and the other way round. */
uint64_t flow_turn_tie(struct flow *flow, uint32_t tie, uint32_t end)
{
    assert(tie + TIE_TO_SINK + 1 < flow->arcs);
    assert(end == FLOW_SOURCE || end == FLOW_SINK);
    struct flow_arc *to = &flow->arc[end == FLOW_SINK ? tie + TIE_TO_SINK : tie];
    struct flow_arc *from = &flow->arc[end == FLOW_SINK ? tie : tie + TIE_TO_SINK];
    if (to[0].left || to[1].left)
        return 0;
    uint64_t sent = FLOW_UNLIMITED - from[0].left;
    to[0].left = FLOW_UNLIMITED + sent;
    to[1].left = FLOW_UNLIMITED - sent;
    from[0].left = from[1].left = 0;
    return sent;
}

/* Gives each vertex its distance from the source along arcs with capacity left; false if the sink
   is not reached. */
static bool find_levels(struct flow *flow)
{
    uint32_t head = 0, tail = 0;
    memset(flow->level, 0xff, flow->vertices * sizeof(uint32_t));
    flow->level[FLOW_SOURCE] = 0;
    flow->queue[tail++] = FLOW_SOURCE;
    while (head < tail && flow->level[FLOW_SINK] == NO_LEVEL) {
        uint32_t from = flow->queue[head++];
        for (uint32_t a = flow->first[from]; a != NO_ARC; a = flow->arc[a].next) {
            const struct flow_arc *arc = &flow->arc[a];
            if (!arc->left || flow->level[arc->to] != NO_LEVEL)
                continue;
            flow->level[arc->to] = flow->level[from] + 1;
            flow->queue[tail++] = arc->to;
        }
    }
    assert(head <= tail && tail <= flow->vertices);
    return flow->level[FLOW_SINK] != NO_LEVEL;
}

/* Sends flow along one path after another, each of which goes up one level with each arc, until
   there is none left. The queue holds the arcs of the path at hand. */
static uint64_t send_all(struct flow *flow, uint64_t limit)
{
    uint64_t sum = 0;
    uint32_t at = FLOW_SOURCE, length = 0;
    memcpy(flow->current, flow->first, flow->vertices * sizeof(uint32_t));
    while (sum < limit) {
        if (at == FLOW_SINK) {
            uint64_t sent = limit - sum;
            for (uint32_t i = 0; i < length; i++)
                if (flow->arc[flow->queue[i]].left < sent)
                    sent = flow->arc[flow->queue[i]].left;
            for (uint32_t i = 0; i < length; i++) {
                flow->arc[flow->queue[i]].left -= sent;
                flow->arc[flow->queue[i] ^ 1].left += sent;
            }
            assert(sent > 0 && sent <= limit - sum);
            sum += sent;
            at = FLOW_SOURCE;
            length = 0;
            continue;
        }
        uint32_t *next = &flow->current[at];
        for (; *next != NO_ARC; *next = flow->arc[*next].next)
            if (flow->arc[*next].left && flow->level[flow->arc[*next].to] == flow->level[at] + 1)
                break;
        if (*next != NO_ARC) {
            assert(length + 1 < flow->vertices);
            flow->queue[length++] = *next;
            at = flow->arc[*next].to;
            continue;
        }
        if (!length)
            break;
        uint32_t a = flow->queue[--length]; /* no path goes on behind this arc */
        at = flow->arc[a ^ 1].to;
        flow->current[at] = flow->arc[a].next;
    }
    return sum;
}

uint64_t flow_run(struct flow *flow, uint64_t limit)
{
    uint64_t sum = 0;
    while (sum < limit && find_levels(flow))
        sum += send_all(flow, limit - sum);
    return sum;
}

/* Gives a level to each vertex that can reach the sink, found backwards from there. All others are
   on the source's side. */
void flow_find_sides(struct flow *flow)
{
    uint32_t head = 0, tail = 0;
    memset(flow->level, 0xff, flow->vertices * sizeof(uint32_t));
    flow->level[FLOW_SINK] = 0;
    flow->queue[tail++] = FLOW_SINK;
    while (head < tail) {
        uint32_t to = flow->queue[head++];
        for (uint32_t a = flow->first[to]; a != NO_ARC; a = flow->arc[a].next) {
            uint32_t from = flow->arc[a].to;
            if (!flow->arc[a ^ 1].left || flow->level[from] != NO_LEVEL)
                continue;
            flow->level[from] = 0;
            flow->queue[tail++] = from;
        }
    }
}

bool flow_is_beside_source(const struct flow *flow, uint32_t vertex)
{
    assert(vertex < flow->vertices);
    return flow->level[vertex] == NO_LEVEL;
}
