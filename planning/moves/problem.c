#include "planning/moves/problem.h"

#include <assert.h>

#include "core/checked.h"
#include "core/memory.h"

void move_problem_free(struct move_problem *problem)
{
    if (!problem)
        return;
    memory_free_all(problem->item, problem->first, problem->access, problem->compute,
                    problem->read_cost, problem->write_cost, problem->enter, problem->leave,
                    problem->op, problem->region, problem->section, problem->runs, problem);
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
    assert(item < problem->items && from < problem->memories);
    return problem->channel.start + problem->item[item].bytes * (read > write ? read : write);
}

static uint64_t find_least(const struct move_problem *problem, const struct move_access *access)
{
    const struct move_item *item = &problem->item[access->item];
    bool is_weights = move_is_weights(problem, access->item);
    uint64_t least = is_weights ? problem->read_cost[problem->memories - 1] : UINT64_MAX;
    assert(!access->is_write || !is_weights);
    for (uint32_t m = 0; m + 1 < problem->memories; m++) {
        uint64_t cost = access->is_write ? problem->write_cost[m] : problem->read_cost[m];
        if (item->bytes <= problem->chip->memory[m].capacity_bytes && cost < least)
            least = cost;
    }
    return least == UINT64_MAX ? 0 : least * item->bytes;
}

uint64_t move_time_bound(const struct move_problem *problem)
{
    uint64_t bound = 0, time = 0, last = 0;
    for (uint32_t s = 0; s < problem->steps; s++) {
        time += problem->compute[s];
        for (uint32_t a = problem->first[s]; a < problem->first[s + 1]; a++)
            move_add_access(&problem->access[a], find_least(problem, &problem->access[a]), &last,
                            &time);
        if (s + 1 < problem->steps && problem->section[s] == problem->section[s + 1]) {
            assert(problem->runs[s] == problem->runs[s + 1]);
            continue;
        }
        bound += move_time_of_runs(problem, s, time);
        time = 0;
    }
    assert(bound >> 52 == 0); /* as move_problem_create has checked */
    return bound;
}

bool move_region_contains(const struct move_problem *problem, uint32_t outer, uint32_t region)
{
    const struct graph *graph = problem->graph;
    assert(outer < graph->regions && region < graph->regions);
    while (region != outer && graph->region[region].owner != GRAPH_NONE)
        region = graph->op[graph->region[region].owner].region;
    return region == outer;
}

uint32_t move_end_of_loops(const struct move_problem *problem, uint32_t lower, uint32_t upper)
{
    const struct graph *graph = problem->graph;
    uint32_t region = upper > lower ? problem->region[upper - 1] : 0;
    for (uint32_t owner; (owner = graph->region[region].owner) != GRAPH_NONE;
         region = graph->op[owner].region)
        if (graph->op[owner].loop && problem->enter[owner] >= lower) {
            assert(upper <= problem->leave[owner]);
            upper = problem->leave[owner];
        }
    return upper;
}

uint64_t move_time_of_runs(const struct move_problem *problem, uint32_t step, uint64_t time)
{
    assert(step < problem->steps);
    uint64_t all;
    return checked_scale_up(time, problem->runs[step], MOVE_RUN_PARTS, &all) ? all : UINT64_MAX;
}
