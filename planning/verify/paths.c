#include "planning/verify/paths.h"

#include <assert.h>

#include "planning/verify/copies.h"
#include "planning/verify/devices.h"
#include "planning/verify/extents.h"
#include "planning/verify/needed.h"
#include "planning/verify/streams.h"
#include "planning/verify/writes.h"

/* Two tensors are in each other's way exactly when one is written while the other is still needed,
   so it is enough to look at what is needed whenever something is written. Lifetimes on the line of
   steps would say too much: after an If, the place of what one branch passes through and the place
   of what another one makes are both occupied, yet on no path by both. */

static void check_all_written(struct verify_walk *walk, struct span tensors, uint32_t step)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        verify_check_written(walk, walk->graph->list[tensors.first + i], GRAPH_NONE, step);
}

/* The place that the output may be written over: nobody needs that but the output's operator, which
   reads it once at most. */
static uint32_t find_overwritten(const struct verify_walk *walk, uint32_t o, uint32_t output)
{
    struct span inputs = walk->graph->op[o].inputs;
    uint32_t reads = 0;
    for (uint32_t i = 0; i < inputs.count; i++)
        reads += walk->graph->list[inputs.first + i] == walk->overwrites[output];
    return reads > 1 ? GRAPH_NONE : verify_find_overwritable(walk, output, reads);
}

/* Checks the outputs of an operator twice. At first, before its inputs are needed, walk->needs has
   only what is needed afterwards: no output may lie on that, whatever it overwrites. Then its
   inputs are needed, too. */
static void walk_plain(struct verify_walk *walk, uint32_t o)
{
    const struct graph_operator *plain = &walk->graph->op[o];
    const uint32_t *output = walk->graph->list + plain->outputs.first;
    assert(plain->first_region == GRAPH_NONE);
    verify_needs_add_all(&walk->needs, plain->outputs);
    for (uint32_t i = 0; i < plain->outputs.count; i++)
        if (walk->overwrites[output[i]] != GRAPH_NONE)
            verify_check_written(walk, output[i], verify_find_overwritable(walk, output[i], 0),
                                 walk->step[o]);
    verify_needs_add_all(&walk->needs, plain->inputs);
    for (uint32_t i = 0; i < plain->outputs.count; i++)
        verify_check_written(walk, output[i], find_overwritten(walk, o, output[i]), walk->step[o]);
    verify_needs_drop_all(&walk->needs, plain->outputs);
}

static enum status walk_region(struct verify_walk *walk, uint32_t region);

static enum status walk_branches(struct verify_walk *walk, uint32_t o)
{
    const struct graph_operator *branching = &walk->graph->op[o];
    const struct graph_region *region = walk->graph->region;
    assert(branching->first_region != GRAPH_NONE && !branching->loop);
    verify_needs_drop_all(&walk->needs, branching->outputs);
    const struct verify_branches branches = verify_needs_begin(&walk->needs);
    for (uint32_t r = branching->first_region; r != GRAPH_NONE && !walk->verdict->fault;
         r = region[r].next) {
        TRY(verify_check_leave(walk, o, r));
        verify_needs_add_all(&walk->needs, region[r].yields);
        TRY(walk_region(walk, r));
        if (region[r].next != GRAPH_NONE)
            verify_needs_rewind(&walk->needs, &branches);
    }
    verify_needs_end(&walk->needs, &branches);
    verify_needs_add_all(&walk->needs, branching->inputs);
    return verify_needs_check(&walk->needs, walk->error);
}

static void need_outer(struct verify_walk *walk, uint32_t loop, uint32_t tensor)
{
    uint32_t producer = walk->graph->tensor[tensor].producer;
    assert(walk->graph->op[loop].loop);
    if (producer == GRAPH_NONE || producer < loop)
        verify_needs_add(&walk->needs, tensor);
}

static void need_all_outer(struct verify_walk *walk, uint32_t loop, struct span tensors)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        need_outer(walk, loop, walk->graph->list[tensors.first + i]);
}

/* Whatever the body reads from outside is needed throughout the loop, as the next turn reads it
   again. */
