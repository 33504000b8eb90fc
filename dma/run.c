#include "dma/run.h"

#include <assert.h>

#include "dma/program/check.h"
#include "dma/timing/bound.h"

enum status transfer_run_begin(const struct graph *graph, const struct transfer_setting *setting,
                               struct transfer_run *run, struct error *error)
{
    *run = (struct transfer_run){.mode = setting->mode};
    TRY(transfer_regions_create(graph, &run->regions, error));
    return transfer_costs_create(run->regions, setting->hardware, &run->costs, error);
}

enum status transfer_run_finish(struct transfer_run *run, struct error *error)
{
    struct error fault = ERROR_NONE;
    assert(run->program->regions == run->regions);

    /* A mode has to write a correct program for any graph, so a program that breaks a rule is an
       internal error, not bad input. */
    enum status status = transfer_check(run->program, &fault);
    if (status == STATUS_NO)
        return error_set(error, STATUS_INTERNAL, "the mode's program is wrong: %s", fault.text);
    if (status) {
        *error = fault;
        return status;
    }
    if (!transfer_program_bytes(run->program, &run->buffer_bytes))
        return error_set(error, STATUS_BAD_INPUT, "the buffers add up to more than 2^64 bytes");
    TRY(region_times_create(run->program, run->costs, &run->region_times, error));
    TRY(transfer_times_compose(run->region_times, NULL, &run->times, error));
    return transfer_bound_find(run->regions, run->costs, NULL, &run->bound, error);
}

enum status transfer_run_fill(const struct graph *graph, const struct transfer_setting *setting,
                              struct transfer_run *run, struct error *error)
{
    TRY(transfer_run_begin(graph, setting, run, error));
    const struct transfer_task task = {run->regions, run->costs, setting->buffers};
    TRY(transfer_modes_build(setting->mode, &task, &run->program, error));
    return transfer_run_finish(run, error);
}

void transfer_run_clear(struct transfer_run *run)
{
    region_times_free(run->region_times);
    transfer_program_free(run->program);
    transfer_costs_free(run->costs);
    transfer_regions_free(run->regions);
    *run = (struct transfer_run){0};
}
