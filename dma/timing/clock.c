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
    memory_free(clock->arrival_ns);
    memory_free(clock->behind);
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

/* The transfer in front of o in the queue, or o itself where it is the first. */
static uint32_t find_before(const struct transfer_clock *clock, uint32_t o)
{
    uint32_t before = clock->first;
    for (uint32_t i = 1; i < clock->under_way && before != o && clock->behind[before] != o; i++)
        before = clock->behind[before];
    return before;
}

static void leave_queue(struct transfer_clock *clock, uint32_t o)
{
    uint32_t before = find_before(clock, o);
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

static struct transfer_interval start(struct transfer_clock *clock, uint32_t o)
{
    struct transfer_interval interval;
    clock->now_ns += clock->costs->hardware->dma_start_instruction_ns;
    interval.begin_ns = larger(clock->now_ns, clock->free_ns);
    interval.end_ns = interval.begin_ns + clock->costs->transfer_ns[o];
    transfer_clock_expect(clock, o, interval.end_ns);
    transfer_clock_enter(clock);
    return interval;
}

static struct transfer_interval wait(struct transfer_clock *clock, uint32_t o)
{
    struct transfer_interval interval = {.begin_ns = clock->now_ns};
    clock->now_ns = larger(clock->now_ns, clock->arrival_ns[o]) +
                    clock->costs->hardware->dma_wait_instruction_ns;
    leave_queue(clock, o);
    transfer_clock_enter(clock);
    interval.end_ns = clock->now_ns;
    return interval;
}

/* How much time of the channel is saved by cancelling a transfer now: the rest of it, or all of it
   where it has not begun. */
static uint64_t find_saved(const struct transfer_clock *clock, uint32_t o)
{
    uint64_t arrival_ns = clock->arrival_ns[o], transfer_ns = clock->costs->transfer_ns[o];
    uint64_t left_ns = arrival_ns > clock->now_ns ? arrival_ns - clock->now_ns : 0;
    return left_ns < transfer_ns ? left_ns : transfer_ns;
}

static struct transfer_interval cancel(struct transfer_clock *clock, uint32_t o)
{
    struct transfer_interval interval = {.begin_ns = clock->now_ns};
    clock->now_ns += clock->costs->hardware->dma_wait_instruction_ns;
    uint64_t saved_ns = find_saved(clock, o);
    for (uint32_t k = o; k != clock->last;) {
        k = clock->behind[k];
        clock->arrival_ns[k] -= saved_ns;
    }
    leave_queue(clock, o);
    clock->free_ns = clock->under_way ? clock->arrival_ns[clock->last] : clock->now_ns;
    transfer_clock_enter(clock);
    interval.end_ns = clock->now_ns;
    return interval;
}

/* Computing without other instructions in between is rounded as a whole, so that the time does not
   depend on the number of operators into which the work is cut. */
static struct transfer_interval compute(struct transfer_clock *clock, uint32_t o)
{
    struct transfer_interval interval = {.begin_ns = clock->now_ns};
    uint64_t busy_ns = clock->free_ns > clock->stretch_ns ? clock->free_ns - clock->stretch_ns : 0;
    clock->work_ns += clock->costs->compute_ns[o];
    clock->now_ns =
        clock->stretch_ns + hardware_contend(clock->costs->hardware, clock->work_ns, busy_ns);
    interval.end_ns = clock->now_ns;
    return interval;
}

struct transfer_interval transfer_clock_run(struct transfer_clock *clock,
                                            const struct transfer_instruction *instruction)
{
    switch (instruction->action) {
    case TRANSFER_START:
        return start(clock, instruction->op);
    case TRANSFER_WAIT:
    case TRANSFER_KEEP:
        return wait(clock, instruction->op);
    case TRANSFER_DROP:
        return (struct transfer_interval){clock->now_ns, clock->now_ns};
    case TRANSFER_CANCEL:
        return cancel(clock, instruction->op);
    default:
        return compute(clock, instruction->op);
    }
}
