#include "dma/timing/region_times.h"

#include "core/memory.h"
#include "dma/timing/clock.h"

enum { MOST_STATES = 1 << 22, NO_PASSAGE = 0 };

/* Passages of one region are a list. */
struct link {
    struct region_passage passage;
    uint32_t next;
};

struct region_memo {
    const struct transfer_program *program;
    struct transfer_clock clock;      /* before the first instruction */
    uint32_t *newest;                 /* [regions] of its links; 0: none */
    struct link *link;                /* [links] from 1 on */
    struct span *state;               /* [states] into transfer */
    struct region_transfer *transfer; /* [transfers] */
    uint32_t links, states, transfers;
    size_t link_capacity, state_capacity, transfer_capacity;
};

static enum status add_state(struct region_memo *memo, uint32_t count, struct error *error)
{
    if (memo->states == MOST_STATES)
        return error_set(error, STATUS_LIMIT, "regions are entered in too many states");
    TRY(memory_reserve(&memo->state, &memo->state_capacity, (size_t)memo->states + 1,
                       sizeof *memo->state, error));
    TRY(memory_reserve(&memo->transfer, &memo->transfer_capacity, (size_t)memo->transfers + count,
                       sizeof *memo->transfer, error));
    memo->state[memo->states++] = (struct span){memo->transfers, count};
    return STATUS_OK;
}

static enum status fill_memo(struct region_memo *memo, const struct transfer_costs *costs,
                             struct error *error)
{
    const struct transfer_regions *regions = memo->program->regions;
    TRY(transfer_clock_create(costs, regions->graph->operators, &memo->clock, error));
    TRY(memory_create(&memo->newest, regions->count, sizeof *memo->newest, error));
    TRY(memory_reserve(&memo->link, &memo->link_capacity, 1, sizeof *memo->link, error));
    memo->links = 1;
    return add_state(memo, 0, error);
}

enum status region_memo_create(const struct transfer_program *program,
                               const struct transfer_costs *costs, struct region_memo **created,
                               struct error *error)
{
    struct region_memo *memo;
    TRY(memory_create(&memo, 1, sizeof *memo, error));
    memo->program = program;
    enum status status = fill_memo(memo, costs, error);
    if (status) {
        region_memo_free(memo);
        return status;
    }
    *created = memo;
    return STATUS_OK;
}

void region_memo_free(struct region_memo *memo)
{
    if (!memo)
        return;
    transfer_clock_clear(&memo->clock);
    memory_free(memo->newest);
    memory_free(memo->link);
    memory_free(memo->state);
    memory_free(memo->transfer);
    memory_free(memo);
}

const struct transfer_regions *region_memo_regions(const struct region_memo *memo)
{
    return memo->program->regions;
}

const struct region_transfer *region_memo_transfers(const struct region_memo *memo, uint32_t state,
                                                    uint32_t *count)
{
    *count = memo->state[state].count;
    return memo->transfer + memo->state[state].first;
}

bool region_memo_same(const struct region_memo *memo, uint32_t state, uint32_t as)
{
    uint32_t count, as_count;
    const struct region_transfer *a = region_memo_transfers(memo, state, &count);
    const struct region_transfer *b = region_memo_transfers(memo, as, &as_count);
    bool same = count == as_count;
    for (uint32_t i = 0; same && i < count; i++)
        same = a[i].op == b[i].op && a[i].left_ns == b[i].left_ns;
    return same;
}

static enum status note_left(struct region_memo *memo, const struct transfer_clock *clock,
                             uint32_t *state, struct error *error)
{
    *state = REGION_MEMO_IDLE;
    if (!clock->under_way)
        return STATUS_OK;
    *state = memo->states;
    TRY(add_state(memo, clock->under_way, error));
    for (uint32_t i = 0, o = clock->first; i < clock->under_way; i++, o = clock->behind[o]) {
        uint64_t arrival_ns = clock->arrival_ns[o];
        memo->transfer[memo->transfers++] = (struct region_transfer){
            o, arrival_ns > clock->now_ns ? arrival_ns - clock->now_ns : 0};
    }
    return STATUS_OK;
}

static enum status run(struct region_memo *memo, uint32_t r, struct region_passage *passage,
                       struct error *error)
{
    const struct transfer_program *program = memo->program;
    struct transfer_clock clock = memo->clock;
    uint32_t count;
    const struct region_transfer *transfer = region_memo_transfers(memo, passage->entered, &count);
    for (uint32_t i = 0; i < count; i++)
        transfer_clock_expect(&clock, transfer[i].op, transfer[i].left_ns);
    for (uint32_t i = program->first[r]; i < program->first[r + 1]; i++)
        transfer_clock_run(&clock, &program->instruction[i]);
    passage->time_ns = clock.now_ns;
    return note_left(memo, &clock, &passage->left, error);
}

enum status region_memo_run(struct region_memo *memo, uint32_t region, uint32_t state,
                            struct region_passage *passage, struct error *error)
{
    for (uint32_t l = memo->newest[region]; l != NO_PASSAGE; l = memo->link[l].next)
        if (region_memo_same(memo, memo->link[l].passage.entered, state)) {
            *passage = memo->link[l].passage;
            return STATUS_OK;
        }
    *passage = (struct region_passage){.entered = state};
    TRY(memory_reserve(&memo->link, &memo->link_capacity, (size_t)memo->links + 1,
                       sizeof *memo->link, error));
    TRY(run(memo, region, passage, error));
    memo->link[memo->links] = (struct link){*passage, memo->newest[region]};
    memo->newest[region] = memo->links++;
    return STATUS_OK;
}

const struct region_passage *region_memo_newest(const struct region_memo *memo, uint32_t region)
{
    uint32_t newest = memo->newest[region];
    return newest == NO_PASSAGE ? NULL : &memo->link[newest].passage;
}
