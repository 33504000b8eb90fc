#include "dma/timing/bound.h"

#include <assert.h>

#include "core/checked.h"
#include "core/memory.h"
#include "dma/program/paths.h"

/* The sum of one kind of cost over a region of the graph. */
struct sum {
    double expected_ns;
    uint64_t worst_ns;
};

/* Sums one kind of cost, computing or transfers, over the regions of a graph. */
struct summer {
    const struct transfer_regions *regions;
    const uint64_t *cost_ns;
    bool once; /* a loop counts once, however many turns it makes */
    const uint32_t *chosen;
    struct sum *of; /* [graph->regions] sum of each region */
    bool overflow;
};

static void add_times(struct summer *summer, struct sum *sum, const struct sum *more,
                      uint64_t times)
{
    uint64_t product;
    bool fits = checked_multiply(more->worst_ns, times, &product) &&
                checked_add(sum->worst_ns, product, &sum->worst_ns);
    summer->overflow = summer->overflow || !fits;
    sum->expected_ns += more->expected_ns * (double)times;
}

/* Adds the branches of an If: their probability-weighted mean to the expected sum, the largest of
   them to the worst sum. */
static void add_branches(struct summer *summer, uint32_t owner, struct sum *sum)
{
    const struct transfer_regions *regions = summer->regions;
    struct sum all = {0};
    for (uint32_t g = regions->graph->op[owner].first_region; g != GRAPH_NONE;
         g = regions->graph->region[g].next) {
        const struct sum *branch = &summer->of[g];
        if (summer->chosen && summer->chosen[owner] != g)
            continue;
        all.expected_ns += branch->expected_ns * (summer->chosen ? 1 : regions->probability[g]);
        all.worst_ns = branch->worst_ns > all.worst_ns ? branch->worst_ns : all.worst_ns;
    }
    add_times(summer, sum, &all, 1);
}

/* Sums up all regions, those with the highest numbers first. A region has a higher number than the
   one that holds it, so the sums inside an operator are known when the operator is reached. */
static enum status sum_paths(struct summer summer, struct transfer_times *sums, struct error *error)
{
    const struct graph *graph = summer.regions->graph;
    SCOPED(memory_release) struct sum *of = NULL;
    TRY(memory_create(&of, graph->regions, sizeof *of, error));
    summer.of = of;
    for (uint32_t r = graph->regions; r-- > 0;)
        for (uint32_t o = graph->region[r].begin; o < graph->region[r].end; o = graph->op[o].end) {
            const struct graph_operator *op = &graph->op[o];
            const struct sum own = {(double)summer.cost_ns[o], summer.cost_ns[o]};
            add_times(&summer, &of[r], &own, 1);
            if (!op->loop && op->first_region != GRAPH_NONE)
                add_branches(&summer, o, &of[r]);
            uint64_t turns = op->loop ? transfer_paths_turns(op) : 0;
            if (summer.once && turns > 1)
                turns = 1;
            for (uint32_t g = op->first_region; op->loop && g != GRAPH_NONE;
                 g = graph->region[g].next) {
                assert(g > r);
                add_times(&summer, &of[r], &of[g], turns);
            }
        }
    if (summer.overflow || of[0].worst_ns > INT64_MAX)
        return error_set(error, STATUS_BAD_INPUT, "the times add up to 2^63 ns or more");
    sums->worst_ns = of[0].worst_ns;
    sums->expected_ns = (uint64_t)(of[0].expected_ns + 0.5);
    if (summer.chosen || sums->expected_ns > sums->worst_ns)
        sums->expected_ns = sums->worst_ns;
    return STATUS_OK;
}

enum status transfer_bound_find(const struct transfer_regions *regions,
                                const struct transfer_costs *costs, const uint32_t *chosen,
                                struct transfer_times *bound, struct error *error)
{
    struct transfer_times transfers;
    struct summer summer = {.regions = regions, .cost_ns = costs->compute_ns, .chosen = chosen};
    TRY(sum_paths(summer, bound, error));
    summer.cost_ns = costs->transfer_ns;
    summer.once = true;
    TRY(sum_paths(summer, &transfers, error));
    if (bound->expected_ns < transfers.expected_ns)
        bound->expected_ns = transfers.expected_ns;
    if (bound->worst_ns < transfers.worst_ns)
        bound->worst_ns = transfers.worst_ns;
    return STATUS_OK;
}
