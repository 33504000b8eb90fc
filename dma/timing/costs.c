#include "dma/timing/costs.h"

#include "core/checked.h"
#include "core/memory.h"

/* Adds the most time that an operator may take: compute_ns slowed down by contention, transfer_ns,
   and its instructions. These are a start and two that cost as much as a wait (a wait and a
   cancel). False where the sum reaches 2^63 ns. */
static bool add_most_ns(const struct hardware *hardware, uint64_t compute_ns, uint64_t transfer_ns,
                        uint64_t *most_ns)
{
    uint64_t slowed_ns;
    return checked_scale_up(compute_ns, HARDWARE_PARTS + hardware->contention, HARDWARE_PARTS,
                            &slowed_ns) &&
           checked_add(*most_ns, slowed_ns, most_ns) &&
           checked_add(*most_ns, transfer_ns, most_ns) &&
           checked_add(*most_ns, hardware->dma_start_instruction_ns, most_ns) &&
           checked_add(*most_ns, hardware->dma_wait_instruction_ns, most_ns) &&
           checked_add(*most_ns, hardware->dma_wait_instruction_ns, most_ns) &&
           *most_ns <= INT64_MAX;
}

enum status transfer_costs_create(const struct transfer_regions *regions,
                                  const struct hardware *hardware, struct transfer_costs **created,
                                  struct error *error)
{
    const struct graph *graph = regions->graph;
    SCOPED(transfer_costs_release) struct transfer_costs *costs = NULL;
    uint64_t most_ns = 0;
    TRY(memory_create(&costs, 1, sizeof *costs, error));
    costs->hardware = hardware;
    TRY(memory_create_all(graph->operators, error, &costs->compute_ns, &costs->transfer_ns));
    for (uint32_t o = 0; o < graph->operators; o++) {
        uint64_t bytes = regions->weight_bytes[o];
        bool fits = hardware_compute_ns(hardware, graph, o, &costs->compute_ns[o]) &&
                    (!bytes || hardware_transfer_ns(hardware, bytes, &costs->transfer_ns[o])) &&
                    add_most_ns(hardware, costs->compute_ns[o], costs->transfer_ns[o], &most_ns);
        if (!fits)
            return error_set(error, STATUS_BAD_INPUT,
                             "the times up to operator '%s' add up to 2^63 ns or more",
                             graph_label(graph, graph->op[o].name));
    }
    HAND_OVER(costs, created);
}

void transfer_costs_free(struct transfer_costs *costs)
{
    if (!costs)
        return;
    memory_free_all(costs->compute_ns, costs->transfer_ns, costs);
}
