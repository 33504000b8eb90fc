#include "dma/timing/region_times.h"

#include <assert.h>

#include "core/memory.h"
#include "dma/timing/clock.h"

enum { MOST_STATES = 1 << 22, NO_PASSAGE = 0 };

/* A passage in the linked list of its region. */
struct link {
    struct region_passage passage;
    uint32_t next;
};

struct region_times {
    const struct transfer_program *program;
    struct transfer_clock clock;      /* at 0 ns; each run of a region works on a copy */
    uint32_t *newest;                 /* [regions] the newest link of its list; NO_PASSAGE: none */
    struct link *link;                /* [links] counted from 1 */
    struct span *state;               /* [states] each state's part of `transfer` */
    struct region_transfer *transfer; /* [transfers] */
    uint32_t links, states, transfers;
    size_t link_capacity, state_capacity, transfer_capacity;
};

static enum status add_state(struct region_times *region_times, uint32_t count, struct error *error)
{
    if (region_times->states == MOST_STATES)
        return error_set(error, STATUS_LIMIT, "regions are entered in too many states");
    TRY(memory_reserve(&region_times->state, &region_times->state_capacity,
                       (size_t)region_times->states + 1, sizeof *region_times->state, error));
    TRY(memory_reserve(&region_times->transfer, &region_times->transfer_capacity,
                       (size_t)region_times->transfers + count, sizeof *region_times->transfer,
                       error));
    region_times->state[region_times->states++] = (struct span){region_times->transfers, count};
    return STATUS_OK;
}

enum status region_times_create(const struct transfer_program *program,
                                const struct transfer_costs *costs, struct region_times **created,
                                struct error *error)
{
    const struct transfer_regions *regions = program->regions;
    SCOPED(region_times_release) struct region_times *region_times = NULL;
    TRY(memory_create(&region_times, 1, sizeof *region_times, error));
    region_times->program = program;
    TRY(transfer_clock_create(costs, regions->graph->operators, &region_times->clock, error));
    TRY(memory_create(&region_times->newest, regions->count, sizeof *region_times->newest, error));
    TRY(memory_reserve(&region_times->link, &region_times->link_capacity, 1,
                       sizeof *region_times->link, error));
    region_times->links = 1;
    TRY(add_state(region_times, 0, error));
    HAND_OVER(region_times, created);
}

void region_times_free(struct region_times *region_times)
{
    if (!region_times)
        return;
    transfer_clock_clear(&region_times->clock);
    memory_free_all(region_times->newest, region_times->link, region_times->state,
                    region_times->transfer, region_times);
}

const struct transfer_regions *region_times_regions(const struct region_times *region_times)
{
    return region_times->program->regions;
}

const struct region_transfer *region_times_transfers(const struct region_times *region_times,
                                                     uint32_t state, uint32_t *count)
{
    assert(state < region_times->states);
    *count = region_times->state[state].count;
    return region_times->transfer + region_times->state[state].first;
}

bool region_times_same(const struct region_times *region_times, uint32_t state, uint32_t as)
{
    uint32_t count, as_count;
    const struct region_transfer *a = region_times_transfers(region_times, state, &count);
    const struct region_transfer *b = region_times_transfers(region_times, as, &as_count);
    bool same = count == as_count;
    for (uint32_t i = 0; same && i < count; i++)
        same = a[i].op == b[i].op && a[i].left_ns == b[i].left_ns;
    return same;
}

static enum status run(struct region_times *region_times, uint32_t r,
                       struct region_passage *passage, struct error *error)
{
    const struct transfer_program *program = region_times->program;
    struct transfer_clock clock = region_times->clock;
    uint32_t count;
    const struct region_transfer *transfer =
        region_times_transfers(region_times, passage->entered, &count);
    for (uint32_t i = 0; i < count; i++)
        transfer_clock_expect(&clock, transfer[i].op, transfer[i].left_ns);
    for (uint32_t i = program->first[r]; i < program->first[r + 1]; i++)
        transfer_clock_run(&clock, &program->instruction[i]);
    passage->time_ns = clock.now_ns;
    passage->left = REGION_TIMES_IDLE;
    if (!clock.under_way)
        return STATUS_OK;

    /* The transfers that are under way at the end of the region make a state. */
    passage->left = region_times->states;
    TRY(add_state(region_times, clock.under_way, error));
    for (uint32_t i = 0, o = clock.first; i < clock.under_way; i++, o = clock.behind[o]) {
        uint64_t arrival_ns = clock.arrival_ns[o];
        region_times->transfer[region_times->transfers++] =
            (struct region_transfer){o, arrival_ns > clock.now_ns ? arrival_ns - clock.now_ns : 0};
    }
    return STATUS_OK;
}

enum status region_times_run(struct region_times *region_times, uint32_t region, uint32_t state,
                             struct region_passage *passage, struct error *error)
{
    for (uint32_t l = region_times->newest[region]; l != NO_PASSAGE; l = region_times->link[l].next)
        if (region_times_same(region_times, region_times->link[l].passage.entered, state)) {
            *passage = region_times->link[l].passage;
            return STATUS_OK;
        }
    *passage = (struct region_passage){.entered = state};
    TRY(memory_reserve(&region_times->link, &region_times->link_capacity,
                       (size_t)region_times->links + 1, sizeof *region_times->link, error));
    TRY(run(region_times, region, passage, error));
    region_times->link[region_times->links] = (struct link){*passage, region_times->newest[region]};
    region_times->newest[region] = region_times->links++;
    return STATUS_OK;
}

const struct region_passage *region_times_newest(const struct region_times *region_times,
                                                 uint32_t region)
{
    uint32_t newest = region_times->newest[region];
    return newest == NO_PASSAGE ? NULL : &region_times->link[newest].passage;
}
