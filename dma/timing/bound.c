#include "dma/timing/bound.h"

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

static void add_loop(struct summer *summer, const struct graph_operator *loop, struct sum *sum)
{
    uint64_t turns = transfer_paths_turns(loop);
    if (summer->once && turns > 1)
        turns = 1;
    for (uint32_t g = loop->first_region; g != GRAPH_NONE;
         g = summer->regions->graph->region[g].next)
        add_times(summer, sum, &summer->of[g], turns);
}

static struct sum sum_region(struct summer *summer, uint32_t g)
{
    const struct graph *graph = summer->regions->graph;
    struct sum sum = {0};
    for (uint32_t o = graph->region[g].begin; o < graph->region[g].end; o = graph->op[o].end) {
        const struct sum own = {(double)summer->cost_ns[o], summer->cost_ns[o]};
        add_times(summer, &sum, &own, 1);
        if (graph->op[o].loop)
            add_loop(summer, &graph->op[o], &sum);
        else if (graph->op[o].first_region != GRAPH_NONE)
            add_branches(summer, o, &sum);
    }
    return sum;
}

/* Sums up all regions, those with the highest numbers first. A region has a higher number than the
   one that holds it, so the sums inside an operator are known when the operator is reached. */
static enum status sum_paths(struct summer summer, struct transfer_times *sums, struct error *error)
{
    uint32_t regions = summer.regions->graph->regions;
    TRY(memory_create(&summer.of, regions, sizeof *summer.of, error));
    for (uint32_t g = regions; g-- > 0;)
        summer.of[g] = sum_region(&summer, g);
    const struct sum whole = summer.of[0];
    memory_free(summer.of);
    if (summer.overflow || whole.worst_ns > INT64_MAX)
        return error_set(error, STATUS_BAD_INPUT, "the times add up to 2^63 ns or more");
    sums->worst_ns = whole.worst_ns;
    sums->expected_ns = (uint64_t)(whole.expected_ns + 0.5);
    if (summer.chosen || sums->expected_ns > whole.worst_ns)
        sums->expected_ns = whole.worst_ns;
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
