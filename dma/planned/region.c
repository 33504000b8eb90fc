#include "dma/planned/region.h"

#include <assert.h>
#include <string.h>

struct schedule_region schedule_region_at(const struct schedule_space *space, uint32_t r,
                                          const struct transfer_clock *clock)
{
    const struct transfer_region *region = &space->regions->region[r];
    return (struct schedule_region){
        .space = space,
        .begin = region->begin,
        .end = region->end,
        .weighted_op = space->regions->weighted_op + region->weighted.first,
        .count = region->weighted.count,
        .clock = clock,
    };
}

/* Transfers that were started for other regions are cancelled when the region begins, so that its
   own move up. */
static uint32_t list_under_way(const struct schedule_space *space,
                               const struct transfer_region *region,
                               const struct region_transfer *transfer, uint32_t count,
                               struct region_transfer *under_way)
{
    uint32_t listed = 0;
    uint64_t saved_ns = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct region_transfer own = transfer[i];
        uint64_t transfer_ns = space->costs->transfer_ns[own.op];
        own.left_ns -= saved_ns < own.left_ns ? saved_ns : own.left_ns;
        if (own.op >= region->begin && own.op < region->end)
            under_way[listed++] = own;
        else
            saved_ns += own.left_ns < transfer_ns ? own.left_ns : transfer_ns;
    }
    return listed;
}

struct schedule_region schedule_region_entered(const struct schedule_space *space, uint32_t r,
                                               const struct transfer_clock *clock,
                                               const struct region_times *region_times,
                                               struct region_transfer *under_way)
{
    const struct transfer_borders *borders = space->borders;
    struct schedule_region region = schedule_region_at(space, r, clock);
    assert(borders->into[r] < borders->into[r + 1]);
    const struct region_passage *passage =
        region_times_newest(region_times, borders->border[borders->into[r]].from);
    if (!passage)
        return region;
    uint32_t count;
    const struct region_transfer *transfer =
        region_times_transfers(region_times, passage->left, &count);
    region.early = under_way;
    region.early_count =
        list_under_way(space, &space->regions->region[r], transfer, count, under_way);
    return region;
}

/* The buffer of an instruction does not matter to the clock. */
static void run(struct transfer_clock *clock, enum transfer_action action, uint32_t op)
{
    transfer_clock_run(clock, &(struct transfer_instruction){action, op, 0});
}

/* The bytes of the weights that are early. */
static uint64_t sum_early(const struct schedule_region *region)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < region->early_count; i++)
        bytes += region->space->regions->weight_bytes[region->early[i].op];
    return bytes;
}

struct schedule_cost schedule_region_cost(const struct schedule_region *region,
                                          const uint32_t *start)
{
    const struct schedule_space *space = region->space;
    const uint64_t *weight_bytes = space->regions->weight_bytes;
    struct transfer_clock clock = *region->clock;
    struct schedule_cost cost = {0};
    uint64_t weights = sum_early(region);
    uint32_t next = 0;
    for (uint32_t i = 0; i < region->early_count; i++)
        transfer_clock_expect(&clock, region->early[i].op, region->early[i].left_ns);
    for (uint32_t o = region->begin; o < region->end; o++) {
        for (; next < region->count && start[next] == o; next++) {
            run(&clock, TRANSFER_START, region->weighted_op[next]);
            weights += weight_bytes[region->weighted_op[next]];
        }
        if (weight_bytes[o])
            run(&clock, TRANSFER_WAIT, o);
        run(&clock, TRANSFER_COMPUTE, o);
        if (space->load_bytes[o] + weights > cost.load_bytes)
            cost.load_bytes = space->load_bytes[o] + weights;
        weights -= weight_bytes[o];
    }
    assert(next == region->count && clock.under_way == 0);
    cost.time_ns = clock.now_ns;
    return cost;
}

void schedule_region_sync(const struct schedule_region *region, uint32_t *start)
{
    memcpy(start, region->weighted_op, region->count * sizeof *start);
}

void schedule_region_pingpong(const struct schedule_region *region, uint32_t *start)
{
    for (uint32_t i = 0; i < region->count; i++)
        start[i] = i ? region->weighted_op[i - 1] : region->begin;
}

/* An operator and how long before the end of the region it begins. */
struct position {
    uint32_t op;
    uint64_t left_ns;
};

static void step_back(const struct schedule_region *region, struct position *position)
{
    position->left_ns += region->space->costs->compute_ns[--position->op];
}

/* Goes backwards from the last transfer. Each has to end before its operator begins, if operators
   take only their computing time, and before the next transfer begins. */
void schedule_region_late(const struct schedule_region *region, uint32_t *start)
{
    struct position own = {region->end, 0}, begin = own;
    uint64_t left_ns = 0; /* from when the transfer begins to the end of the region */
    for (uint32_t i = region->count; i-- > 0;) {
        while (own.op > region->weighted_op[i])
            step_back(region, &own);
        if (begin.op > own.op)
            begin = own;
        left_ns = region->space->costs->transfer_ns[region->weighted_op[i]] +
                  (left_ns > own.left_ns ? left_ns : own.left_ns);
        while (begin.op > region->begin && begin.left_ns < left_ns)
            step_back(region, &begin);
        start[i] = begin.op;
    }
}

/* At each operator the weights own .. next - 1 are live beside the early ones. Of those the one
   that is needed last is next - 1, and its start is moved behind the operator. */
bool schedule_region_shrink(const struct schedule_region *region, uint64_t capacity_bytes,
                            uint32_t *start)
{
    const struct schedule_space *space = region->space;
    const uint64_t *weight_bytes = space->regions->weight_bytes;
    uint32_t own = 0, next = 0;
    uint64_t weights = sum_early(region);
    for (uint32_t o = region->begin; o < region->end; o++) {
        while (next < region->count && start[next] <= o)
            weights += weight_bytes[region->weighted_op[next++]];
        while (space->load_bytes[o] + weights > capacity_bytes) {
            if (next == own || region->weighted_op[next - 1] == o)
                return false;
            weights -= weight_bytes[region->weighted_op[--next]];
            start[next] = o + 1;
        }
        weights -= weight_bytes[o];
        if (own < region->count && region->weighted_op[own] == o)
            own++;
    }
    return true;
}
