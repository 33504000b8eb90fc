#include "planning/moves/create.h"

#include <assert.h>
#include <math.h>

#include "core/checked.h"
#include "core/memory.h"
#include "core/scratch.h"
#include "planning/memories/traffic.h"

static void set_step(struct move_problem *problem, uint32_t step, uint32_t op, double runs)
{
    problem->op[step] = op;
    assert((op == GRAPH_NONE) == (step == 0 || step + 1 == problem->steps));
    problem->region[step] = op == GRAPH_NONE ? 0 : problem->graph->op[op].region;
    /* The nearest whole number; halves go up even where adding has left a little less. */
    double parts = runs * MOVE_RUN_PARTS;
    problem->runs[step] = (uint64_t)floor(parts + 0.5 + fmin(parts * 1e-12, 1e-3));
}

/* A section is what runs without entering or leaving a region in between. */
static void number_sections(struct move_problem *problem)
{
    uint32_t section = 0;
    for (uint32_t step = 0; step < problem->steps; step++) {
        uint32_t op = problem->op[step];
        bool leaves = op != GRAPH_NONE && problem->enter[op] != step;
        assert(op == GRAPH_NONE || problem->enter[op] == step || problem->leave[op] == step);
        if (step && (leaves || problem->region[step] != problem->region[step - 1]))
            section++;
        problem->section[step] = section;
    }
}

/* Numbers the steps of the problem's graph, and fills what its fields say of each step.
   STATUS_BAD_INPUT where a step runs 2^40 times or more. O(graph). */
static enum status move_steps_create(struct move_problem *problem, struct error *error)
{
    const struct graph *graph = problem->graph;
    SCOPED(memory_release) double *runs = NULL;
    enum { MOST_RUNS_LOG = 40 };
    TRY(memory_create_all(graph->operators, error, &problem->enter, &problem->leave, &runs));
    problem->steps = graph_number_steps(graph, problem->enter, problem->leave) + 2;
    TRY(memory_create_all(problem->steps, error, &problem->op, &problem->region, &problem->section,
                          &problem->runs));
    traffic_count_runs(graph, runs);
    set_step(problem, 0, GRAPH_NONE, 1);
    set_step(problem, problem->steps - 1, GRAPH_NONE, 1);
    for (uint32_t o = 0; o < graph->operators; o++) {
        if (runs[o] >= (double)(UINT64_C(1) << MOST_RUNS_LOG))
            return error_set(error, STATUS_BAD_INPUT,
                             "found operator '%s', which runs 2^%d times or more, expected fewer",
                             graph_label(graph, graph->op[o].name), MOST_RUNS_LOG);
        set_step(problem, ++problem->enter[o], o, runs[o]);
        set_step(problem, ++problem->leave[o], o, runs[o]);
    }
    number_sections(problem);
    return STATUS_OK;
}

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
    assert(access.item < problem->items && item->from <= step);
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
    assert(listing->left < listing->problem->graph->tensors);
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
    assert(op->first_region != GRAPH_NONE); /* other results have a place */
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
    assert(listing->left == 0);
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
    assert(graph->op[o].loop && listing->problem->leave[o] == step);
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

/* Lists what each step of the problem reads and writes, and until when each item is needed. The
   steps and items are there; item_of[tensors] is the item of each tensor, or GRAPH_NONE.
   O(graph + accesses), for each read the results through which it goes. */
static enum status move_accesses_create(struct move_problem *problem, const uint32_t *item_of,
                                        struct error *error)
{
    const struct graph *graph = problem->graph;
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct listing listing = {.problem = problem, .item_of = item_of, .error = error};
    TRY(scratch_take(&scratch, &listing.weights_of, graph->operators, sizeof(uint32_t), error));
    TRY(scratch_take_all(&scratch, graph->tensors, error, &listing.seen, &listing.todo));
    TRY(memory_create(&problem->first, (size_t)problem->steps + 1, sizeof(uint32_t), error));
    for (uint32_t o = 0; o < graph->operators; o++)
        listing.weights_of[o] = GRAPH_NONE;
    for (uint32_t i = 0; i < problem->items; i++)
        if (move_is_weights(problem, i)) {
            assert(listing.weights_of[problem->item[i].op] == GRAPH_NONE);
            listing.weights_of[problem->item[i].op] = i;
        }
    for (uint32_t step = 0; step < problem->steps; step++) {
        TRY(list_step(&listing, step));
        problem->first[step + 1] = listing.count;
    }
    for (uint32_t i = 0; i < problem->items; i++) {
        struct move_item *item = &problem->item[i];
        item->to = move_end_of_loops(problem, item->from, item->to);
        assert(item->from < item->to && item->to <= problem->steps && item->first_to <= item->to);
    }
    return STATUS_OK;
}

struct making {
    const struct move_terms *terms;
    struct move_problem *problem;
    uint32_t *item_of; /* [tensors] GRAPH_NONE: none */
};

static void add_item(struct making *making, const struct move_item *item)
{
    struct move_problem *problem = making->problem;
    assert(problem->items < (size_t)problem->graph->operators + problem->graph->tensors);
    /* Weights come last, tensors in the order in which they are written. */
    assert(item->tensor == GRAPH_NONE || !problem->items ||
           (!move_is_weights(problem, problem->items - 1) &&
            problem->item[problem->items - 1].from <= item->from));
    if (item->tensor != GRAPH_NONE)
        making->item_of[item->tensor] = problem->items;
    problem->item[problem->items++] = *item;
}

