#include <stdlib.h>

#include "core/compare.h"
#include "core/scratch.h"
#include "dma/moves/draft.h"

struct packed {
    uint64_t bytes;
    uint32_t steps, stay;
};

COMPARE_BY(compare_packed, struct packed, compare_numbers(b->bytes, a->bytes),
           compare_numbers(b->steps, a->steps), compare_numbers(a->stay, b->stay))

/* Whether no step needs more bytes of the memory than it has. */
static enum status check_loads(const struct move_draft *draft, uint32_t memory, bool *fits,
                               struct scratch *scratch, struct error *error)
{
    const struct move_problem *problem = draft->problem;
    uint64_t *change, load = 0; /* by step, modulo 2^64 */
    TRY(scratch_take(scratch, &change, (size_t)problem->steps + 1, sizeof *change, error));
    for (uint32_t s = 0; s < draft->plan.count; s++) {
        const struct move_stay *stay = &draft->plan.stay[s];
        if (stay->memory != memory)
            continue;
        change[stay->lower] += problem->item[stay->item].bytes;
        change[stay->upper] -= problem->item[stay->item].bytes;
    }
    *fits = true;
    for (uint32_t step = 0; step < problem->steps; step++) {
        load += change[step];
        *fits = *fits && load <= problem->chip->memory[memory].capacity_bytes;
    }
    return STATUS_OK;
}

enum status move_draft_repack(struct move_draft *draft, uint32_t memory, bool *packed,
                              struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct move_plan *plan = &draft->plan;
    struct packed *list;
    uint32_t count = 0;
    TRY(check_loads(draft, memory, packed, &scratch, error));
    TRY(scratch_take(&scratch, &list, plan->count, sizeof *list, error));
    for (uint32_t s = 0; s < plan->count && *packed; s++) {
        struct move_stay *stay = &plan->stay[s];
        if (stay->memory != memory)
            continue;
        list[count++] =
            (struct packed){draft->problem->item[stay->item].bytes, stay->upper - stay->lower, s};
        stay->memory = MEMORY_NONE;
    }
    qsort(list, count, sizeof *list, compare_packed);
    for (uint32_t i = 0; i < count && *packed; i++) {
        struct move_stay *stay = &plan->stay[list[i].stay];
        stay->memory = memory;
        TRY(move_draft_find(draft, stay, list[i].stay, packed, error));
    }
    return STATUS_OK;
}
