#include "dma/moves/draft.h"

#include <stdlib.h>

#include "core/checked.h"
#include "core/compare.h"
#include "core/memory.h"
#include "dma/timing/clock.h"

/* Whether no access of the step before this one is to the same item. */
static bool is_new(const struct move_problem *problem, uint32_t step, uint32_t access)
{
    uint32_t a = problem->first[step];
    while (problem->access[a].item != problem->access[access].item)
        a++;
    return a == access;
}

enum status move_draft_create(const struct move_problem *problem, struct move_draft *draft,
                              struct error *error)
{
    *draft = (struct move_draft){.problem = problem};
    TRY(groups_begin(&draft->uses, problem->items, error));
    for (uint32_t step = 0; step < problem->steps; step++)
        for (uint32_t a = problem->first[step]; a < problem->first[step + 1]; a++)
            if (is_new(problem, step, a))
                groups_count(&draft->uses, problem->access[a].item);
    TRY(groups_end_counting(&draft->uses, error));
    for (uint32_t step = 0; step < problem->steps; step++)
        for (uint32_t a = problem->first[step]; a < problem->first[step + 1]; a++)
            if (is_new(problem, step, a))
                groups_add(&draft->uses, problem->access[a].item, step);
    return STATUS_OK;
}

void move_draft_clear(struct move_draft *draft)
{
    groups_free(&draft->uses);
    move_plan_clear(&draft->plan);
    move_plan_clear(&draft->kept);
    memory_free(draft->span);
    *draft = (struct move_draft){.problem = NULL};
}

enum status move_draft_keep(struct move_draft *draft, struct error *error)
{
    return move_plan_copy(&draft->kept, &draft->plan, error);
}

enum status move_draft_undo(struct move_draft *draft, struct error *error)
{
    return move_plan_copy(&draft->plan, &draft->kept, error);
}

/* Stays in lists: those of each item, those that start before each step, and those that each step
   waits for. */
struct timing {
    const struct move_problem *problem;
    const struct move_plan *plan;
    struct groups of_item, of_start, of_wait;
    struct hardware hardware; /* the channel */
    struct transfer_costs costs;
    struct transfer_clock clock;
};

static void clear_timing(struct timing *timing)
{
    groups_free(&timing->of_item);
    groups_free(&timing->of_start);
    groups_free(&timing->of_wait);
    memory_free_all(timing->costs.compute_ns, timing->costs.transfer_ns);
    transfer_clock_clear(&timing->clock);
}

static enum status list_stays(struct timing *timing, struct error *error)
{
    const struct move_plan *plan = timing->plan;
    TRY(groups_begin(&timing->of_item, timing->problem->items, error));
    TRY(groups_begin(&timing->of_start, timing->problem->steps, error));
    TRY(groups_begin(&timing->of_wait, timing->problem->steps, error));
    for (uint32_t s = 0; s < plan->count; s++) {
        groups_count(&timing->of_item, plan->stay[s].item);
        if (plan->stay[s].source == MEMORY_NONE)
            continue;
        groups_count(&timing->of_start, plan->stay[s].lower);
        groups_count(&timing->of_wait, plan->stay[s].ready);
    }
    TRY(groups_end_counting(&timing->of_item, error));
    TRY(groups_end_counting(&timing->of_start, error));
    TRY(groups_end_counting(&timing->of_wait, error));
    for (uint32_t s = 0; s < plan->count; s++) {
        const struct move_stay *stay = &plan->stay[s];
        groups_add(&timing->of_item, stay->item, s);
        if (stay->source == MEMORY_NONE)
            continue;
        groups_add(&timing->of_start, stay->lower, s);
        groups_add(&timing->of_wait, stay->ready, s);
        timing->costs.transfer_ns[s] = move_transfer_time(
            timing->problem, stay->item, plan->stay[stay->source].memory, stay->memory);
    }
    return STATUS_OK;
}

/* Those of one step that are ready first come first, in the order of the list. */
static void sort_starts(const struct timing *timing, uint32_t *stay, uint64_t count)
{
    for (uint64_t i = 1; i < count; i++)
        for (uint64_t k = i;
             k > 0 && timing->plan->stay[stay[k]].ready < timing->plan->stay[stay[k - 1]].ready;
             k--) {
            uint32_t later = stay[k - 1];
            stay[k - 1] = stay[k];
            stay[k] = later;
        }
}

static uint64_t access_time(const struct timing *timing, uint32_t step,
                            const struct move_access *access)
{
    const struct move_problem *problem = timing->problem;
    const struct groups *of_item = &timing->of_item;
    uint64_t least = UINT64_MAX;
    for (uint64_t i = of_item->first[access->item]; i < of_item->first[access->item + 1]; i++) {
        const struct move_stay *stay = &timing->plan->stay[of_item->item[i]];
        if (access->is_write)
            return problem->item[access->item].bytes * problem->write_cost[stay->memory];
        if (move_can_read(problem, stay, step) && problem->read_cost[stay->memory] < least)
            least = problem->read_cost[stay->memory];
    }
    return least == UINT64_MAX ? 0 : least * problem->item[access->item].bytes;
}

static void run_all(struct timing *timing, enum transfer_action action, const struct groups *groups,
                    uint32_t step, bool own)
{
    for (uint64_t i = groups->first[step]; i < groups->first[step + 1]; i++) {
        uint32_t s = groups->item[i];
        if (action == TRANSFER_START || (timing->plan->stay[s].lower == step) == own)
            transfer_clock_run(&timing->clock, &(struct transfer_instruction){action, s, 0});
    }
}

