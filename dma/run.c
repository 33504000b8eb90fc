#include "dma/run.h"

#include "dma/program/check.h"

static enum status check_program(const struct transfer_program *program, struct error *error)
{
    struct error fault = ERROR_NONE;
    enum status status = machine_check(program, &fault);
    if (status == STATUS_NO)
        return error_set(error, STATUS_INTERNAL, "the mode's program is wrong: %s", fault.text);
    if (status)
        *error = fault;
    return status;
}

enum status transfer_run_begin(const struct graph *graph, const struct hardware *hardware,
                               const struct transfer_mode *mode, struct transfer_run *run,
                               struct error *error)
{
    *run = (struct transfer_run){.mode = mode};
    TRY(transfer_regions_create(graph, &run->regions, error));
    return transfer_costs_create(run->regions, hardware, &run->costs, error);
}

enum status transfer_run_finish(struct transfer_run *run, struct error *error)
{
    TRY(check_program(run->program, error));
    if (!transfer_program_bytes(run->program, &run->buffer_bytes))
        return error_set(error, STATUS_BAD_INPUT, "the buffers add up to more than 2^64 bytes");
    TRY(region_memo_create(run->program, run->costs, &run->memo, error));
    TRY(transfer_times_compose(run->memo, NULL, &run->times, error));
    return transfer_times_bound(run->regions, run->costs, NULL, &run->bound, error);
}

enum status transfer_run_fill(const struct graph *graph, const struct hardware *hardware,
                              const struct transfer_mode *mode, uint32_t buffers,
                              struct transfer_run *run, struct error *error)
{
    TRY(transfer_run_begin(graph, hardware, mode, run, error));
    const struct transfer_task task = {run->regions, run->costs, buffers};
    TRY(transfer_modes_build(mode, &task, &run->program, error));
    return transfer_run_finish(run, error);
}

void transfer_run_clear(struct transfer_run *run)
{
    region_memo_free(run->memo);
    transfer_program_free(run->program);
    transfer_costs_free(run->costs);
    transfer_regions_free(run->regions);
    *run = (struct transfer_run){0};
}
