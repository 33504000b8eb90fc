#include "dma/planned/region.h"

#include <assert.h>

#include "core/memory.h"

#define NO_START UINT32_MAX

enum status schedule_walk_create(const struct schedule_space *space, struct schedule_walk *walk,
                                 struct error *error)
{
    uint32_t operators = space->regions->graph->operators;
    *walk = (struct schedule_walk){0};
    TRY(transfer_clock_create(space->costs, operators, &walk->clock, error));
    TRY(memory_create(&walk->first, operators, sizeof *walk->first, error));
    for (uint32_t o = 0; o < operators; o++)
        walk->first[o] = NO_START;
    return memory_create(&walk->next, space->regions->weighted_count, sizeof *walk->next, error);
}

void schedule_walk_clear(struct schedule_walk *walk)
{
    transfer_clock_clear(&walk->clock);
    memory_free_all(walk->first, walk->next);
    *walk = (struct schedule_walk){0};
}

struct schedule_region schedule_region_at(const struct schedule_space *space, uint32_t r,
                                          const struct schedule_walk *walk)
{
    const struct transfer_region *region = &space->regions->region[r];
    return (struct schedule_region){
        .space = space,
        .begin = region->begin,
        .end = region->end,
        .weighted_op = space->regions->weighted_op + region->weighted.first,
        .count = region->weighted.count,
        .walk = walk,
    };
}

/* Lists the region's own transfers among those under way. The others were started for other regions
   and are cancelled first, so that the own ones behind them arrive earlier. */
struct schedule_region schedule_region_entered(const struct schedule_space *space, uint32_t r,
                                               const struct schedule_walk *walk,
                                               const struct region_times *region_times,
                                               struct region_transfer *under_way)
{
    const struct transfer_borders *borders = space->borders;
    struct schedule_region region = schedule_region_at(space, r, walk);
    assert(borders->into[r] < borders->into[r + 1]);
    const struct region_passage *passage =
        region_times_newest(region_times, borders->border[borders->into[r]].from);
    if (!passage)
        return region;
    uint32_t count;
    const struct region_transfer *transfer =
        region_times_transfers(region_times, passage->left, &count);
    uint64_t saved_ns = 0;
    region.early = under_way;
    for (uint32_t i = 0; i < count; i++) {
        struct region_transfer own = transfer[i];
        uint64_t transfer_ns = space->costs->transfer_ns[own.op];
        own.left_ns -= saved_ns < own.left_ns ? saved_ns : own.left_ns;
        if (own.op >= region.begin && own.op < region.end)
            under_way[region.early_count++] = own;
        else
            saved_ns += own.left_ns < transfer_ns ? own.left_ns : transfer_ns;
    }
    assert(region.early_count <= region.count);
    return region;
}

static bool is_own(const struct schedule_space *space, const uint32_t *start, uint32_t w)
{
    return start[w] != SCHEDULE_EARLY && !schedule_is_kept(space, start, w);
}

uint32_t schedule_own_list(const struct schedule_space *space, const uint32_t *start,
                           uint32_t region, const struct schedule_own *own)
{
    const struct span weighted = space->regions->region[region].weighted;
    uint32_t count = 0;
    for (uint32_t w = weighted.first; w < weighted.first + weighted.count; w++)
        if (is_own(space, start, w)) {
            own->op[count] = space->regions->weighted_op[w];
            own->start[count++] = start[w];
        }
    return count;
}

void schedule_own_take(const struct schedule_space *space, const struct schedule_own *own,
                       uint32_t region, uint32_t *start)
{
    const struct span weighted = space->regions->region[region].weighted;
    uint32_t count = 0;
    for (uint32_t w = weighted.first; w < weighted.first + weighted.count; w++)
        if (is_own(space, start, w))
            start[w] = own->start[count++];
}

/* Whether an operator waits for weights: its own transfer starts in the region, or was started
   early. *own counts the operators with own transfers that have been passed. */
static bool has_travelled(const struct schedule_region *region, uint32_t o, uint32_t *own)
{
    if (*own < region->count && region->weighted_op[*own] == o) {
        ++*own;
        return true;
    }
    for (uint32_t i = 0; i < region->early_count; i++)
        if (region->early[i].op == o)
            return true;
    return false;
}

/* The bytes of the tensors and kept weights that are live when an operator runs. */
static uint64_t get_load(const struct schedule_region *region, uint32_t o)
{
    return region->space->load_bytes[o] + (region->kept_bytes ? region->kept_bytes[o] : 0);
}