static void add_tensor(struct making *making, uint32_t t, uint32_t step)
{
    const struct graph *graph = making->terms->graph;
    uint64_t alignment = making->terms->alignment_bytes;
    if (!graph->tensor[t].external && making->item_of[t] == GRAPH_NONE)
        add_item(making, &(struct move_item){t, GRAPH_NONE, graph->tensor[t].bytes,
                                             alignment ? alignment : graph_alignment(graph, t),
                                             step, step + 1, 0});
}

static void add_tensors(struct making *making, struct span tensors, uint32_t step)
{
    for (uint32_t i = 0; i < tensors.count; i++)
        add_tensor(making, making->terms->graph->list[tensors.first + i], step);
}

/* Tensors in the order in which they are written, then weights. */
static enum status list_items(struct making *making, struct error *error)
{
    const struct graph *graph = making->terms->graph;
    uint64_t alignment = making->terms->alignment_bytes;
    add_tensors(making, graph->inputs, 0);
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *op = &graph->op[o];
        uint32_t step = making->problem->enter[o];
        if (op->first_region == GRAPH_NONE)
            add_tensors(making, op->outputs, step);
        for (uint32_t c = op->carried.first; c < op->carried.first + op->carried.count; c++)
            add_tensor(making, graph->carried[c].argument, step);
    }
    for (uint32_t o = 0; o < graph->operators; o++) {
        struct move_item item = {GRAPH_NONE, o, 0, alignment ? alignment : 1, 0, 1, 0};
        struct span weights = graph->op[o].weights;
        for (uint32_t w = 0; w < weights.count; w++)
            if (!checked_add(item.bytes, graph->weight[weights.first + w].bytes, &item.bytes))
                return error_set(error, STATUS_BAD_INPUT,
                                 "found 2^64 bytes of weights or more of '%s', expected less",
                                 graph_label(graph, graph->op[o].name));
        if (item.bytes)
            add_item(making, &item);
    }
    return STATUS_OK;
}

/* So that no sum of a plan's times comes near 2^64: all of them, each access where it costs most,
   and each item once more. */
static enum status check_times(const struct making *making, struct error *error)
{
    const struct move_problem *problem = making->problem;
    uint64_t most = 0, sum = 0, part;
    bool fits = true;
    for (uint32_t m = 0; m < problem->memories; m++) {
        most = problem->read_cost[m] > most ? problem->read_cost[m] : most;
        if (!move_is_off_chip(problem, m) && problem->write_cost[m] > most)
            most = problem->write_cost[m];
    }
    assert(most < UINT64_MAX);
    for (uint32_t step = 0; step < problem->steps && fits; step++) {
        uint64_t time = problem->compute[step];
        for (uint32_t a = problem->first[step]; a < problem->first[step + 1]; a++)
            fits = fits &&
                   checked_multiply(problem->item[problem->access[a].item].bytes, most, &part) &&
                   checked_add(time, part, &time);
        part = move_time_of_runs(problem, step, time);
        fits = fits && checked_add(sum, part > time ? part : time, &sum);
    }
    for (uint32_t i = 0; i < problem->items; i++)
        fits = fits && checked_multiply(problem->item[i].bytes, most, &part) &&
               checked_add(sum, part, &sum);
    return fits && sum >> 52 == 0 ? STATUS_OK
                                  : error_set(error, STATUS_BAD_INPUT,
                                              "found a graph that may take more than an hour on "
                                              "this chip, expected less");
}

/* The steps at which operators are entered take their time. */
static bool fill_compute(const struct making *making)
{
    bool fits = true;
    for (uint32_t o = 0; o < making->terms->graph->operators; o++)
        fits = fits && checked_multiply(making->terms->compute_ns[o], MEMORY_COST_PARTS,
                                        &making->problem->compute[making->problem->enter[o]]);
    return fits;
}

enum status move_problem_create(const struct move_terms *terms, struct move_problem **created,
                                struct error *error)
{
    SCOPED(move_problem_release) struct move_problem *problem = NULL;
    SCOPED(memory_release) uint32_t *item_of = NULL;
    const struct graph *graph = terms->graph;
    struct making making = {.terms = terms};
    assert(!graph_has_streams(graph));
    TRY(memory_create(&problem, 1, sizeof *problem, error));
    problem->graph = graph;
    problem->chip = terms->chip;
    problem->channel = terms->channel;
    TRY(move_steps_create(problem, error));
    problem->memories = terms->chip->memories + 1;
    TRY(memory_create(&problem->item, (size_t)graph->operators + graph->tensors,
                      sizeof *problem->item, error));
    TRY(memory_create(&problem->compute, problem->steps, sizeof(uint64_t), error));
    TRY(memory_create_all(problem->memories, error, &problem->read_cost, &problem->write_cost));
    TRY(memory_create(&item_of, graph->tensors, sizeof *item_of, error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        item_of[t] = GRAPH_NONE;
    for (uint32_t m = 0; m < terms->chip->memories; m++) {
        problem->read_cost[m] = terms->chip->memory[m].read_cost;
        problem->write_cost[m] = terms->chip->memory[m].write_cost;
    }
    problem->read_cost[terms->chip->memories] = terms->off_chip_read_cost;
    problem->write_cost[terms->chip->memories] = UINT64_MAX;
    making.problem = problem;
    making.item_of = item_of;
    TRY(list_items(&making, error));
    TRY(move_accesses_create(problem, item_of, error));
    if (!fill_compute(&making))
        problem->compute[0] = UINT64_MAX; /* which is refused with the sum */
    TRY(check_times(&making, error));
    HAND_OVER(problem, created);
}