static void time_step(struct timing *timing, uint32_t step)
{
    const struct groups *starts = &timing->of_start;
    uint64_t work = timing->problem->compute[step], last = 0;
    for (uint32_t a = timing->problem->first[step]; a < timing->problem->first[step + 1]; a++) {
        const struct move_access *access = &timing->problem->access[a];
        move_add_access(access, access_time(timing, step, access), &last, &work);
    }
    timing->costs.compute_ns[step] = work;
    run_all(timing, TRANSFER_WAIT, &timing->of_wait, step, false);
    sort_starts(timing, starts->item + starts->first[step],
                starts->first[step + 1] - starts->first[step]);
    run_all(timing, TRANSFER_START, starts, step, false);
    run_all(timing, TRANSFER_WAIT, &timing->of_wait, step, true);
    transfer_clock_run(&timing->clock, &(struct transfer_instruction){TRANSFER_COMPUTE, step, 0});
}

enum status move_draft_time(struct move_draft *draft, struct error *error)
{
    const struct move_problem *problem = draft->problem;
    SCOPED(clear_timing) struct timing timing = {.problem = problem, .plan = &draft->plan};
    uint32_t most = problem->steps > draft->plan.count ? problem->steps : draft->plan.count;
    timing.hardware.dma_start_instruction_ns = problem->channel.start_instruction;
    timing.hardware.dma_wait_instruction_ns = problem->channel.wait_instruction;
    timing.hardware.contention = problem->channel.contention;
    timing.costs.hardware = &timing.hardware;
    TRY(memory_create_all(most, error, &timing.costs.compute_ns, &timing.costs.transfer_ns));
    TRY(transfer_clock_create(&timing.costs, most, &timing.clock, error));
    TRY(list_stays(&timing, error));
    uint64_t begin = 0;
    draft->plan.time = 0;
    for (uint32_t step = 0; step < problem->steps; step++) {
        time_step(&timing, step);
        if (step + 1 < problem->steps && problem->section[step] == problem->section[step + 1])
            continue;
        draft->plan.time += move_time_of_runs(problem, step, timing.clock.now_ns - begin);
        begin = timing.clock.now_ns;
        transfer_clock_enter(&timing.clock);
    }
    return STATUS_OK;
}

/* Lists the bytes of the memory that are taken while the stay lasts. */
static enum status list_taken(struct move_draft *draft, const struct move_stay *stay, uint32_t but,
                              uint32_t *spans, struct error *error)
{
    const struct memory_problem *chip = draft->problem->chip;
    TRY(memory_reserve(&draft->span, &draft->span_capacity,
                       2 * ((size_t)draft->plan.count + chip->reserved_ranges + 1),
                       sizeof *draft->span, error));
    *spans = 0;
    for (uint32_t s = 0; s < draft->plan.count; s++) {
        const struct move_stay *other = &draft->plan.stay[s];
        uint64_t *span = draft->span + (size_t)2 * *spans;
        if (s == but || other->memory != stay->memory || other->lower >= stay->upper ||
            stay->lower >= other->upper)
            continue;
        span[0] = other->offset;
        span[1] = other->offset + draft->problem->item[other->item].bytes;
        ++*spans;
    }
    for (uint32_t r = 0; r < chip->reserved_ranges; r++) {
        uint64_t *span = draft->span + (size_t)2 * *spans;
        if (chip->reserved[r].memory != stay->memory)
            continue;
        span[0] = chip->reserved[r].lower;
        span[1] = chip->reserved[r].upper;
        ++*spans;
    }
    qsort(draft->span, *spans, 2 * sizeof *draft->span, compare_number_items);
    return STATUS_OK;
}

/* The first offset from `least` on that is aligned and from which the bytes are in one chunk. */
static uint64_t round_up(uint64_t least, uint64_t alignment, uint64_t bytes, uint64_t chunk)
{
    uint64_t offset = align_up(least, alignment);
    if (chunk && bytes && bytes > chunk - offset % chunk)
        offset = align_up(align_up(offset, chunk), alignment);
    return offset;
}

enum status move_draft_find(struct move_draft *draft, struct move_stay *stay, uint32_t but,
                            bool *found, struct error *error)
{
    const struct move_item *item = &draft->problem->item[stay->item];
    const struct memory *memory = &draft->problem->chip->memory[stay->memory];
    uint64_t offset, alignment;
    uint32_t spans;
    *found = false;
    stay->upper = move_end_of_loops(draft->problem, stay->lower, stay->upper);
    if ((memory->chunk_bytes && item->bytes > memory->chunk_bytes) ||
        item->bytes > memory->capacity_bytes || item->bytes >> 52 ||
        !checked_common_multiple(item->alignment, memory->alignment, &alignment))
        return STATUS_OK;
    TRY(list_taken(draft, stay, but, &spans, error));
    offset = 0;
    for (uint32_t i = 0; i < spans; i++) {
        const uint64_t *span = draft->span + (size_t)2 * i;
        if (span[0] >= offset + item->bytes)
            break;
        if (span[1] > offset)
            offset = round_up(span[1], alignment, item->bytes, memory->chunk_bytes);
    }
    *found = offset >> 52 == 0 && offset <= memory->capacity_bytes &&
             item->bytes <= memory->capacity_bytes - offset &&
             offset == round_up(offset, alignment, item->bytes, memory->chunk_bytes);
    stay->offset = offset;
    return STATUS_OK;
}