static void need_read_in_body(struct verify_walk *walk, uint32_t loop)
{
    const struct graph *graph = walk->graph;
    for (uint32_t o = loop + 1; o < graph->op[loop].end; o++) {
        const struct graph_operator *reader = &graph->op[o];
        need_all_outer(walk, loop, reader->inputs);
        for (uint32_t r = reader->first_region; r != GRAPH_NONE; r = graph->region[r].next)
            need_all_outer(walk, loop, graph->region[r].yields);
        for (uint32_t c = 0; c < reader->carried.count; c++) {
            need_outer(walk, loop, graph->carried[reader->carried.first + c].init);
            need_outer(walk, loop, graph->carried[reader->carried.first + c].yield);
        }
    }
}

/* The results of a loop are its arguments, all of which a turn leaves for the next one. */
static void need_arguments(struct verify_walk *walk, uint32_t o)
{
    const struct graph_operator *loop = &walk->graph->op[o];
    const struct graph_carried *carried = walk->graph->carried + loop->carried.first;
    for (uint32_t c = 0; c < loop->carried.count; c++)
        verify_needs_drop(&walk->needs, carried[c].result);
    for (uint32_t c = 0; c < loop->carried.count; c++)
        verify_needs_add(&walk->needs, carried[c].argument);
}

static void drop_arguments(struct verify_walk *walk, uint32_t o)
{
    const struct graph_operator *loop = &walk->graph->op[o];
    for (uint32_t c = 0; c < loop->carried.count; c++)
        verify_needs_drop(&walk->needs, walk->graph->carried[loop->carried.first + c].argument);
}

/* Walks the regions of a loop back, the last one first: they run one after another in each turn. */
static enum status walk_turn(struct verify_walk *walk, uint32_t region)
{
    if (region == GRAPH_NONE)
        return STATUS_OK;
    TRY(walk_turn(walk, walk->graph->region[region].next));
    return walk_region(walk, region);
}

/* All that a loop writes outside its body, it writes from the step that enters it. */
static enum status walk_entering(struct verify_walk *walk, uint32_t o)
{
    const struct graph *graph = walk->graph;
    const struct graph_operator *loop = &graph->op[o];
    const struct graph_carried *carried = graph->carried + loop->carried.first;
    TRY(verify_check_enter(walk, o));
    verify_needs_add_all(&walk->needs, loop->inputs);
    for (uint32_t c = 0; c < loop->carried.count; c++)
        verify_needs_add(&walk->needs, carried[c].init);
    check_all_written(walk, loop->outputs, walk->step[o]);
    drop_arguments(walk, o);
    verify_needs_drop_all(&walk->needs, loop->outputs);
    return STATUS_OK;
}

/* What is needed when a turn ends is what is needed when the loop is left, and what the next turn
   reads. The body makes the arguments again, so before that it may do without them. */
static enum status walk_loop(struct verify_walk *walk, uint32_t o)
{
    const struct graph *graph = walk->graph;
    const struct graph_operator *loop = &graph->op[o];
    assert(loop->loop);
    verify_needs_add_all(&walk->needs, loop->outputs);
    need_arguments(walk, o);
    need_read_in_body(walk, o);
    TRY(verify_check_turn_end(walk, o));
    drop_arguments(walk, o);
    for (uint32_t r = loop->first_region; r != GRAPH_NONE; r = graph->region[r].next)
        verify_needs_add_all(&walk->needs, graph->region[r].yields);
    for (uint32_t c = 0; c < loop->carried.count; c++)
        verify_needs_add(&walk->needs, graph->carried[loop->carried.first + c].yield);
    TRY(walk_turn(walk, loop->first_region));
    need_arguments(walk, o);
    return walk_entering(walk, o);
}

static enum status walk_region(struct verify_walk *walk, uint32_t region)
{
    const struct graph *graph = walk->graph;
    uint32_t end = graph->region[region].end;
    while (end > graph->region[region].begin && !walk->verdict->fault) {
        uint32_t o = end - 1; /* then the one around it that the region holds directly */
        while (graph->op[o].region != region)
            o = graph->region[graph->op[o].region].owner;
        assert(o < end && graph->op[o].end == end);
        if (graph->op[o].first_region == GRAPH_NONE)
            walk_plain(walk, o);
        else if (graph->op[o].loop)
            TRY(walk_loop(walk, o));
        else
            TRY(walk_branches(walk, o));
        end = o;
    }
    return STATUS_OK;
}

