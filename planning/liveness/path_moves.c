#include <assert.h>

#include "core/memory.h"
#include "planning/graph/moves.h"
#include "planning/liveness/path_builder.h"
#include "planning/liveness/path_liveness.h"
#include "planning/liveness/value_places.h"

struct mover {
    struct path_builder *builder;
    struct graph_moves moves;
    struct value_places where;
    uint32_t *first_interval; /* [tensors] 1 + its first one, 0 for none */
    struct span group;        /* moves: those that are made at once, at one step */
    uint32_t step;
};

static bool is_live_at(const struct mover *mover, uint32_t tensor, uint32_t step)
{
    const struct path_liveness *paths = mover->builder->paths;
    assert(tensor < mover->builder->graph->tensors && step < mover->builder->paths->steps);
    uint32_t first = mover->first_interval[tensor];
    for (uint32_t p = first ? first - 1 : paths->intervals;
         p < paths->intervals && paths->interval[p].tensor == tensor; p++)
        if (paths->interval[p].lower <= step && step < paths->interval[p].upper)
            return true;
    return false;
}

static uint32_t find_root(const struct mover *mover, uint32_t tensor)
{
    const uint32_t *root = mover->builder->liveness->root;
    return root ? root[tensor] : tensor;
}

static uint64_t find_bytes(const struct mover *mover, uint32_t tensor)
{
    const struct path_builder *builder = mover->builder;
    return builder->places ? builder->places->bytes[tensor] : builder->graph->tensor[tensor].bytes;
}

static enum status add_member(struct mover *mover, uint32_t tensor, uint64_t bytes)
{
    struct path_builder *builder = mover->builder;
    struct path_liveness *paths = builder->paths;
    assert(tensor < builder->graph->tensors);
    TRY(memory_reserve(&paths->clash, &builder->clash_capacity, (size_t)paths->clashing + 1,
                       sizeof *paths->clash, builder->error));
    paths->clash[paths->clashing++] = (struct path_clash){paths->clashes, tensor, bytes};
    return STATUS_OK;
}

/* Ends the clash whose members begin at `first`, unless there is only one. */
static void end_clash(struct mover *mover, uint32_t first)
{
    struct path_liveness *paths = mover->builder->paths;
    assert(first <= paths->clashing);
    if (paths->clashing - first > 1)
        paths->clashes++;
    else
        paths->clashing = first;
}

/* How many bytes of the target the move writes: of a result those that this branch yields, as
   another branch may yield more. */
static uint64_t count_written(const struct mover *mover, const struct graph_move *move)
{
    const struct graph *graph = mover->builder->graph;
    uint64_t bytes = find_bytes(mover, move->target);
    uint32_t producer = graph->tensor[move->target].producer;
    if (move->source == GRAPH_NONE || producer == GRAPH_NONE || graph->op[producer].loop)
        return bytes;
    uint64_t moved = find_bytes(mover, move->source);
    assert(move->region != GRAPH_NONE && producer == move->o);
    return moved < bytes ? moved : bytes;
}

/* Makes the written place clash with the values that are moved at once with it. Values whose places
   are known are all in one clash. A value whose place depends on the branches that were taken makes
   a clash for each of its places, since no path takes two branches. */
static enum status clash_with(struct mover *mover, const struct graph_move *written,
                              const struct graph_move *other)
{
    struct value_places *where = &mover->where;
    assert(other != written && other->source != GRAPH_NONE);
    bool apart = value_places_in_branches(where, other->source);
    value_places_find(where, other->source);
    for (uint32_t i = 0; i < where->count; i++) {
        uint32_t first = mover->builder->paths->clashing, found = where->found[i];
        if (find_root(mover, found) == find_root(mover, written->target) ||
            is_live_at(mover, found, mover->step))
            continue;
        if (apart)
            TRY(add_member(mover, written->target, count_written(mover, written)));
        TRY(add_member(mover, found, find_bytes(mover, found)));
        if (apart)
            end_clash(mover, first);
    }
    return STATUS_OK;
}

static enum status add_clashes_of(struct mover *mover, const struct graph_move *written)
{
    const struct graph_move *all = mover->moves.move;
    struct span group = mover->group;
    for (int apart = 0; apart < 2; apart++) {
        uint32_t first = mover->builder->paths->clashing;
        if (!apart)
            TRY(add_member(mover, written->target, count_written(mover, written)));
        for (uint32_t m = group.first; m < group.first + group.count; m++)
            if (&all[m] != written && all[m].source != GRAPH_NONE &&
                value_places_in_branches(&mover->where, all[m].source) == apart)
                TRY(clash_with(mover, written, &all[m]));
        if (!apart)
            end_clash(mover, first);
    }
    return STATUS_OK;
}

static enum status add_all_clashes(struct mover *mover)
{
    struct path_builder *builder = mover->builder;
    const struct graph *graph = builder->graph;
    struct path_liveness *paths = builder->paths;
    TRY(graph_moves_create(graph, &mover->moves, builder->error));
    TRY(value_places_create(&mover->where, graph,
                            builder->places ? builder->places->has_place : NULL, &builder->memory,
                            builder->error));
    TRY(scratch_take(&builder->memory, &mover->first_interval, graph->tensors, sizeof(uint32_t),
                     builder->error));
    for (uint32_t p = paths->intervals; p-- > 0;)
        mover->first_interval[paths->interval[p].tensor] = p + 1;

    bool dead = false;
    for (uint32_t i = 0; i < graph->inputs.count; i++) {
        uint32_t input = graph->list[graph->inputs.first + i];
        if (graph->tensor[input].external)
            continue;
        dead = dead || !is_live_at(mover, input, 0);
        TRY(add_member(mover, input, find_bytes(mover, input)));
    }
    if (dead)
        paths->clashes++;
    else
        paths->clashing = 0;

    bool merged = builder->places && builder->places->merged;
    assert(paths->clashes <= paths->clashing);
    for (uint32_t m = 0; m < mover->moves.count && !merged; m += mover->group.count) {
        const struct graph_move *move = &mover->moves.move[m];
        mover->group = graph_moves_at_once(&mover->moves, m);
        assert(mover->group.first == m && mover->group.count > 0);
        mover->step = move->region == GRAPH_NONE ? builder->liveness->enter_step[move->o]
                                                 : builder->liveness->leave_step[move->o];
        for (uint32_t i = 0; i < mover->group.count && mover->group.count > 1; i++)
            if (value_places_written(&mover->where, move + i, builder->liveness->root))
                TRY(add_clashes_of(mover, move + i));
    }
    return STATUS_OK;
}

enum status path_add_clashes(struct path_builder *builder)
{
    struct mover mover = {.builder = builder};
    enum status status = add_all_clashes(&mover);
    graph_moves_clear(&mover.moves);
    return status;
}
