#include "planning/execute/moves.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/compare.h"
#include "core/memory.h"
#include "core/scratch.h"
#include "planning/memories/address.h"

/* Each cell, a range of bytes that belong to the same stays, holds a tag: 1 + 2 * the stay whose
   item it holds, 2 + 2 * the stay into which a transfer may be writing, or 0 for rubbish. */
struct running {
    const struct move_problem *problem;
    const struct move_plan *plan;
    struct move_execution *execution;
    uint32_t *first, *end;  /* [stays] cells of each stay */
    uint32_t *tag;          /* [cells] */
    uint64_t *arrival;      /* [stays] when its transfer has been carried */
    uint32_t *starting;     /* [stays] those that start before the step */
    uint64_t now, free;     /* of the processor, and when the channel has carried everything */
    uint64_t stretch, work; /* since when the processor only computes, and how much that is */
};

static bool refuse(const struct running *running, uint32_t step, uint32_t item, const char *fault)
{
    snprintf(running->execution->text, sizeof running->execution->text,
             "step %" PRIu32 ": '%.100s' %s", step, move_item_name(running->problem, item), fault);
    running->execution->intact = false;
    return false;
}

static void mark(const struct running *running, uint32_t s, uint32_t tag)
{
    for (uint32_t cell = running->first[s]; cell < running->end[s]; cell++)
        running->tag[cell] = tag;
}

static bool holds(const struct running *running, uint32_t s, uint32_t tag)
{
    for (uint32_t cell = running->first[s]; cell < running->end[s]; cell++)
        if (running->tag[cell] != tag)
            return false;
    return true;
}

static void begin_stretch(struct running *running)
{
    running->stretch = running->now;
    running->work = 0;
}

static void start_transfer(struct running *running, uint32_t s)
{
    const struct move_stay *stay = &running->plan->stay[s];
    running->now += running->problem->channel.start_instruction;
    running->free = running->free > running->now ? running->free : running->now;
    if (running->free >> 62 == 0) /* else computing refuses the sum */
        running->free += move_transfer_time(running->problem, stay->item,
                                            running->plan->stay[stay->source].memory, stay->memory);
    running->arrival[s] = running->free;
    mark(running, s, 2 + 2 * s);
    begin_stretch(running);
}

static void wait_for(struct running *running, uint32_t s)
{
    uint32_t source = running->plan->stay[s].source;
    bool is_whole = holds(running, source, 1 + 2 * source) && holds(running, s, 2 + 2 * s);
    mark(running, s, is_whole ? 1 + 2 * s : 0);
    if (running->now < running->arrival[s])
        running->now = running->arrival[s];
    running->now += running->problem->channel.wait_instruction;
    begin_stretch(running);
}

/* While the channel is busy computing takes 1 + contention times as long. */
static enum status compute(struct running *running, uint64_t work, struct error *error)
{
    enum { PARTS = 1000000 };
    uint64_t slow = PARTS + running->problem->channel.contention, taken;
    uint64_t busy = running->free > running->stretch ? running->free - running->stretch : 0;
    running->work += work;
    uint64_t done = busy / slow * PARTS + busy % slow * PARTS / slow;
    bool fits = true;
    if (running->work > done)
        taken = busy + (running->work - done);
    else
        fits = checked_scale_up(running->work, slow, PARTS, &taken);
    if (!fits || taken >> 62 || running->stretch >> 62)
        return error_set(error, STATUS_BAD_INPUT,
                         "found a plan that takes 2^62 thousandths of ns or more, expected less");
    running->now = running->stretch + taken;
    return STATUS_OK;
}

/* The stay that a step reads the item from, or writes it into. */
static uint32_t find_stay(const struct running *running, uint32_t step,
                          const struct move_access *access)
{
    uint32_t found = MEMORY_NONE;
    for (uint32_t s = 0; s < running->plan->count; s++) {
        const struct move_stay *stay = &running->plan->stay[s];
        uint64_t cost = running->problem->read_cost[stay->memory];
        if (stay->item != access->item || step >= stay->upper)
            continue;
        if (access->is_write && stay->source == MEMORY_NONE)
            return s;
        if (!access->is_write && stay->ready <= step &&
            (found == MEMORY_NONE ||
             cost < running->problem->read_cost[running->plan->stay[found].memory]))
            found = s;
    }
    return found;
}

/* Reads everything before anything is written. */
static bool run_accesses(struct running *running, uint32_t step, bool writes, uint64_t *work)
{
    const struct move_problem *problem = running->problem;
    for (uint32_t a = problem->first[step]; a < problem->first[step + 1]; a++) {
        const struct move_access *access = &problem->access[a];
        if (access->is_write != writes)
            continue;
        uint32_t s = find_stay(running, step, access);
        if (s == MEMORY_NONE)
            return refuse(running, step, access->item, "is in no memory");
        uint32_t memory = running->plan->stay[s].memory;
        if (!writes && !move_is_off_chip(problem, memory) && !holds(running, s, 1 + 2 * s))
            return refuse(running, step, access->item, "has been damaged");
        if (writes)
            mark(running, s, 1 + 2 * s);
        *work += problem->item[access->item].bytes *
                 (writes ? problem->write_cost[memory] : problem->read_cost[memory]);
    }
    return true;
}

