#include "dma/timing/hardware.h"

#include <assert.h>

#include "core/checked.h"
#include "core/memory.h"

enum { NS_PER_SECOND = 1000000000 };

void hardware_clear(struct hardware *hardware)
{
    names_free(&hardware->types);
    memory_free(hardware->operations_per_second);
    *hardware = (struct hardware){0};
}

enum status hardware_add_rate(struct hardware *hardware, const char *type,
                              uint64_t operations_per_second, struct error *error)
{
    assert(operations_per_second > 0);
    TRY(memory_reserve(&hardware->operations_per_second, &hardware->rates_capacity,
                       (size_t)hardware->types.count + 1, sizeof *hardware->operations_per_second,
                       error));
    TRY(names_add(&hardware->types, type, error));
    hardware->operations_per_second[hardware->types.count - 1] = operations_per_second;
    return STATUS_OK;
}

bool hardware_transfer_ns(const struct hardware *hardware, uint64_t bytes, uint64_t *ns)
{
    assert(hardware->dma_bytes_per_second > 0);
    return checked_scale_up(bytes, NS_PER_SECOND, hardware->dma_bytes_per_second, ns) &&
           checked_add(*ns, hardware->dma_start_ns, ns);
}

bool hardware_compute_ns(const struct hardware *hardware, const struct graph *graph, uint32_t op,
                         uint64_t *ns)
{
    const struct graph_operator *computed = &graph->op[op];
    *ns = computed->compute_ns >= 0 ? (uint64_t)computed->compute_ns : 0;
    if (computed->compute_ns >= 0 || computed->flops < 0)
        return true;
    uint32_t row = names_find(&hardware->types, graph_label(graph, computed->type));
    if (row == NAMES_NONE)
        row = names_find(&hardware->types, HARDWARE_DEFAULT_TYPE);
    return row == NAMES_NONE || checked_scale_up((uint64_t)computed->flops, NS_PER_SECOND,
                                                 hardware->operations_per_second[row], ns);
}

uint64_t hardware_contend(const struct hardware *hardware, uint64_t compute_ns, uint64_t busy_ns)
{
    uint64_t slow = HARDWARE_PARTS + hardware->contention;
    uint64_t whole = busy_ns / slow, rest = busy_ns % slow;
    uint64_t done_ns = whole * HARDWARE_PARTS + rest * HARDWARE_PARTS / slow;
    uint64_t slowed_ns;
    assert(done_ns <= busy_ns);
    if (compute_ns > done_ns)
        return busy_ns + (compute_ns - done_ns);
    return checked_scale_up(compute_ns, slow, HARDWARE_PARTS, &slowed_ns) ? slowed_ns : UINT64_MAX;
}
