#include "planning/moves/problem.h"

#include <assert.h>
#include <inttypes.h>

#include "core/checked.h"
#include "core/memory.h"

/* What the problem is made with: the item of each tensor, and how many accesses there are so far
   after each step. */
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
                                             step, step + 1});
}

/* Tensors in the order in which they are written, then weights. */
static enum status list_items(struct making *making, struct error *error)
{
    const struct graph *graph = making->terms->graph;
    uint64_t alignment = making->terms->alignment_bytes;
    for (uint32_t i = 0; i < graph->inputs.count; i++)
        add_tensor(making, graph->list[graph->inputs.first + i], 0);
    for (uint32_t o = 0; o < graph->operators; o++)
        for (uint32_t i = 0; i < graph->op[o].outputs.count; i++)
            add_tensor(making, graph->list[graph->op[o].outputs.first + i], o + 1);
    for (uint32_t o = 0; o < graph->operators; o++) {
        struct move_item item = {GRAPH_NONE, o, 0, alignment ? alignment : 1, 0, o + 2};
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

static void add_access(struct making *making, uint32_t item, uint32_t step, bool is_write)
{
    struct move_problem *problem = making->problem;
    for (uint32_t a = problem->first[step]; a < making->accesses; a++)
        if (problem->access[a].item == item)
            return;
    problem->access[making->accesses++] = (struct move_access){item, is_write};
    if (problem->item[item].to < step + 1)
        problem->item[item].to = step + 1;
}

static void add_accesses(struct making *making, struct span tensors, uint32_t step, bool is_write)
{
    for (uint32_t i = 0; i < tensors.count; i++) {
        uint32_t item = making->item_of[making->terms->graph->list[tensors.first + i]];
        if (item != GRAPH_NONE)
            add_access(making, item, step, is_write);
    }
}

static void list_accesses(struct making *making)
{
    struct move_problem *problem = making->problem;
    const struct graph *graph = making->terms->graph;
    uint32_t weights = 0;
    while (weights < problem->items && !move_is_weights(problem, weights))
        weights++;
    add_accesses(making, graph->inputs, 0, true);
    for (uint32_t o = 0; o < graph->operators; o++) {
        problem->first[o + 1] = making->accesses;
        problem->compute[o + 1] = making->terms->compute_ns[o] * MEMORY_COST_PARTS;
        add_accesses(making, graph->op[o].inputs, o + 1, false);
        add_accesses(making, graph->op[o].outputs, o + 1, true);
        if (weights < problem->items && problem->item[weights].op == o)
            add_access(making, weights++, o + 1, false);
    }
    problem->first[problem->steps - 1] = making->accesses;
    add_accesses(making, graph->region[0].yields, problem->steps - 1, false);
    problem->first[problem->steps] = making->accesses;
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
    for (uint32_t o = 0; o < making->terms->graph->operators; o++)
        fits = fits && checked_multiply(making->terms->compute_ns[o], MEMORY_COST_PARTS, &part) &&
               checked_add(sum, part, &sum);
    for (uint32_t a = 0; a < making->accesses + problem->items; a++) {
        uint32_t item = a < making->accesses ? problem->access[a].item : a - making->accesses;
        fits = fits && checked_multiply(problem->item[item].bytes, most, &part) &&
               checked_add(sum, part, &sum);
    }
    return fits && sum >> 52 == 0 ? STATUS_OK
                                  : error_set(error, STATUS_BAD_INPUT,
                                              "found a graph that may take more than an hour on "
                                              "this chip, expected less");
}

enum status move_problem_create(const struct move_terms *terms, struct move_problem **created,
                                struct error *error)
{
    SCOPED(move_problem_release) struct move_problem *problem = NULL;
    SCOPED(memory_release) uint32_t *item_of = NULL;
    const struct graph *graph = terms->graph;
    struct making making = {.terms = terms};
    assert(!graph_has_control_flow(graph) && !graph_has_streams(graph));
    TRY(memory_create(&problem, 1, sizeof *problem, error));
    problem->graph = graph;
    problem->chip = terms->chip;
    problem->channel = terms->channel;
    problem->steps = graph->operators + 2;
    problem->memories = terms->chip->memories + 1;
    size_t most = (size_t)graph->listed + graph->operators;
    TRY(memory_create(&problem->item, most + graph->tensors, sizeof *problem->item, error));
    TRY(memory_create(&problem->access, most, sizeof *problem->access, error));
    TRY(memory_create(&problem->first, (size_t)problem->steps + 1, sizeof(uint32_t), error));
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
    list_accesses(&making);
    TRY(check_times(&making, error));
    HAND_OVER(problem, created);
}

void move_problem_free(struct move_problem *problem)
{
    if (!problem)
        return;
    memory_free_all(problem->item, problem->first, problem->access, problem->compute,
                    problem->read_cost, problem->write_cost, problem);
}

const char *move_item_name(const struct move_problem *problem, uint32_t item)
{
    const struct move_item *named = &problem->item[item];
    return move_is_weights(problem, item)
               ? graph_label(problem->graph, problem->graph->op[named->op].name)
               : names_get(&problem->graph->tensor_names, named->tensor);
}

const char *move_memory_name(const struct move_problem *problem, uint32_t memory)
{
    return move_is_off_chip(problem, memory) ? "off chip"
                                             : names_get(&problem->chip->names, memory);
}

uint64_t move_transfer_time(const struct move_problem *problem, uint32_t item, uint32_t from,
                            uint32_t to)
{
    uint64_t read = problem->read_cost[from], write = problem->write_cost[to];
    assert(!move_is_off_chip(problem, to));
    return problem->channel.start + problem->item[item].bytes * (read > write ? read : write);
}

static uint64_t find_least(const struct move_problem *problem, const struct move_access *access)
{
    const struct move_item *item = &problem->item[access->item];
    bool is_weights = move_is_weights(problem, access->item);
    uint64_t least = is_weights ? problem->read_cost[problem->memories - 1] : UINT64_MAX;
    for (uint32_t m = 0; m + 1 < problem->memories; m++) {
        uint64_t cost = access->is_write ? problem->write_cost[m] : problem->read_cost[m];
        if (item->bytes <= problem->chip->memory[m].capacity_bytes && cost < least)
            least = cost;
    }
    return least == UINT64_MAX ? 0 : least * item->bytes;
}

uint64_t move_time_bound(const struct move_problem *problem)
{
    uint64_t bound = 0;
    for (uint32_t s = 0; s < problem->steps; s++) {
        bound += problem->compute[s];
        for (uint32_t a = problem->first[s]; a < problem->first[s + 1]; a++)
            bound += find_least(problem, &problem->access[a]);
    }
    return bound;
}
