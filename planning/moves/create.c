#include "planning/moves/create.h"

#include <assert.h>
#include <inttypes.h>

#include "core/checked.h"
#include "core/memory.h"
#include "planning/moves/accesses.h"
#include "planning/moves/steps.h"

/* What the problem is made with: the item of each tensor, and how many accesses there are. */
struct making {
    const struct move_terms *terms;
    struct move_problem *problem;
    uint32_t *item_of; /* [tensors] GRAPH_NONE: none */
    uint32_t accesses;
};

static void add_item(struct making *making, const struct move_item *item)
{
    struct move_problem *problem = making->problem;
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
    TRY(memory_create(&problem->read_cost, problem->memories, sizeof(uint64_t), error));
    TRY(memory_create(&problem->write_cost, problem->memories, sizeof(uint64_t), error));
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
    TRY(move_accesses_create(problem, item_of, &making.accesses, error));
    if (!fill_compute(&making))
        problem->compute[0] = UINT64_MAX; /* which is refused with the sum */
    TRY(check_times(&making, error));
    HAND_OVER(problem, created);
}