static enum status walk_graph(struct verify_walk *walk)
{
    const struct graph *graph = walk->graph;
    assert(walk->needs.needed.count == 0);
    verify_needs_add_all(&walk->needs, graph->region[0].yields);
    TRY(walk_region(walk, 0));
    if (walk->verdict->fault)
        return STATUS_OK;
    assert(walk->needs.open_branches == 0);
    verify_needs_add_all(&walk->needs, graph->inputs);
    check_all_written(walk, graph->inputs, 0);
    return STATUS_OK;
}

/* An operator with regions takes one step for entering and one for leaving. */
static enum status number_steps(struct verify_walk *walk)
{
    const struct graph *graph = walk->graph;
    uint32_t steps = 0;
    struct scratch *scratch = &walk->needs.scratch;
    TRY(scratch_take(scratch, &walk->step, graph->operators, sizeof(uint32_t), walk->error));
    TRY(scratch_take(scratch, &walk->leave_step, graph->operators, sizeof(uint32_t), walk->error));
    for (uint32_t last = 0; last < graph->operators; last++) {
        walk->step[last] = walk->leave_step[last] = steps++;
        for (uint32_t o = last; o != GRAPH_NONE && graph->op[o].end == last + 1;
             o = graph->region[graph->op[o].region].owner)
            if (graph->op[o].first_region != GRAPH_NONE)
                walk->leave_step[o] = steps++;
    }
    assert(steps >= graph->operators);
    return STATUS_OK;
}

/* Checks the extents of each tensor by themselves. */
static enum status check_places(struct verify_walk *walk)
{
    const struct placement *placement = walk->placement;
    uint32_t tensor;
    for (uint32_t t = 0; t < walk->graph->tensors && !walk->verdict->fault; t++)
        if (verify_needs_has_place(&walk->needs, t)) {
            walk->verdict->fault =
                verify_extents(placement->extents, t, placement->offset[t], walk->needs.bytes[t]);
            walk->verdict->first = walk->verdict->fault ? t : 0;
        }
    if (walk->verdict->fault || !placement->extents)
        return STATUS_OK;
    TRY(verify_extents_apart(placement->extents, &tensor, walk->error));
    if (tensor < walk->graph->tensors)
        *walk->verdict = (struct verdict){.fault = VERIFY_SELF_OVERLAP, .first = tensor};
    return STATUS_OK;
}

/* No fault was found so far. */
static bool is_right(const struct verdict *verdict)
{
    return verdict->fault == VERIFY_VALID || verdict->fault == VERIFY_SAMPLED;
}

/* A block may be larger than what lies in it, so the peak need not be reached. */
static void check_peak(struct verify_walk *walk)
{
    for (uint32_t t = 0; t < walk->graph->tensors && is_right(walk->verdict); t++)
        if (verify_needs_has_place(&walk->needs, t) &&
            extents_end(walk->placement->extents, t, walk->placement->offset[t],
                        walk->needs.bytes[t]) > walk->placement->measures.peak_bytes)
            *walk->verdict = (struct verdict){.fault = VERIFY_WRONG_PEAK, .first = t};
}

static enum status check_all(struct verify_walk *walk)
{
    TRY(verify_needs_create(&walk->needs, walk->graph, walk->placement, walk->error));
    TRY(number_steps(walk));
    TRY(verify_find_overwrites(walk));
    TRY(check_places(walk));
    if (!walk->verdict->fault)
        TRY(graph_has_streams(walk->graph)
                ? verify_streams(walk->graph, walk->placement, walk->verdict, walk->error)
                : walk_graph(walk));
    check_peak(walk);
    if (is_right(walk->verdict))
        TRY(verify_devices(walk->graph, walk->placement, walk->verdict, walk->error));
    return STATUS_OK;
}

enum status verify_paths(const struct graph *graph, const struct placement *placement,
                         struct verdict *verdict, struct error *error)
{
    struct verify_walk walk = {
        .graph = graph, .placement = placement, .verdict = verdict, .error = error};
    *verdict = (struct verdict){.fault = VERIFY_VALID};
    if (placement->tensors != graph->tensors) {
        verdict->fault = VERIFY_WRONG_COUNT;
        return STATUS_OK;
    }
    enum status status = check_all(&walk);
    verify_needs_free(&walk.needs);
    return status;
}
