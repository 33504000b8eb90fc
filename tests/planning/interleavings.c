#include "planning/interleavings.h"

#include <string.h>

#include "core/memory.h"
#include "planning/graph/value_bytes.h"
#include "support/must.h"
#include "support/testing.h"

static uint64_t bit_of(uint32_t step)
{
    return UINT64_C(1) << step;
}

/* Where uses of a tensor are noted: those of a loop's result, which is in the place of the
   argument, are apart. */
static uint64_t *find_set(struct interleavings *all, uint32_t tensor)
{
    uint32_t place = all->place[tensor];
    return place == tensor ? &all->uses[tensor] : &all->later_uses[place];
}

/* A use at a step, as a bit, if the way comes by; none for 0. Another turn of a loop, if it has
   any, may come by where this one does not. */
static void use(struct interleavings *all, uint32_t tensor, uint64_t step, uint32_t region)
{
    const struct graph *graph = all->graph;
    uint32_t producer = graph->tensor[tensor].producer, place = all->place[tensor];
    if (place == GRAPH_NONE)
        return;
    *find_set(all, tensor) |= step & all->reference.runs;
    for (uint32_t r = region; r != 0; r = graph->op[graph->region[r].owner].region) {
        uint32_t owner = graph->region[r].owner;
        if (graph->op[owner].loop && all->reference.way->taken[owner] != GRAPH_NONE &&
            (producer == GRAPH_NONE || producer < owner || producer >= graph->op[owner].end))
            *find_set(all, tensor) |= bit_of(all->order->leave_step[owner]) & all->reference.runs;
    }
}

static void make(struct interleavings *all, uint32_t tensor, uint32_t step, uint32_t last)
{
    uint32_t place = all->place[tensor];
    if (place == GRAPH_NONE)
        return;
    if (place == tensor)
        all->born[tensor] = bit_of(step);
    all->there[place] = true;
    *find_set(all, tensor) |= bit_of(step) | bit_of(last);
}

static void use_inputs(struct interleavings *all, uint32_t o)
{
    const struct graph *graph = all->graph;
    const struct graph_operator *op = &graph->op[o];
    uint64_t enter = bit_of(all->order->enter_step[o]), leave = bit_of(all->order->leave_step[o]);
    uint32_t taken = all->reference.way->taken[o];
    for (uint32_t i = 0; i < op->carried.count; i++) {
        const struct graph_carried *carried = &graph->carried[op->carried.first + i];
        use(all, carried->init, enter, op->region);
        use(all, carried->yield, taken != GRAPH_NONE ? leave : 0, op->first_region);
    }
    for (uint32_t i = 0; i < op->inputs.count; i++)
        use(all, graph->list[op->inputs.first + i], enter, op->region);
    for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
        for (uint32_t i = 0; i < graph->region[r].yields.count; i++)
            use(all, graph->list[graph->region[r].yields.first + i],
                taken == r || (op->loop && taken != GRAPH_NONE) ? leave : 0, r);
}

static void find_uses(struct interleavings *all)
{
    const struct graph *graph = all->graph;
    memset(all->born, 0, sizeof all->born);
    memset(all->uses, 0, sizeof all->uses);
    memset(all->later, 0, sizeof all->later);
    memset(all->later_uses, 0, sizeof all->later_uses);
    memset(all->kept, 0, sizeof all->kept);
    memset(all->there, 0, sizeof all->there);
    for (uint32_t t = 0; t < graph->tensors; t++)
        all->place[t] = graph->tensor[t].external ? GRAPH_NONE : t;
    for (uint32_t c = 0; c < graph->carried_count; c++)
        if (!graph->tensor[graph->carried[c].result].external)
            all->place[graph->carried[c].result] = graph->carried[c].argument;
    for (uint32_t i = 0; i < graph->inputs.count; i++)
        all->there[graph->list[graph->inputs.first + i]] = true;
    for (uint32_t o = 0; o < graph->operators; o++)
        if (all->reference.runs >> all->order->enter_step[o] & 1) {
            const struct graph_operator *op = &graph->op[o];
            uint32_t enter = all->order->enter_step[o], leave = all->order->leave_step[o];
            for (uint32_t i = 0; i < op->carried.count; i++) {
                uint32_t argument = graph->carried[op->carried.first + i].argument;
                make(all, argument, enter, enter);
                all->later[argument] = all->later_uses[argument] = bit_of(leave);
            }
            for (uint32_t i = 0; i < op->outputs.count; i++)
                make(all, graph->list[op->outputs.first + i], op->loop ? enter : leave, leave);
        }
    for (uint32_t o = 0; o < graph->operators; o++)
        use_inputs(all, o);
    for (uint32_t i = 0; i < graph->region[0].yields.count; i++)
        if (all->place[graph->list[graph->region[0].yields.first + i]] != GRAPH_NONE)
            all->kept[all->place[graph->list[graph->region[0].yields.first + i]]] = true;
}

