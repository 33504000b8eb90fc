#include "dma/timing/clock.h"

#include <assert.h>

#include "core/memory.h"

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

enum status transfer_clock_create(const struct transfer_costs *costs, uint32_t operators,
                                  struct transfer_clock *clock, struct error *error)
{
    *clock = (struct transfer_clock){.costs = costs, .operators = operators};
    TRY(memory_create(&clock->arrival_ns, operators, sizeof *clock->arrival_ns, error));
    return memory_create(&clock->behind, operators, sizeof *clock->behind, error);
}

void transfer_clock_clear(struct transfer_clock *clock)
{
    memory_free_all(clock->arrival_ns, clock->behind);
    *clock = (struct transfer_clock){0};
}

void transfer_clock_enter(struct transfer_clock *clock)
{
    clock->stretch_ns = clock->now_ns;
    clock->work_ns = 0;
}

static void join_queue(struct transfer_clock *clock, uint32_t o)
{
    assert(o < clock->operators && clock->under_way < clock->operators);
    if (clock->under_way++)
        clock->behind[clock->last] = o;
    else
        clock->first = o;
    clock->last = o;
}

static void leave_queue(struct transfer_clock *clock, uint32_t o)
{
    uint32_t before = clock->first;
    for (uint32_t i = 1; i < clock->under_way && before != o && clock->behind[before] != o; i++)
        before = clock->behind[before];
    assert(clock->under_way > 0 && (before == o || clock->behind[before] == o));
    if (before == o)
        clock->first = clock->behind[o];
    else
        clock->behind[before] = clock->behind[o];
    if (clock->last == o)
        clock->last = before;
    clock->under_way--;
}

void transfer_clock_expect(struct transfer_clock *clock, uint32_t op, uint64_t arrival_ns)
{
    assert(!clock->under_way || arrival_ns >= clock->arrival_ns[clock->last]);
    join_queue(clock, op);
    clock->arrival_ns[op] = clock->free_ns = arrival_ns;
}

struct transfer_interval transfer_clock_run(struct transfer_clock *clock,
                                            const struct transfer_instruction *instruction)
{
    const struct transfer_costs *costs = clock->costs;
    const struct hardware *hardware = costs->hardware;
    uint32_t o = instruction->op;
    struct transfer_interval interval = {.begin_ns = clock->now_ns};
    assert(o < clock->operators);
    switch (instruction->action) {
    case TRANSFER_START:
        clock->now_ns += hardware->dma_start_instruction_ns;
        interval.begin_ns = larger(clock->now_ns, clock->free_ns);
        interval.end_ns = interval.begin_ns + costs->transfer_ns[o];
        transfer_clock_expect(clock, o, interval.end_ns);
        transfer_clock_enter(clock);
        return interval;
    case TRANSFER_WAIT:
    case TRANSFER_KEEP:
        clock->now_ns =
            larger(clock->now_ns, clock->arrival_ns[o]) + hardware->dma_wait_instruction_ns;
        leave_queue(clock, o);
        transfer_clock_enter(clock);
        break;
    case TRANSFER_DROP:
        break;

    /* What is saved is the rest of the transfer, or all of it where it has not begun. */
    case TRANSFER_CANCEL: {
        clock->now_ns += hardware->dma_wait_instruction_ns;
        uint64_t arrival_ns = clock->arrival_ns[o], saved_ns = costs->transfer_ns[o];
        uint64_t left_ns = arrival_ns > clock->now_ns ? arrival_ns - clock->now_ns : 0;
        saved_ns = left_ns < saved_ns ? left_ns : saved_ns;
        for (uint32_t k = o; k != clock->last;) {
            k = clock->behind[k];
            clock->arrival_ns[k] -= saved_ns;
        }
        leave_queue(clock, o);
        clock->free_ns = clock->under_way ? clock->arrival_ns[clock->last] : clock->now_ns;
        transfer_clock_enter(clock);
        break;
    }

    /* Computing without other instructions in between is rounded as a whole, so that the time does
       not depend on the number of operators into which the work is cut. */
    case TRANSFER_COMPUTE: {
        uint64_t stretch_ns = clock->stretch_ns;
        uint64_t busy_ns = clock->free_ns > stretch_ns ? clock->free_ns - stretch_ns : 0;
        clock->work_ns += costs->compute_ns[o];
        clock->now_ns = stretch_ns + hardware_contend(hardware, clock->work_ns, busy_ns);
        break;
    }
    }
    interval.end_ns = clock->now_ns;
    return interval;
}
