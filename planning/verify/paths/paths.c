#include "planning/verify/paths/paths.h"

#include <assert.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"
#include "planning/verify/extents.h"
#include "planning/verify/paths/writes.h"
#include "planning/verify/streams/streams.h"

/* Two tensors must not share bytes exactly when one is written while the other is still needed, so
   it is enough to look at what is needed whenever something is written. Lifetimes on the line of
   steps would say too much: after an If, the place of what one branch passes through and the place
   of what another one makes are both occupied, yet on no path by both. */

static void check_all_written(struct verify_walk *walk, struct span tensors, uint32_t step)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        verify_check_written(walk, walk->graph->list[tensors.first + i], GRAPH_NONE, step);
}

/* Checks the outputs of an operator twice. At first, before its inputs are needed, walk->needs has
   only what is needed afterwards: no output may lie on that, whatever it overwrites. Then its
   inputs are needed, too, and an output may lie on one that nobody else needs and that the operator
   reads once at most. */
static void walk_plain(struct verify_walk *walk, uint32_t o)
{
    const struct graph_operator *plain = &walk->graph->op[o];
    const uint32_t *list = walk->graph->list, *output = list + plain->outputs.first;
    assert(plain->first_region == GRAPH_NONE);
    verify_needs_set_all(&walk->needs, plain->outputs, true);
    for (uint32_t i = 0; i < plain->outputs.count; i++)
        if (walk->overwrites[output[i]] != GRAPH_NONE)
            verify_check_written(walk, output[i], verify_find_overwritable(walk, output[i], 0),
                                 walk->step[o]);
    verify_needs_set_all(&walk->needs, plain->inputs, true);
    for (uint32_t i = 0; i < plain->outputs.count; i++) {
        uint32_t reads = 0, overwritable = GRAPH_NONE;
        for (uint32_t j = 0; j < plain->inputs.count; j++)
            reads += list[plain->inputs.first + j] == walk->overwrites[output[i]];
        if (reads <= 1)
            overwritable = verify_find_overwritable(walk, output[i], reads);
        verify_check_written(walk, output[i], overwritable, walk->step[o]);
    }
    verify_needs_set_all(&walk->needs, plain->outputs, false);
}

static enum status walk_region(struct verify_walk *walk, uint32_t region);

static enum status walk_branches(struct verify_walk *walk, uint32_t o)
{
    const struct graph_operator *branching = &walk->graph->op[o];
    const struct graph_region *region = walk->graph->region;
    assert(graph_has_branches(walk->graph, o));
    verify_needs_set_all(&walk->needs, branching->outputs, false);
    const struct verify_branches branches = verify_needs_begin(&walk->needs);
    assert(branching->outputs.count == region[branching->first_region].yields.count);
    for (uint32_t r = branching->first_region; r != GRAPH_NONE && !walk->verdict->fault;
         r = region[r].next) {
        TRY(verify_check_leave(walk, o, r));
        verify_needs_set_all(&walk->needs, region[r].yields, true);
        TRY(walk_region(walk, r));
        if (region[r].next != GRAPH_NONE)
            verify_needs_rewind(&walk->needs, &branches);
    }
    verify_needs_end(&walk->needs, &branches);
    assert(walk->needs.change.count >= branches.change);
    verify_needs_set_all(&walk->needs, branching->inputs, true);
    return walk->needs.failed ? error_no_memory(walk->error) : STATUS_OK;
}

