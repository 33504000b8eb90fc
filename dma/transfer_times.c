#include "dma/transfer_times.h"

#include "core/memory.h"
#include "dma/compose.h"
#include "dma/transfer_clock.h"

struct transfer_measure {
    const struct transfer_program *program;
    const struct transfer_costs *costs;
    struct compose_region *region; /* [regions] */
};

static uint64_t since(uint64_t later_ns, uint64_t earlier_ns)
{
    return later_ns > earlier_ns ? later_ns - earlier_ns : 0;
}

/* Work before the first wait of a region whose first weights are on their way. */
static uint32_t skip_lead(const struct transfer_measure *measure, uint32_t r, uint64_t *lead_ns)
{
    const struct transfer_program *program = measure->program;
    uint32_t i = program->first[r];
    for (; program->instruction[i].action != TRANSFER_WAIT; i++)
        *lead_ns += measure->costs->compute_ns[program->instruction[i].operator];
    return i;
}

/* From when the first weights are there, or else from the beginning. */
static void measure_region(const struct transfer_measure *measure, uint32_t r, uint64_t *arrival_ns)
{
    const struct transfer_program *program = measure->program;
    struct compose_region *region = &measure->region[r];
    struct transfer_clock clock = {.costs = measure->costs, .arrival_ns = arrival_ns};
    uint32_t i = program->first[r];
    region->prefetched = program->prefetched[r];
    if (region->prefetched) {
        i = skip_lead(measure, r, &region->lead_ns);
        arrival_ns[program->instruction[i].operator] = 0;
    }
    for (; i < program->first[r + 1]; i++)
        transfer_clock_run(&clock, &program->instruction[i]);
    region->rest_ns = clock.now_ns;
    region->left_ns = since(clock.free_ns, clock.now_ns);
}

static enum status measure_regions(struct transfer_measure *measure, struct error *error)
{
    const struct transfer_regions *regions = measure->program->regions;
    uint64_t *arrival_ns;
    TRY(memory_create(&measure->region, regions->count, sizeof *measure->region, error));
    TRY(memory_create(&arrival_ns, regions->graph->operators, sizeof *arrival_ns, error));
    for (uint32_t r = 0; r < regions->count; r++)
        measure_region(measure, r, arrival_ns);
    memory_free(arrival_ns);
    return STATUS_OK;
}

enum status transfer_measure_create(const struct transfer_program *program,
                                    const struct transfer_costs *costs,
                                    struct transfer_measure **created, struct error *error)
{
    struct transfer_measure *measure;
    TRY(memory_create(&measure, 1, sizeof *measure, error));
    measure->program = program;
    measure->costs = costs;
    enum status status = measure_regions(measure, error);
    if (status) {
        transfer_measure_free(measure);
        return status;
    }
    *created = measure;
    return STATUS_OK;
}

void transfer_measure_free(struct transfer_measure *measure)
{
    if (!measure)
        return;
    memory_free(measure->region);
    memory_free(measure);
}

enum status transfer_measure_times(const struct transfer_measure *measure, const uint32_t *chosen,
                                   struct transfer_times *times, struct error *error)
{
    return compose_times(measure->program->regions, measure->costs->hardware, measure->region,
                         chosen, times, error);
}

static void sum_costs(const struct transfer_regions *regions, const uint64_t *cost_ns,
                      struct compose_region *sums)
{
    for (uint32_t r = 0; r < regions->count; r++) {
        sums[r] = (struct compose_region){0};
        for (uint32_t o = regions->region[r].begin; o < regions->region[r].end; o++)
            sums[r].rest_ns += cost_ns[o];
    }
}

static enum status bound_times(const struct transfer_regions *regions,
                               const struct transfer_costs *costs, const uint32_t *chosen,
                               struct compose_region *sums, struct transfer_times *bound,
                               struct error *error)
{
    struct transfer_times transfers;
    sum_costs(regions, costs->compute_ns, sums);
    TRY(compose_times(regions, costs->hardware, sums, chosen, bound, error));
    sum_costs(regions, costs->transfer_ns, sums);
    TRY(compose_times(regions, costs->hardware, sums, chosen, &transfers, error));
    if (bound->expected_ns < transfers.expected_ns)
        bound->expected_ns = transfers.expected_ns;
    if (bound->worst_ns < transfers.worst_ns)
        bound->worst_ns = transfers.worst_ns;
    return STATUS_OK;
}

enum status transfer_times_bound(const struct transfer_regions *regions,
                                 const struct transfer_costs *costs, const uint32_t *chosen,
                                 struct transfer_times *bound, struct error *error)
{
    struct compose_region *sums;
    TRY(memory_create(&sums, regions->count, sizeof *sums, error));
    enum status status = bound_times(regions, costs, chosen, sums, bound, error);
    memory_free(sums);
    return status;
}