/* Runs an instruction without a buffer, since the clock does not need it. */
static void run(struct transfer_clock *clock, enum transfer_action action, uint32_t op)
{
    transfer_clock_run(clock, &(struct transfer_instruction){action, op, 0});
}

/* The bytes of all weights whose transfers are under way when the region begins. */
static uint64_t sum_early(const struct schedule_region *region)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < region->early_count; i++)
        bytes += region->space->regions->weight_bytes[region->early[i].op];
    return bytes;
}

/* Sorts the starts into one list for each operator before which transfers start; those before the
   same operator keep their order. */
static void sort_starts(const struct schedule_region *region, const uint32_t *start)
{
    const struct schedule_walk *walk = region->walk;
    for (uint32_t i = region->count; i-- > 0;) {
        assert(region->begin <= start[i] && start[i] <= region->weighted_op[i]);
        walk->next[i] = walk->first[start[i]];
        walk->first[start[i]] = i;
    }
}

struct schedule_cost schedule_region_cost(const struct schedule_region *region,
                                          const uint32_t *start)
{
    const struct schedule_walk *walk = region->walk;
    const uint64_t *weight_bytes = region->space->regions->weight_bytes;
    struct transfer_clock clock = walk->clock;
    struct schedule_cost cost = {0};
    uint64_t weights = sum_early(region);
    uint32_t own = 0;
    for (uint32_t i = 0; i < region->early_count; i++)
        transfer_clock_expect(&clock, region->early[i].op, region->early[i].left_ns);
    sort_starts(region, start);
    for (uint32_t o = region->begin; o < region->end; o++) {
        for (uint32_t i = walk->first[o]; i != NO_START; i = walk->next[i]) {
            run(&clock, TRANSFER_START, region->weighted_op[i]);
            weights += weight_bytes[region->weighted_op[i]];
        }
        walk->first[o] = NO_START;
        bool waits = has_travelled(region, o, &own);
        if (waits)
            run(&clock, TRANSFER_WAIT, o);
        run(&clock, TRANSFER_COMPUTE, o);
        if (get_load(region, o) + weights > cost.load_bytes)
            cost.load_bytes = get_load(region, o) + weights;
        assert(!waits || weights >= weight_bytes[o]);
        weights -= waits ? weight_bytes[o] : 0;
    }
    assert(clock.under_way == 0 && weights == 0 && own == region->count);
    cost.time_ns = clock.now_ns;
    return cost;
}

void schedule_region_ring(const struct schedule_region *region, uint32_t buffers, uint32_t *start)
{
    assert(buffers > 0);
    for (uint32_t i = 0; i < region->count; i++)
        start[i] = i + 1 < buffers ? region->begin : region->weighted_op[i + 1 - buffers];
}

/* A point on the way back through the region: the beginning of an operator, and the computing time
   from there to the end of the region. */
struct position {
    uint32_t op;
    uint64_t left_ns;
};

static void step_back(const struct schedule_region *region, struct position *position)
{
    position->left_ns += region->space->costs->compute_ns[--position->op];
}

/* Goes backwards from the last transfer. Each transfer has to end before its operator begins, if
   operators take nothing but their computing time, and before the next transfer begins. */
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

/* Goes through the operators. Where the load is above the capacity, transfers of weights that are
   needed only later are put off until after the operator, those needed last first. */
bool schedule_region_shrink(const struct schedule_region *region, uint64_t capacity_bytes,
                            uint32_t kept, uint32_t *start)
{
    const struct schedule_walk *walk = region->walk;
    const uint64_t *weight_bytes = region->space->regions->weight_bytes;
    uint64_t weights = sum_early(region);
    uint32_t own = 0;
    sort_starts(region, start);
    bool fits = true;
    for (uint32_t o = region->begin; o < region->end; o++) {
        for (uint32_t i = walk->first[o]; i != NO_START; i = walk->next[i])
            weights += weight_bytes[region->weighted_op[i]];
        walk->first[o] = NO_START;
        while (fits && get_load(region, o) + weights > capacity_bytes) {
            uint32_t last = region->count;
            while (last > 0 && region->weighted_op[last - 1] > o &&
                   (start[last - 1] > o || last - 1 == kept))
                last--;
            fits = last > 0 && region->weighted_op[last - 1] > o;
            if (!fits)
                break;
            start[--last] = o + 1;
            walk->next[last] = walk->first[o + 1];
            walk->first[o + 1] = last;
            weights -= weight_bytes[region->weighted_op[last]];
        }
        weights -= has_travelled(region, o, &own) ? weight_bytes[o] : 0;
    }
    assert(weights == 0 && own == region->count);
    return fits;
}
