#include "planning/moves/accesses.h"

#include "core/memory.h"
#include "core/scratch.h"

struct listing {
    struct move_problem *problem;
    const uint32_t *item_of; /* [tensors] */
    uint32_t *weights_of;    /* [operators] the item, or GRAPH_NONE */
    uint32_t *seen;          /* [tensors] the number of the read that has been there */
    uint32_t *todo;          /* [tensors] results that a read still has to look through */
    uint32_t left, count, reads;
    size_t capacity;
    struct error *error;
};

static enum status add(struct listing *listing, struct move_access access, uint32_t step)
{
    struct move_problem *problem = listing->problem;
    struct move_item *item = &problem->item[access.item];
    TRY(memory_reserve(&problem->access, &listing->capacity, (size_t)listing->count + 1,
                       sizeof access, listing->error));
    problem->access[listing->count++] = access;
    item->to = item->to < step + 1 ? step + 1 : item->to;
    if (access.is_handed && item->first_to < step + 1)
        item->first_to = step + 1;
    return STATUS_OK;
}

static void look_at(struct listing *listing, uint32_t tensor)
{
    if (listing->seen[tensor] == listing->reads)
        return;
    listing->seen[tensor] = listing->reads;
    listing->todo[listing->left++] = tensor;
}

/* Looks at what the result without a place is: of a loop its argument, of an If what branches
   yield. */
static void look_through(struct listing *listing, uint32_t result)
{
    const struct graph *graph = listing->problem->graph;
    uint32_t owner = graph->tensor[result].producer;
    if (owner == GRAPH_NONE || graph->tensor[result].external)
        return;
    const struct graph_operator *op = &graph->op[owner];
    const struct graph_carried *carried = graph_find_carried_result(graph, owner, result);
    if (carried)
        look_at(listing, carried->argument);
    uint32_t position = graph_position(graph, op->outputs, result);
    for (uint32_t r = op->first_region; r != GRAPH_NONE && !op->loop; r = graph->region[r].next)
        look_at(listing, graph_yield(graph, r, position));
}

/* A read, of any of the items that the tensor may be. */
static enum status add_read(struct listing *listing, uint32_t tensor, struct move_access access,
                            uint32_t step)
{
    listing->reads++;
    look_at(listing, tensor);
    while (listing->left) {
        uint32_t t = listing->todo[--listing->left];
        access.item = listing->item_of[t];
        if (access.item == GRAPH_NONE) {
            look_through(listing, t);
            continue;
        }
        TRY(add(listing, access, step));
        access.is_other = true;
    }
    return STATUS_OK;
}

static enum status add_reads(struct listing *listing, struct span tensors, bool is_free,
                             uint32_t step)
{
    const struct graph *graph = listing->problem->graph;
    for (uint32_t i = 0; i < tensors.count; i++) {
        uint32_t tensor = graph->list[tensors.first + i];
        if (graph_position(graph, (struct span){tensors.first, i}, tensor) == i)
            TRY(add_read(listing, tensor, (struct move_access){.is_free = is_free}, step));
    }
    return STATUS_OK;
}

static enum status add_writes(struct listing *listing, struct span tensors, uint32_t step)
{
    const struct graph *graph = listing->problem->graph;
    for (uint32_t i = 0; i < tensors.count; i++) {
        uint32_t item = listing->item_of[graph->list[tensors.first + i]];
        if (item != GRAPH_NONE)
            TRY(add(listing, (struct move_access){.item = item, .is_write = true}, step));
    }
    return STATUS_OK;
}

/* A loop is entered: its arguments become what it begins with. */
static enum status enter_loop(struct listing *listing, uint32_t o, uint32_t step)
{
    const struct graph *graph = listing->problem->graph;
    const struct move_access read = {.is_free = true}, write = {.is_write = true, .is_free = true};
    for (uint32_t c = 0; c < graph->op[o].carried.count; c++) {
        const struct graph_carried *carried = &graph->carried[graph->op[o].carried.first + c];
        struct move_access argument = write;
        TRY(add_read(listing, carried->init, read, step));
        argument.item = listing->item_of[carried->argument];
        if (argument.item != GRAPH_NONE)
            TRY(add(listing, argument, step));
    }
    return STATUS_OK;
}

/* A loop is left. Until then its first stays hold what it hands from turn to turn. */
static enum status leave_loop(struct listing *listing, uint32_t o, uint32_t step)
{
    const struct graph *graph = listing->problem->graph;
    const struct move_access handed = {.is_free = true, .is_handed = true};
    TRY(add_reads(listing, graph->op[o].inputs, true, step));
    for (uint32_t c = 0; c < graph->op[o].carried.count; c++) {
        const struct graph_carried *carried = &graph->carried[graph->op[o].carried.first + c];
        TRY(add_read(listing, carried->argument, handed, step));
        TRY(add_read(listing, carried->yield, handed, step));
    }
    return STATUS_OK;
}

static enum status enter(struct listing *listing, uint32_t o, uint32_t step)
{
    const struct graph_operator *op = &listing->problem->graph->op[o];
    TRY(add_reads(listing, op->inputs, false, step));
    if (op->first_region == GRAPH_NONE)
        TRY(add_writes(listing, op->outputs, step));
    if (listing->weights_of[o] != GRAPH_NONE)
        TRY(add(listing, (struct move_access){.item = listing->weights_of[o]}, step));
    return op->loop ? enter_loop(listing, o, step) : STATUS_OK;
}

static enum status list_step(struct listing *listing, uint32_t step)
{
    const struct move_problem *problem = listing->problem;
    const struct graph *graph = problem->graph;
    uint32_t o = problem->op[step];
    if (step == 0)
        return add_writes(listing, graph->inputs, step);
    if (o == GRAPH_NONE)
        return add_reads(listing, graph->region[0].yields, false, step);
    if (problem->enter[o] == step)
        return enter(listing, o, step);
    return graph->op[o].loop ? leave_loop(listing, o, step) : STATUS_OK;
}

enum status move_accesses_create(struct move_problem *problem, const uint32_t *item_of,
                                 uint32_t *accesses, struct error *error)
{
    const struct graph *graph = problem->graph;
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct listing listing = {.problem = problem, .item_of = item_of, .error = error};
    TRY(scratch_take(&scratch, &listing.weights_of, graph->operators, sizeof(uint32_t), error));
    TRY(scratch_take(&scratch, &listing.seen, graph->tensors, sizeof(uint32_t), error));
    TRY(scratch_take(&scratch, &listing.todo, graph->tensors, sizeof(uint32_t), error));
    TRY(memory_create(&problem->first, (size_t)problem->steps + 1, sizeof(uint32_t), error));
    for (uint32_t o = 0; o < graph->operators; o++)
        listing.weights_of[o] = GRAPH_NONE;
    for (uint32_t i = 0; i < problem->items; i++)
        if (move_is_weights(problem, i))
            listing.weights_of[problem->item[i].op] = i;
    for (uint32_t step = 0; step < problem->steps; step++) {
        TRY(list_step(&listing, step));
        problem->first[step + 1] = listing.count;
    }
    for (uint32_t i = 0; i < problem->items; i++)
        problem->item[i].to =
            move_end_of_loops(problem, problem->item[i].from, problem->item[i].to);
    *accesses = listing.count;
    return STATUS_OK;
}