/* Steps that have started and those that have ended. */
static void note_state(struct interleavings *all, uint64_t started, uint64_t ended)
{
    uint64_t live = 0;
    for (uint32_t t = 0; t < all->graph->tensors; t++) {
        bool begun = all->there[t] && all->place[t] == t && (all->born[t] & ~started) == 0;
        bool is_handed_in = !started && all->graph->tensor[t].producer == GRAPH_NONE;
        bool is_later = (all->later[t] & ~started) == 0;
        uint64_t uses = all->uses[t] | (is_later ? all->later_uses[t] : 0);
        if (begun && ((all->kept[t] && is_later) || is_handed_in || (uses & ~ended)))
            live |= UINT64_C(1) << t;
    }
    for (uint32_t t = 0; t < all->graph->tensors; t++)
        if (live >> t & 1) {
            all->together[t] |= live;
            all->on_way[all->ways].together[t] |= live;
        }
}

static void explore(struct interleavings *all, uint64_t started, uint64_t ended)
{
    uint32_t state = 0;
    for (uint32_t i = all->steps; i-- > 0;)
        state = 3 * state + (uint32_t)(started >> all->step[i] & 1) +
                (uint32_t)(ended >> all->step[i] & 1);
    if (all->seen[state])
        return;
    all->seen[state] = true;
    note_state(all, started, ended);
    for (uint32_t i = 0; i < all->steps; i++) {
        uint64_t step = bit_of(all->step[i]);
        if (started & step && !(ended & step))
            explore(all, started, ended | step);
        else if (!(started & step) && !(all->reference.waits[all->step[i]] & ~ended))
            explore(all, started | step, ended);
    }
}

/* How many bytes each value has on the way: a result as many as what is yielded. Goes on until
   nothing can change any more. */
static void find_bytes(struct interleavings *all)
{
    const struct graph *graph = all->graph;
    uint64_t *bytes = all->on_way[all->ways].bytes;
    for (uint32_t t = 0; t < graph->tensors; t++)
        bytes[t] = graph->tensor[t].bytes;
    for (uint32_t round = 0; round < graph->operators; round++)
        for (uint32_t o = 0; o < graph->operators; o++)
            for (uint32_t i = 0; i < graph->op[o].outputs.count; i++) {
                const struct graph_operator *op = &graph->op[o];
                uint32_t result = graph->list[op->outputs.first + i];
                if (op->first_region == GRAPH_NONE || op->loop || graph->tensor[result].external)
                    continue;
                uint32_t taken = all->reference.way->taken[o];
                bytes[result] = bytes[graph->list[graph->region[taken].yields.first + i]];
            }
}

bool interleavings_run(struct interleavings *all, const struct graph *graph,
                       const struct happens_before *order)
{
    struct stream_way way = stream_way_first(graph);
    uint64_t *bytes;
    *all = (struct interleavings){.graph = graph, .order = order};
    if (graph->tensors > INTERLEAVINGS_MOST_TENSORS || order->steps > STREAM_MOST_STEPS)
        return false;
    must(value_bytes_create(graph, &bytes, &error));
    memcpy(all->bytes, bytes, graph->tensors * sizeof *bytes);
    memory_free(bytes);
    do {
        if (all->ways == INTERLEAVINGS_MOST_WAYS)
            return false;
        stream_reference_run(&all->reference, graph, order, &way);
        all->steps = 0;
        for (uint32_t s = 0; s < order->steps; s++)
            if (all->reference.runs >> s & 1) {
                if (all->steps == INTERLEAVINGS_MOST_STEPS)
                    return false;
                all->step[all->steps++] = s;
            }
        memset(all->seen, 0, sizeof all->seen);
        find_uses(all);
        find_bytes(all);
        explore(all, 0, 0);
        all->ways++;
    } while (stream_way_next(graph, &way));
    return true;
}

bool interleavings_share_bytes(const struct interleavings *all, const struct placement *placement,
                               uint32_t a, uint32_t b)
{
    if (placement->offset[a] == PROBLEM_FREE || placement->offset[b] == PROBLEM_FREE)
        return false;
    return placement->offset[a] < placement->offset[b] + all->bytes[b] &&
           placement->offset[b] < placement->offset[a] + all->bytes[a];
}

bool interleavings_are_safe(const struct interleavings *all, const struct placement *placement)
{
    const uint64_t *offset = placement->offset;
    for (uint32_t w = 0; w < all->ways; w++)
        for (uint32_t a = 0; a < all->graph->tensors; a++)
            for (uint32_t b = 0; b < a; b++)
                if (all->on_way[w].together[a] >> b & 1 && offset[a] != PROBLEM_FREE &&
                    offset[b] != PROBLEM_FREE && offset[a] < offset[b] + all->on_way[w].bytes[b] &&
                    offset[b] < offset[a] + all->on_way[w].bytes[a])
                    return false;
    return true;
}