static enum status run_step(struct running *running, uint32_t step, struct error *error)
{
    const struct move_plan *plan = running->plan;
    uint32_t starts = 0;
    for (uint32_t s = 0; s < plan->count; s++) {
        const struct move_stay *stay = &plan->stay[s];
        if (stay->source != MEMORY_NONE && stay->lower < step && stay->ready == step)
            wait_for(running, s);
        if (stay->source != MEMORY_NONE && stay->lower == step)
            running->starting[starts++] = s;
    }
    for (uint32_t i = 1; i < starts; i++)
        for (uint32_t k = i; k > 0 && plan->stay[running->starting[k]].ready <
                                          plan->stay[running->starting[k - 1]].ready;
             k--) {
            uint32_t later = running->starting[k - 1];
            running->starting[k - 1] = running->starting[k];
            running->starting[k] = later;
        }
    for (uint32_t i = 0; i < starts; i++)
        start_transfer(running, running->starting[i]);
    for (uint32_t i = 0; i < starts && plan->stay[running->starting[i]].ready == step; i++)
        wait_for(running, running->starting[i]);
    uint64_t work = running->problem->compute[step];
    if (!run_accesses(running, step, false, &work) || !run_accesses(running, step, true, &work))
        return STATUS_OK;
    return compute(running, work, error);
}

/* Finds the borders of all stays, and of each stay its cells. Refuses what cannot be run: a stay
   outside of its memory, or without a source. */
static enum status cut_cells(struct running *running, struct scratch *scratch, struct error *error)
{
    const struct move_plan *plan = running->plan;
    uint64_t *border;
    uint32_t borders = 0, kept = 0;
    TRY(scratch_take(scratch, &border, (size_t)plan->count * 2, sizeof *border, error));
    for (uint32_t s = 0; s < plan->count; s++) {
        const struct move_stay *stay = &plan->stay[s];
        uint64_t bytes = running->problem->item[stay->item].bytes;
        bool is_off_chip = move_is_off_chip(running->problem, stay->memory);
        if (stay->source != MEMORY_NONE &&
            (stay->source >= s || plan->stay[stay->source].item != stay->item || is_off_chip)) {
            refuse(running, stay->lower, stay->item, "is copied from nowhere, or off chip");
            return STATUS_OK;
        }
        if (is_off_chip)
            continue;
        uint64_t capacity = running->problem->chip->memory[stay->memory].capacity_bytes;
        capacity = capacity < MEMORY_OFFSET_END ? capacity : MEMORY_OFFSET_END - 1;
        if (stay->offset > capacity || bytes > capacity - stay->offset) {
            refuse(running, stay->lower, stay->item, "is put outside of its memory");
            return STATUS_OK;
        }
        border[borders++] = memory_address(stay->memory, stay->offset);
        border[borders++] = memory_address(stay->memory, stay->offset) + bytes;
    }
    qsort(border, borders, sizeof *border, compare_number_items);
    for (uint32_t i = 0; i < borders; i++)
        if (!kept || border[kept - 1] != border[i])
            border[kept++] = border[i];
    TRY(scratch_take(scratch, &running->tag, kept, sizeof(uint32_t), error));
    for (uint32_t s = 0; s < plan->count; s++) {
        const struct move_stay *stay = &plan->stay[s];
        if (move_is_off_chip(running->problem, stay->memory))
            continue;
        uint64_t address = memory_address(stay->memory, stay->offset);
        const uint64_t *found =
            bsearch(&address, border, kept, sizeof *border, compare_number_items);
        assert(found);
        running->first[s] = running->end[s] = (uint32_t)(found - border);
        while (border[running->end[s]] < address + running->problem->item[stay->item].bytes)
            running->end[s]++;
    }
    return STATUS_OK;
}

enum status execute_moves(const struct move_problem *problem, const struct move_plan *plan,
                          struct move_execution *execution, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct running running = {.problem = problem, .plan = plan, .execution = execution};
    *execution = (struct move_execution){.intact = true, .text = "every item is intact"};
    TRY(scratch_take(&scratch, &running.first, plan->count, sizeof(uint32_t), error));
    TRY(scratch_take(&scratch, &running.end, plan->count, sizeof(uint32_t), error));
    TRY(scratch_take(&scratch, &running.arrival, plan->count, sizeof(uint64_t), error));
    TRY(scratch_take(&scratch, &running.starting, plan->count, sizeof(uint32_t), error));
    TRY(cut_cells(&running, &scratch, error));
    for (uint32_t step = 0; step < problem->steps && execution->intact; step++)
        TRY(run_step(&running, step, error));
    execution->time = running.now;
    return STATUS_OK;
}
