#include "random_transfers.h"

#include "core/memory.h"
#include "dma/modes/modes.h"
#include "dma/program/check.h"
#include "planning/random_graph.h"
#include "support/fits.h"
#include "support/must.h"

/* Times, and weights that the graph was built without. */
static void add_costs(struct graph *graph, struct random_state *random, uint32_t most_weighted)
{
    size_t room = graph->weights;
    for (uint32_t o = 0, weighted = 0; o < graph->operators; o++) {
        graph->op[o].compute_ns = (int64_t)random_below(random, 12);
        if (weighted == most_weighted || random_below(random, 10) >= 6)
            continue;
        must(memory_reserve(&graph->weight, &room, (size_t)graph->weights + 1,
                            sizeof *graph->weight, &error));
        graph->weight[graph->weights] =
            (struct graph_weight){.name = graph->op[o].name, .bytes = 1 + random_below(random, 12)};
        graph->op[o].weights = (struct span){graph->weights++, 1};
        weighted++;
    }
}

static void add_turns(struct graph *graph, struct random_state *random)
{
    for (uint32_t o = 0; o < graph->operators; o++) {
        struct graph_operator *owner = &graph->op[o];
        if (owner->loop)
            owner->trip_count = (int64_t)random_below(random, 5) - 1;
        double left = 1;
        for (uint32_t g = owner->first_region; !owner->loop && g != GRAPH_NONE;
             g = graph->region[g].next) {
            bool last = graph->region[g].next == GRAPH_NONE;
            graph->region[g].probability = last ? left : left * (double)random_below(random, 5) / 4;
            left -= graph->region[g].probability;
        }
    }
}

static struct hardware draw_hardware(struct random_state *random, bool start_costs)
{
    struct hardware hardware = {.dma_bytes_per_second = 1000000000 / (1 + random_below(random, 3))};
    if (!start_costs)
        return hardware;
    hardware.dma_start_ns = random_below(random, 5);
    /* The last one takes longer than many a transfer, which then hides behind it. */
    static const uint64_t start_instruction_ns[] = {0, 1, 2, 20};
    hardware.dma_start_instruction_ns = start_instruction_ns[random_below(random, 4)];
    hardware.dma_wait_instruction_ns = random_below(random, 3);
    hardware.contention = random_below(random, HARDWARE_PARTS);
    return hardware;
}

static void count_costs(struct random_transfers *transfers)
{
    must(transfer_regions_create(transfers->graph, &transfers->regions, &error));
    must(
        transfer_costs_create(transfers->regions, &transfers->hardware, &transfers->costs, &error));
}

void random_transfers_create(struct random_state *random, const struct random_transfers_kind *kind,
                             struct random_transfers *transfers)
{
    const struct random_graph_shape shape = {
        .operators = kind->operators, .depth = kind->depth, .loops = kind->loops};
    struct graph *graph = random_graph_create(random, &shape);
    *transfers = (struct random_transfers){.graph = graph,
                                           .hardware = draw_hardware(random, kind->start_costs)};
    add_costs(graph, random, kind->most_weighted);
    if (kind->turns)
        add_turns(graph, random);
    count_costs(transfers);
}

void random_transfers_of(struct graph *graph, struct random_transfers *transfers)
{
    *transfers =
        (struct random_transfers){.graph = graph, .hardware.dma_bytes_per_second = 1000000000};
    count_costs(transfers);
}

void random_transfers_clear(struct random_transfers *transfers)
{
    schedule_space_free(transfers->space);
    transfer_costs_free(transfers->costs);
    transfer_regions_free(transfers->regions);
    graph_free(transfers->graph);
}

bool random_transfers_reach(const struct transfer_regions *regions, uint32_t r)
{
    const struct graph *graph = regions->graph;
    uint32_t g = regions->region[r].graph_region;
    for (; graph->region[g].owner != GRAPH_NONE; g = graph->op[graph->region[g].owner].region)
        if (graph->op[graph->region[g].owner].loop &&
            graph->op[graph->region[g].owner].trip_count == 0)
            return false;
    return true;
}

struct schedule_space *random_transfers_space(struct random_transfers *transfers)
{
    if (!transfers->space)
        must(schedule_space_create(transfers->regions, transfers->costs, 1, &transfers->space,
                                   &error));
    return transfers->space;
}

struct transfer_times random_transfers_measure(const struct random_transfers *transfers,
                                               const struct transfer_program *program)
{
    SCOPED(region_times_release) struct region_times *region_times = NULL;
    struct transfer_times times;
    must(region_times_create(program, transfers->costs, &region_times, &error));
    must(transfer_times_compose(region_times, NULL, &times, &error));
    return times;
}

struct transfer_program *random_transfers_program(const struct random_transfers *transfers,
                                                  const char *name, uint32_t buffers)
{
    const struct transfer_task task = {transfers->regions, transfers->costs, buffers};
    const struct transfer_mode *mode;
    struct transfer_program *program;
    must(transfer_modes_find(name, &mode, &error));
    must(transfer_modes_build(mode, &task, &program, &error));
    must(transfer_check(program, &error));
    return program;
}

struct transfer_times random_transfers_measure_mode(const struct random_transfers *transfers,
                                                    const char *name, uint32_t buffers)
{
    SCOPED(transfer_program_release)
    struct transfer_program *program = random_transfers_program(transfers, name, buffers);
    return random_transfers_measure(transfers, program);
}

static enum status place(void *context, const struct problem *problem, struct plan *plan,
                         struct error *failed)
{
    (void)context;
    TRY(fits_place_all(fit_find("first"), problem, NULL, plan, failed));
    plan->status = PLAN_FEASIBLE;
    return plan_set_peak(plan, problem, failed);
}

struct planned_task random_transfers_task(const struct random_transfers *transfers)
{
    return (struct planned_task){.regions = transfers->regions,
                                 .costs = transfers->costs,
                                 .alignment_bytes = 1,
                                 .time_limit_ns = UINT64_MAX,
                                 .capacity_bytes = UINT64_MAX,
                                 .most_points = 1000,
                                 .place = place};
}
