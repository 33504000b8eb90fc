#include "dma/planned/region.h"

#include <string.h>

struct prefetch_region prefetch_region_at(const struct prefetch *prefetch, uint32_t r,
                                          const struct transfer_clock *clock)
{
    const struct transfer_region *region = &prefetch->regions->region[r];
    return (struct prefetch_region){
        .prefetch = prefetch,
        .begin = region->begin,
        .end = region->end,
        .bearer = prefetch->regions->bearer + region->bearers.first,
        .count = region->bearers.count,
        .clock = clock,
    };
}

static void run(struct transfer_clock *clock, enum transfer_action action, uint32_t op)
{
    transfer_clock_run(clock, &(struct transfer_instruction){action, op, 0});
}

static uint64_t sum_early(const struct prefetch_region *region)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < region->early_count; i++)
        bytes += region->prefetch->regions->weight_bytes[region->early[i].op];
    return bytes;
}

struct prefetch_cost prefetch_region_cost(const struct prefetch_region *region,
                                          const uint32_t *start)
{
    const struct prefetch *prefetch = region->prefetch;
    const uint64_t *weight_bytes = prefetch->regions->weight_bytes;
    struct transfer_clock clock = *region->clock;
    struct prefetch_cost cost = {0};
    uint64_t weights = sum_early(region);
    uint32_t next = 0;
    for (uint32_t i = 0; i < region->early_count; i++)
        transfer_clock_expect(&clock, region->early[i].op, region->early[i].left_ns);
    for (uint32_t o = region->begin; o < region->end; o++) {
        for (; next < region->count && start[next] == o; next++) {
            run(&clock, TRANSFER_START, region->bearer[next]);
            weights += weight_bytes[region->bearer[next]];
        }
        if (weight_bytes[o])
            run(&clock, TRANSFER_WAIT, o);
        run(&clock, TRANSFER_COMPUTE, o);
        if (prefetch->load_bytes[o] + weights > cost.load_bytes)
            cost.load_bytes = prefetch->load_bytes[o] + weights;
        weights -= weight_bytes[o];
    }
    cost.time_ns = clock.now_ns;
    return cost;
}

void prefetch_region_sync(const struct prefetch_region *region, uint32_t *start)
{
    memcpy(start, region->bearer, region->count * sizeof *start);
}

void prefetch_region_pingpong(const struct prefetch_region *region, uint32_t *start)
{
    for (uint32_t i = 0; i < region->count; i++)
        start[i] = i ? region->bearer[i - 1] : region->begin;
}

/* An operator and how long before the end of the region it begins. */
struct moment {
    uint32_t op;
    uint64_t left_ns;
};

static void step_back(const struct prefetch_region *region, struct moment *moment)
{
    moment->left_ns += region->prefetch->costs->compute_ns[--moment->op];
}

/* Backwards: a transfer has to end when its operator begins, by computing alone, and when the
   transfer after it begins. */
void prefetch_region_late(const struct prefetch_region *region, uint32_t *start)
{
    struct moment own = {region->end, 0}, begin = own;
    uint64_t left_ns = 0; /* when the transfer begins */
    for (uint32_t i = region->count; i-- > 0;) {
        while (own.op > region->bearer[i])
            step_back(region, &own);
        if (begin.op > own.op)
            begin = own;
        left_ns = region->prefetch->costs->transfer_ns[region->bearer[i]] +
                  (left_ns > own.left_ns ? left_ns : own.left_ns);
        while (begin.op > region->begin && begin.left_ns < left_ns)
            step_back(region, &begin);
        start[i] = begin.op;
    }
}

/* Weights own .. next - 1 are live at the operator at hand, beside early ones, so the last of them
   is next - 1. */
bool prefetch_region_shrink(const struct prefetch_region *region, uint64_t capacity_bytes,
                            uint32_t *start)
{
    const struct prefetch *prefetch = region->prefetch;
    const uint64_t *weight_bytes = prefetch->regions->weight_bytes;
    uint32_t own = 0, next = 0;
    uint64_t weights = sum_early(region);
    for (uint32_t o = region->begin; o < region->end; o++) {
        while (next < region->count && start[next] <= o)
            weights += weight_bytes[region->bearer[next++]];
        while (prefetch->load_bytes[o] + weights > capacity_bytes) {
            if (next == own || region->bearer[next - 1] == o)
                return false;
            weights -= weight_bytes[region->bearer[--next]];
            start[next] = o + 1;
        }
        weights -= weight_bytes[o];
        if (own < region->count && region->bearer[own] == o)
            own++;
    }
    return true;
}
