#include "planning/graph/ways.h"

#include <assert.h>

#include "core/random.h"
#include "core/scratch.h"

/* A loop that may have no turn has a second choice. */
static uint32_t count_choices(const struct graph *graph, const struct graph_operator *op)
{
    uint32_t count = 0;
    if (op->loop)
        return op->trip_count < 1 ? 2 : 1;
    for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
        count++;
    return count;
}

uint32_t graph_count_ways(const struct graph *graph, uint32_t most)
{
    uint64_t ways = 1;
    for (uint32_t o = 0; o < graph->operators && ways <= most; o++) {
        uint32_t choices = count_choices(graph, &graph->op[o]);
        ways *= choices ? choices : 1;
    }
    return ways > most ? most + 1 : (uint32_t)ways;
}

/* The region that holds a region's owner has a lower number, so it is marked before. */
void graph_mark_reached(const struct graph *graph, const uint32_t *way, bool *reached)
{
    reached[0] = true;
    assert(graph->regions > 0);
    for (uint32_t r = 1; r < graph->regions; r++) {
        uint32_t owner = graph->region[r].owner;
        assert(graph->op[owner].region < r);
        bool taken = !way || (graph->op[owner].loop ? way[owner] != GRAPH_NONE : way[owner] == r);
        reached[r] = taken && reached[graph->op[owner].region];
    }
}

/* Chooses the way with this number, where all are visited. Of samples the first, which together run
   every region, are chosen by their number too, and the others at random. */
static void choose_way(const struct graph *graph, uint32_t number, bool all,
                       struct random_state *random, uint32_t *choice)
{
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *op = &graph->op[o];
        uint32_t choices = count_choices(graph, op);
        if (!choices)
            continue;
        uint32_t chosen = random ? (uint32_t)random_below(random, choices) : number % choices;
        assert(chosen < choices);
        choice[o] = op->loop && chosen ? GRAPH_NONE : op->first_region;
        for (uint32_t i = 0; i < chosen && !op->loop; i++)
            choice[o] = graph->region[choice[o]].next;
        if (all)
            number /= choices;
    }
}

enum status graph_visit_ways(const struct graph *graph, uint32_t most,
                             const struct graph_way_visitor *visitor, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    uint32_t ways = graph_count_ways(graph, most), covering = 1, *choice;
    bool all = ways <= most;
    assert(most > 0 && most < UINT32_MAX);
    struct random_state random = random_seed(1);
    TRY(scratch_take(&scratch, &choice, graph->operators, sizeof *choice, error));
    for (uint32_t o = 0; o < graph->operators; o++) {
        uint32_t choices = count_choices(graph, &graph->op[o]);
        covering = choices > covering ? choices : covering;
    }
    assert(ways > 0 && covering > 0);
    uint32_t samples = most > covering ? most : covering;
    for (uint32_t w = 0; w < (all ? ways : samples); w++) {
        choose_way(graph, w, all, !all && w >= covering ? &random : NULL, choice);
        TRY(visitor->visit(visitor->context, choice));
    }
    return STATUS_OK;
}
