#include "planning/graph/ways.h"

#include "core/memory.h"
#include "core/random.h"

static bool may_have_no_turn(const struct graph_operator *op)
{
    return op->loop && op->trip_count < 1;
}

static uint32_t count_choices(const struct graph *graph, const struct graph_operator *op)
{
    uint32_t count = 0;
    if (op->loop)
        return may_have_no_turn(op) ? 2 : 1;
    for (uint32_t r = op->first_region; r != GRAPH_NONE; r = graph->region[r].next)
        count++;
    return count;
}

static uint32_t get_choice(const struct graph *graph, const struct graph_operator *op,
                           uint32_t number)
{
    uint32_t region = op->first_region;
    if (op->loop)
        return number ? GRAPH_NONE : region;
    while (number-- > 0)
        region = graph->region[region].next;
    return region;
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

static uint32_t count_most_choices(const struct graph *graph)
{
    uint32_t most = 1;
    for (uint32_t o = 0; o < graph->operators; o++) {
        uint32_t choices = count_choices(graph, &graph->op[o]);
        most = choices > most ? choices : most;
    }
    return most;
}

static void choose_numbered(const struct graph *graph, uint32_t number, uint32_t *choice)
{
    for (uint32_t o = 0; o < graph->operators; o++) {
        uint32_t choices = count_choices(graph, &graph->op[o]);
        if (!choices)
            continue;
        choice[o] = get_choice(graph, &graph->op[o], number % choices);
        number /= choices;
    }
}

/* Chooses the way of a sample: at random if the choice is free; else by the sample's number, so
   that the first samples together run every region. */
static void choose_sample(const struct graph *graph, uint32_t sample, bool free_choice,
                          struct random_state *random, uint32_t *choice)
{
    for (uint32_t o = 0; o < graph->operators; o++) {
        uint32_t choices = count_choices(graph, &graph->op[o]);
        if (choices)
            choice[o] = get_choice(graph, &graph->op[o],
                                   free_choice ? (uint32_t)random_below(random, choices)
                                               : sample % choices);
    }
}

enum status graph_visit_ways(const struct graph *graph, uint32_t most,
                             const struct graph_way_visitor *visitor, struct error *error)
{
    uint32_t ways = graph_count_ways(graph, most), covering = count_most_choices(graph), *choice;
    bool all = ways <= most;
    uint32_t samples = most > covering ? most : covering;
    struct random_state random = random_seed(1);
    enum status status = STATUS_OK;
    TRY(memory_create(&choice, graph->operators, sizeof *choice, error));
    for (uint32_t w = 0; w < (all ? ways : samples) && !status; w++) {
        if (all)
            choose_numbered(graph, w, choice);
        else
            choose_sample(graph, w, w >= covering, &random, choice);
        status = visitor->visit(visitor->context, choice);
    }
    memory_free(choice);
    return status;
}
