#include "dma/planned/schedule.h"

#include "core/checked.h"
#include "core/memory.h"

/* So that no sum of loads overflows. */
static enum status check_size(const struct prefetch *prefetch, struct error *error)
{
    uint64_t bytes;
    if (checked_add(problem_naive_bytes(prefetch->level->problem), prefetch->regions->total_bytes,
                    &bytes))
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT, "tensors and weights add up to more than 2^64 bytes");
}

static enum status fill_load(struct prefetch *prefetch, struct error *error)
{
    const struct problem *problem = prefetch->level->problem;
    const struct graph *graph = prefetch->regions->graph;
    uint64_t *bytes; /* changes at first, modulo 2^64 */
    TRY(memory_create(&bytes, (size_t)prefetch->liveness->steps + 1, sizeof *bytes, error));
    prefetch->step_bytes = bytes;
    for (uint32_t s = 0; s < problem->segments; s++) {
        bytes[problem->lower[s]] += problem->window_upper[s] - problem->window_lower[s];
        bytes[problem->upper[s]] -= problem->window_upper[s] - problem->window_lower[s];
    }
    for (uint32_t step = 0; step < prefetch->liveness->steps; step++)
        bytes[step + 1] += bytes[step];
    for (uint32_t o = 0; o < graph->operators; o++)
        prefetch->load_bytes[o] = bytes[prefetch->liveness->enter_step[o]];
    return STATUS_OK;
}

/* What follows a loop would have to be started in each of its turns. */
static bool may_be_early(const struct prefetch *prefetch, uint32_t region)
{
    const struct transfer_borders *borders = prefetch->borders;
    bool entered = false;
    for (uint32_t b = borders->into[region]; b < borders->into[region + 1]; b++) {
        if (borders->border[b].kind == TRANSFER_LEAVE)
            return false;
        entered = true;
    }
    return entered && prefetch->regions->region[region].bearers.count;
}

static enum status number_places(struct prefetch *prefetch, struct error *error)
{
    const struct transfer_regions *regions = prefetch->regions;
    const struct transfer_borders *borders = prefetch->borders;
    uint64_t places = regions->bearers;
    for (uint32_t r = 0; r < regions->count; r++) {
        prefetch->early[r] = may_be_early(prefetch, r) ? (uint32_t)places : GRAPH_NONE;
        if (prefetch->early[r] != GRAPH_NONE)
            places += (uint64_t)(borders->into[r + 1] - borders->into[r]) *
                      regions->region[r].bearers.count;
        if (places >= UINT32_MAX)
            return error_set(error, STATUS_BAD_INPUT, "weights may start at more than 2^32 places");
    }
    prefetch->places = (uint32_t)places;
    return STATUS_OK;
}

static enum status fill_prefetch(struct prefetch *prefetch, struct error *error)
{
    const struct graph *graph = prefetch->regions->graph;
    TRY(liveness_create(graph, &prefetch->liveness, error));
    TRY(level_create_flat(graph, prefetch->liveness, prefetch->alignment_bytes, &prefetch->level,
                          error));
    TRY(memory_create(&prefetch->load_bytes, graph->operators, sizeof *prefetch->load_bytes,
                      error));
    TRY(memory_create(&prefetch->early, prefetch->regions->count, sizeof *prefetch->early, error));
    TRY(transfer_borders_create(prefetch->regions, &prefetch->borders, error));
    TRY(number_places(prefetch, error));
    TRY(check_size(prefetch, error));
    return fill_load(prefetch, error);
}

enum status prefetch_create(const struct transfer_regions *regions,
                            const struct transfer_costs *costs, uint64_t alignment_bytes,
                            struct prefetch **created, struct error *error)
{
    struct prefetch *prefetch;
    TRY(memory_create(&prefetch, 1, sizeof *prefetch, error));
    prefetch->regions = regions;
    prefetch->costs = costs;
    prefetch->alignment_bytes = alignment_bytes;
    enum status status = fill_prefetch(prefetch, error);
    if (status) {
        prefetch_free(prefetch);
        return status;
    }
    *created = prefetch;
    return STATUS_OK;
}

void prefetch_free(struct prefetch *prefetch)
{
    if (!prefetch)
        return;
    level_free(prefetch->level);
    liveness_free(prefetch->liveness);
    transfer_borders_free(prefetch->borders);
    memory_free(prefetch->early);
    memory_free(prefetch->step_bytes);
    memory_free(prefetch->load_bytes);
    memory_free(prefetch);
}

uint32_t prefetch_place(const struct prefetch *prefetch, uint32_t region, uint32_t n,
                        uint32_t border)
{
    const uint32_t *into = prefetch->borders->into;
    return prefetch->early[region] + n * (into[region + 1] - into[region]) + border - into[region];
}

uint32_t prefetch_count_early(const struct prefetch *prefetch, const uint32_t *start,
                              uint32_t region)
{
    const struct span bearers = prefetch->regions->region[region].bearers;
    uint32_t count = 0;
    while (count < bearers.count && start[bearers.first + count] == PREFETCH_EARLY)
        count++;
    return count;
}