static void need_outer(struct verify_walk *walk, uint32_t loop, uint32_t tensor)
{
    uint32_t producer = walk->graph->tensor[tensor].producer;
    assert(loop < walk->graph->operators);
    assert(walk->graph->op[loop].loop);
    if (producer == GRAPH_NONE || producer < loop)
        verify_needs_set(&walk->needs, tensor, true);
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

static void set_arguments(struct verify_walk *walk, uint32_t o, bool needed)
{
    assert(walk->graph->op[o].loop);
    struct span carried = walk->graph->op[o].carried;
    for (uint32_t c = 0; c < carried.count; c++)
        verify_needs_set(&walk->needs, walk->graph->carried[carried.first + c].argument, needed);
}

/* Walks the regions of a loop back, the last one first: they run one after another in each turn. */
static enum status walk_turn(struct verify_walk *walk, uint32_t region)
{
    if (region == GRAPH_NONE)
        return STATUS_OK;
    TRY(walk_turn(walk, walk->graph->region[region].next));
    return walk_region(walk, region);
}

/* What is needed when a turn ends is what is needed when the loop is left, and what the next turn
   reads. The results are the arguments, all of which a turn leaves for the next one; the body makes
   them again, so before that it may do without them. */
static enum status walk_loop(struct verify_walk *walk, uint32_t o)
{
    const struct graph *graph = walk->graph;
    const struct graph_operator *loop = &graph->op[o];
    const struct graph_carried *carried = graph->carried + loop->carried.first;
    assert(loop->loop);
    verify_needs_set_all(&walk->needs, loop->outputs, true);
    for (uint32_t c = 0; c < loop->carried.count; c++)
        verify_needs_set(&walk->needs, carried[c].result, false);
    set_arguments(walk, o, true);
    need_read_in_body(walk, o);
    TRY(verify_check_arguments(walk, o, false));

    set_arguments(walk, o, false);
    for (uint32_t r = loop->first_region; r != GRAPH_NONE; r = graph->region[r].next)
        verify_needs_set_all(&walk->needs, graph->region[r].yields, true);
    for (uint32_t c = 0; c < loop->carried.count; c++)
        verify_needs_set(&walk->needs, carried[c].yield, true);
    TRY(walk_turn(walk, loop->first_region));

    /* All that a loop writes outside its body, it writes from the step that enters it. */
    set_arguments(walk, o, true);
    TRY(verify_check_arguments(walk, o, true));
    verify_needs_set_all(&walk->needs, loop->inputs, true);
    for (uint32_t c = 0; c < loop->carried.count; c++)
        verify_needs_set(&walk->needs, carried[c].init, true);
    check_all_written(walk, loop->outputs, walk->step[o]);
    set_arguments(walk, o, false);
    verify_needs_set_all(&walk->needs, loop->outputs, false);
    return STATUS_OK;
}

static enum status walk_region(struct verify_walk *walk, uint32_t region)
{
    const struct graph *graph = walk->graph;
    uint32_t end = graph->region[region].end;
    while (end > graph->region[region].begin && !walk->verdict->fault) {
        uint32_t o = end - 1; /* then the one around it that the region holds directly */
        assert(o >= graph->region[region].begin);
        while (graph->op[o].region != region)
            o = graph_owner(graph, o);
        assert(o < end && graph->op[o].end == end);
        if (graph->op[o].first_region == GRAPH_NONE)
            walk_plain(walk, o);
        else
            TRY(graph->op[o].loop ? walk_loop(walk, o) : walk_branches(walk, o));
        end = o;
    }
    return STATUS_OK;
}

/* Checks the extents of each tensor by themselves. */
static enum status check_places(struct verify_walk *walk)
{
    const struct placement *placement = walk->placement;
    uint32_t tensor;
    for (uint32_t t = 0; t < walk->graph->tensors; t++) {
        if (!verify_needs_has_place(&walk->needs, t))
            continue;
        *walk->verdict =
            (struct verdict){.first = t,
                             .fault = verify_extents(placement->extents, t, placement->offset[t],
                                                     walk->needs.bytes[t])};
        if (walk->verdict->fault)
            return STATUS_OK;
    }
    walk->verdict->first = 0;
    if (!placement->extents)
        return STATUS_OK;
    TRY(verify_extents_apart(placement->extents, &tensor, walk->error));
    if (tensor < walk->graph->tensors)
        *walk->verdict = (struct verdict){.fault = VERIFY_SELF_OVERLAP, .first = tensor};
    return STATUS_OK;
}

/* Bytes [offset, end) that a tensor occupies. */
struct piece {
    uint64_t offset, end;
    uint32_t tensor;
};

COMPARE_MEMBERS(compare_pieces, struct piece, offset, tensor)

/* Looks for tensors of different devices that share bytes. The extents of every tensor are right.
   Of the pieces so far, by offset, only two matter to the next one: that which reaches farthest,
   and that which reaches farthest of all on other devices than the first one's. */
static enum status check_devices(struct verify_walk *walk)
{
    const struct graph_tensor *tensor = walk->graph->tensor;
    SCOPED(memory_release) struct piece *piece = NULL;
    struct piece farthest = {0, 0, 0}, other = {0, 0, 0};
    size_t pieces = 0, capacity = 0;
    struct extent extent;
    if (!graph_has_devices(walk->graph))
        return STATUS_OK;
    for (uint32_t t = 0; t < walk->graph->tensors; t++) {
        struct extents_walk extents = placement_begin(walk->placement, t, tensor[t].bytes);
        while (walk->placement->offset[t] != PROBLEM_FREE && extents_next(&extents, &extent)) {
            TRY(memory_reserve(&piece, &capacity, pieces + 1, sizeof *piece, walk->error));
            piece[pieces++] = (struct piece){extent.offset, extent.offset + extent.bytes, t};
        }
    }
    if (pieces)
        qsort(piece, pieces, sizeof *piece, compare_pieces);
    for (size_t i = 0; i < pieces; i++) {
        bool same = tensor[farthest.tensor].device == tensor[piece[i].tensor].device;
        const struct piece *foreign = same ? &other : &farthest;
        assert(other.end <= farthest.end);
        if (foreign->end > piece[i].offset) {
            *walk->verdict = (struct verdict){
                .fault = VERIFY_DEVICES, .first = foreign->tensor, .second = piece[i].tensor};
            return STATUS_OK;
        }
        if (piece[i].end > farthest.end) {
            other = same ? other : farthest;
            farthest = piece[i];
        } else if (!same && piece[i].end > other.end)
            other = piece[i];
    }
    return STATUS_OK;
}

/* No fault was found so far. */
static bool is_right(const struct verdict *verdict)
{
    return verdict->fault == VERIFY_VALID || verdict->fault == VERIFY_SAMPLED;
}

static enum status walk_graph(struct verify_walk *walk)
{
    const struct graph *graph = walk->graph;
    assert(walk->needs.needed.count == 0);
    verify_needs_set_all(&walk->needs, graph->region[0].yields, true);
    TRY(walk_region(walk, 0));
    if (walk->verdict->fault)
        return STATUS_OK;
    assert(walk->needs.open_branches == 0);
    verify_needs_set_all(&walk->needs, graph->inputs, true);
    check_all_written(walk, graph->inputs, 0);
    return STATUS_OK;
}

static void free_walk(struct verify_walk *walk)
{
    verify_needs_free(&walk->needs);
}

enum status verify_paths(const struct graph *graph, const struct placement *placement,
                         struct verdict *verdict, struct error *error)
{
    SCOPED(free_walk)
    struct verify_walk walk = {
        .graph = graph, .placement = placement, .verdict = verdict, .error = error};
    struct scratch *scratch = &walk.needs.scratch;
    *verdict = (struct verdict){.fault = VERIFY_VALID};
    if (placement->tensors != graph->tensors) {
        verdict->fault = VERIFY_WRONG_COUNT;
        return STATUS_OK;
    }
    TRY(verify_needs_create(&walk.needs, graph, placement, error));
    TRY(scratch_take_all(scratch, graph->operators, error, &walk.step, &walk.leave_step));
    TRY(scratch_take(scratch, &walk.overwrites, graph->tensors, sizeof(uint32_t), error));
    graph_number_steps(graph, walk.step, walk.leave_step);
    for (uint32_t t = 0; t < graph->tensors; t++) {
        bool writes = placement->overwrites[t] < graph->tensors && !placement->is_view[t];
        walk.overwrites[t] = writes ? placement->overwrites[t] : GRAPH_NONE;
    }
    assert(walk.needs.occupied.count == graph->tensors);
    TRY(check_places(&walk));
    if (!verdict->fault)
        TRY(graph_has_streams(graph) ? verify_streams(graph, placement, verdict, error)
                                     : walk_graph(&walk));
    /* A block may be larger than what lies in it, so the peak need not be reached. */
    for (uint32_t t = 0; t < graph->tensors && is_right(verdict); t++)
        if (verify_needs_has_place(&walk.needs, t) &&
            extents_end(placement->extents, t, placement->offset[t], walk.needs.bytes[t]) >
                placement->measures.peak_bytes)
            *verdict = (struct verdict){.fault = VERIFY_WRONG_PEAK, .first = t};
    return is_right(verdict) ? check_devices(&walk) : STATUS_OK;
}

struct verdict verify_alignment(const struct graph *graph, const struct placement *placement,
                                uint64_t alignment_bytes)
{
    for (uint32_t t = 0; t < graph->tensors; t++) {
        struct extents_walk walk = placement_begin(placement, t, graph->tensor[t].bytes);
        uint64_t alignment = alignment_bytes ? alignment_bytes : graph_alignment(graph, t);
        struct extent piece;
        while (placement->offset[t] != PROBLEM_FREE && extents_next(&walk, &piece))
            if (piece.offset % alignment)
                return (struct verdict){
                    .fault = VERIFY_MISALIGNED, .first = t, .alignment_bytes = alignment};
    }
    return (struct verdict){.fault = VERIFY_VALID};
}
