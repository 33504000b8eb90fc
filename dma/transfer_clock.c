#include "dma/transfer_clock.h"

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void transfer_clock_enter(struct transfer_clock *clock)
{
    clock->stretch_ns = clock->now_ns;
    clock->work_ns = 0;
}

static struct transfer_moment start(struct transfer_clock *clock, uint32_t o)
{
    struct transfer_moment moment;
    clock->now_ns += clock->costs->hardware->dma_start_instruction_ns;
    moment.begin_ns = larger(clock->now_ns, clock->free_ns);
    moment.end_ns = moment.begin_ns + clock->costs->transfer_ns[o];
    clock->arrival_ns[o] = clock->free_ns = moment.end_ns;
    transfer_clock_enter(clock);
    return moment;
}

static struct transfer_moment wait(struct transfer_clock *clock, uint32_t o)
{
    struct transfer_moment moment = {.begin_ns = clock->now_ns};
    clock->now_ns = larger(clock->now_ns, clock->arrival_ns[o]) +
                    clock->costs->hardware->dma_wait_instruction_ns;
    transfer_clock_enter(clock);
    moment.end_ns = clock->now_ns;
    return moment;
}

static struct transfer_moment cancel(struct transfer_clock *clock)
{
    struct transfer_moment moment = {.begin_ns = clock->now_ns};
    clock->now_ns += clock->costs->hardware->dma_wait_instruction_ns;
    clock->free_ns = clock->now_ns;
    transfer_clock_enter(clock);
    moment.end_ns = clock->now_ns;
    return moment;
}

/* Rounding is of the whole stretch, so that it does not matter into how many operators its work is
   cut. */
static struct transfer_moment compute(struct transfer_clock *clock, uint32_t o)
{
    struct transfer_moment moment = {.begin_ns = clock->now_ns};
    uint64_t busy_ns = clock->free_ns > clock->stretch_ns ? clock->free_ns - clock->stretch_ns : 0;
    clock->work_ns += clock->costs->compute_ns[o];
    clock->now_ns =
        clock->stretch_ns + hardware_contend(clock->costs->hardware, clock->work_ns, busy_ns);
    moment.end_ns = clock->now_ns;
    return moment;
}

struct transfer_moment transfer_clock_run(struct transfer_clock *clock,
                                          const struct transfer_instruction *instruction)
{
    switch (instruction->action) {
    case TRANSFER_START:
        return start(clock, instruction->operator);
    case TRANSFER_WAIT:
        return wait(clock, instruction->operator);
    case TRANSFER_CANCEL:
        return cancel(clock);
    default:
        return compute(clock, instruction->operator);
    }
}
