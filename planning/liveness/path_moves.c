#include "planning/liveness/path_moves.h"

#include <assert.h>

#include "core/memory.h"

/* The value of `source` becomes that of `target`. target is GRAPH_NONE where the value stays in its
   place or leaves the arena, source where an operator writes its output. */
struct move {
    uint32_t source, target;
};

/* The moves that are made at once, at one step. */
struct group {
    struct move *move; /* [most] */
    uint32_t count;
    uint32_t step;
};

struct mover {
    struct path_builder *builder;
    uint32_t *first_interval; /* [tensors] 1 + its first one, 0 for none */
    uint32_t *stamp;          /* [tensors] the last search, by number, that met it */
    uint32_t *pending;        /* [tensors] those that a search has yet to look at */
    uint32_t searches;
    struct group group;
};

static void index_intervals(struct mover *mover)
{
    const struct path_liveness *paths = mover->builder->paths;
    for (uint32_t p = paths->intervals; p-- > 0;)
        mover->first_interval[paths->interval[p].tensor] = p + 1;
}

static bool is_live_at(const struct mover *mover, uint32_t tensor, uint32_t step)
{
    const struct path_liveness *paths = mover->builder->paths;
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

static bool is_written(const struct mover *mover, const struct move *move)
{
    return move->target != GRAPH_NONE &&
           (move->source == GRAPH_NONE ||
            find_root(mover, move->source) != find_root(mover, move->target));
}

/* How many bytes of the target the move writes: of a result those that this branch yields, as
   another branch may yield more. */
static uint64_t count_written(const struct mover *mover, const struct move *move)
{
    const struct graph *graph = mover->builder->graph;
    uint64_t bytes = find_bytes(mover, move->target);
    uint32_t producer = graph->tensor[move->target].producer;
    if (move->source == GRAPH_NONE || producer == GRAPH_NONE || graph->op[producer].loop)
        return bytes;
    uint64_t moved = find_bytes(mover, move->source);
    return moved < bytes ? moved : bytes;
}

static bool is_read_in_branches(const struct mover *mover, uint32_t tensor)
{
    const struct path_builder *builder = mover->builder;
    const struct graph *graph = builder->graph;
    uint32_t producer = graph->tensor[tensor].producer;
    return producer != GRAPH_NONE && graph->op[producer].first_region != GRAPH_NONE &&
           !graph->op[producer].loop && !graph->tensor[tensor].external &&
           !(builder->places && builder->places->has_place[tensor]);
}

/* The tensor in whose place the value is: that of a loop's carried result is in the argument's. */
static uint32_t find_placed(const struct mover *mover, uint32_t tensor)
{
    const struct graph *graph = mover->builder->graph;
    uint32_t producer = graph->tensor[tensor].producer;
    if (producer == GRAPH_NONE || !graph->op[producer].loop || graph->tensor[tensor].external)
        return tensor;
    struct span carried = graph->op[producer].carried;
    for (uint32_t c = 0; c < carried.count; c++)
        if (graph->carried[carried.first + c].result == tensor)
            return graph->carried[carried.first + c].argument;
    return tensor;
}

static bool may_be_hit(const struct mover *mover, uint32_t tensor, uint32_t target)
{
    return !mover->builder->graph->tensor[tensor].external &&
           find_root(mover, tensor) != find_root(mover, target) &&
           !is_live_at(mover, tensor, mover->group.step);
}

static void note(struct mover *mover, uint32_t tensor, uint32_t *pending)
{
    tensor = find_placed(mover, tensor);
    if (mover->stamp[tensor] == mover->searches)
        return;
    mover->stamp[tensor] = mover->searches;
    mover->pending[(*pending)++] = tensor;
}

/* Lets the written place clash with each place where the value of `source` may be. `source` is the
   result of an If and has no place of its own, so its value is where some branch left it. These
   places do not clash with each other, as no path takes two branches. */
static enum status clash_with_branches(struct mover *mover, const struct move *written,
                                       uint32_t source)
{
    const struct graph *graph = mover->builder->graph;
    uint32_t pending = 0;
    mover->searches++;
    note(mover, source, &pending);
    while (pending) {
        uint32_t tensor = mover->pending[--pending], first = mover->builder->paths->clashing;
        uint32_t o = graph->tensor[tensor].producer, output = 0;
        if (!is_read_in_branches(mover, tensor)) {
            if (!may_be_hit(mover, tensor, written->target))
                continue;
            TRY(add_member(mover, written->target, count_written(mover, written)));
            TRY(add_member(mover, tensor, find_bytes(mover, tensor)));
            end_clash(mover, first);
            continue;
        }
        while (graph->list[graph->op[o].outputs.first + output] != tensor)
            output++;
        for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next)
            note(mover, graph->list[graph->region[r].yields.first + output], &pending);
    }
    return STATUS_OK;
}

static enum status add_clashes_of(struct mover *mover, const struct move *written)
{
    uint32_t first = mover->builder->paths->clashing;
    TRY(add_member(mover, written->target, count_written(mover, written)));
    for (uint32_t i = 0; i < mover->group.count; i++) {
        const struct move *other = &mover->group.move[i];
        if (other == written || other->source == GRAPH_NONE)
            continue;
        uint32_t source = find_placed(mover, other->source);
        if (!is_read_in_branches(mover, source) && may_be_hit(mover, source, written->target))
            TRY(add_member(mover, source, find_bytes(mover, source)));
    }
    end_clash(mover, first);
    for (uint32_t i = 0; i < mover->group.count; i++) {
        const struct move *other = &mover->group.move[i];
        if (other != written && other->source != GRAPH_NONE &&
            is_read_in_branches(mover, other->source))
            TRY(clash_with_branches(mover, written, other->source));
    }
    return STATUS_OK;
}

static enum status end_group(struct mover *mover)
{
    for (uint32_t i = 0; i < mover->group.count && mover->group.count > 1; i++)
        if (is_written(mover, &mover->group.move[i]))
            TRY(add_clashes_of(mover, &mover->group.move[i]));
    mover->group.count = 0;
    return STATUS_OK;
}

static void add_move(struct mover *mover, uint32_t source, uint32_t target)
{
    const struct path_builder *builder = mover->builder;
    bool placed = !builder->graph->tensor[target].external && !is_read_in_branches(mover, target);
    mover->group.move[mover->group.count++] = (struct move){source, placed ? target : GRAPH_NONE};
}

static enum status leave_branches(struct mover *mover, uint32_t o)
{
    const struct graph *graph = mover->builder->graph;
    struct span outputs = graph->op[o].outputs;
    if (!mover->builder->places || outputs.count < 2)
        return STATUS_OK;
    mover->group.step = mover->builder->liveness->leave_step[o];
    for (uint32_t r = graph->op[o].first_region; r != GRAPH_NONE; r = graph->region[r].next) {
        for (uint32_t i = 0; i < outputs.count; i++)
            add_move(mover, graph->list[graph->region[r].yields.first + i],
                     graph->list[outputs.first + i]);
        TRY(end_group(mover));
    }
    return STATUS_OK;
}

/* Outputs of a loop other than its carried results are written from the step that enters it on. */
static enum status enter_loop(struct mover *mover, uint32_t o)
{
    const struct graph *graph = mover->builder->graph;
    const struct graph_operator *loop = &graph->op[o];
    mover->group.step = mover->builder->liveness->enter_step[o];
    for (uint32_t c = 0; c < loop->carried.count; c++)
        add_move(mover, graph->carried[loop->carried.first + c].init,
                 graph->carried[loop->carried.first + c].argument);
    for (uint32_t i = 0; i < loop->outputs.count; i++) {
        uint32_t output = graph->list[loop->outputs.first + i];
        if (find_placed(mover, output) == output)
            add_move(mover, GRAPH_NONE, output);
    }
    return end_group(mover);
}

static enum status end_turn(struct mover *mover, uint32_t o)
{
    const struct graph *graph = mover->builder->graph;
    struct span carried = graph->op[o].carried;
    mover->group.step = mover->builder->liveness->leave_step[o];
    for (uint32_t c = 0; c < carried.count; c++)
        add_move(mover, graph->carried[carried.first + c].yield,
                 graph->carried[carried.first + c].argument);
    return end_group(mover);
}

static enum status add_clashes_of_inputs(struct mover *mover)
{
    const struct graph *graph = mover->builder->graph;
    uint32_t first = mover->builder->paths->clashing;
    bool dead = false;
    for (uint32_t i = 0; i < graph->inputs.count; i++) {
        uint32_t input = graph->list[graph->inputs.first + i];
        if (graph->tensor[input].external)
            continue;
        dead = dead || !is_live_at(mover, input, 0);
        TRY(add_member(mover, input, find_bytes(mover, input)));
    }
    if (dead)
        mover->builder->paths->clashes++;
    else
        mover->builder->paths->clashing = first;
    return STATUS_OK;
}

static enum status add_all(struct mover *mover)
{
    const struct graph *graph = mover->builder->graph;
    TRY(add_clashes_of_inputs(mover));
    for (uint32_t o = 0; o < graph->operators; o++) {
        if (graph->op[o].first_region == GRAPH_NONE)
            continue;
        if (!graph->op[o].loop) {
            TRY(leave_branches(mover, o));
            continue;
        }
        TRY(enter_loop(mover, o));
        TRY(end_turn(mover, o));
    }
    return STATUS_OK;
}

static uint32_t count_most_moves(const struct graph *graph)
{
    uint32_t most = 0;
    for (uint32_t o = 0; o < graph->operators; o++) {
        uint32_t moves = graph->op[o].outputs.count + graph->op[o].carried.count;
        most = moves > most ? moves : most;
    }
    return most;
}

enum status path_add_clashes(struct path_builder *builder)
{
    struct mover mover = {.builder = builder};
    const struct graph *graph = builder->graph;
    uint32_t **per_tensor[] = {&mover.first_interval, &mover.stamp, &mover.pending};
    enum status status;
    for (int i = 0; i < 3; i++)
        TRY_OR_DONE(status,
                    memory_create(per_tensor[i], graph->tensors, sizeof(uint32_t), builder->error));
    TRY_OR_DONE(status, memory_create(&mover.group.move, count_most_moves(graph),
                                      sizeof *mover.group.move, builder->error));
    index_intervals(&mover);
    status = add_all(&mover);
done:
    memory_free(mover.first_interval);
    memory_free(mover.stamp);
    memory_free(mover.pending);
    memory_free(mover.group.move);
    return status;
}
