#include "dma/planned/schedule_program.h"

#include <assert.h>

#include "core/memory.h"

struct writer {
    const struct schedule_space *space;
    const uint32_t *start;
    struct transfer_program *program;
    struct error *error;
};

/* Adds an instruction about the transfer of a weighted operator, given by its number. */
static enum status add(struct writer *writer, enum transfer_action action, uint32_t weighted)
{
    return transfer_program_add(writer->program, action,
                                writer->space->regions->weighted_op[weighted], weighted,
                                writer->error);
}

/* Cancels what the regions that may run before this one have started for other regions. Whichever
   of them ran it is the same, since what follows a loop is never early. */
static enum status cancel_others(struct writer *writer, uint32_t r)
{
    const struct schedule_space *space = writer->space;
    const struct transfer_borders *borders = space->borders;
    if (borders->into[r] == borders->into[r + 1])
        return STATUS_OK;
    uint32_t from = borders->border[borders->into[r]].from;
    for (uint32_t l = borders->out_of[from]; l < borders->out_of[from + 1]; l++) {
        uint32_t to = borders->border[borders->leaving[l]].to;
        uint32_t first = space->regions->region[to].weighted.first;
        uint32_t early = to == r ? 0 : schedule_early_count(space, writer->start, to);
        for (uint32_t n = 0; n < early; n++)
            TRY(add(writer, TRANSFER_CANCEL, first + n));
    }
    return STATUS_OK;
}

/* Starts, before an operator, what this region starts early for those that follow it. */
static enum status start_early(struct writer *writer, uint32_t r, uint32_t o)
{
    const struct schedule_space *space = writer->space;
    const struct transfer_borders *borders = space->borders;
    for (uint32_t l = borders->out_of[r]; l < borders->out_of[r + 1]; l++) {
        uint32_t border = borders->leaving[l], to = borders->border[border].to;
        uint32_t early = schedule_early_count(space, writer->start, to);
        for (uint32_t n = 0; n < early; n++)
            if (writer->start[schedule_place(space, to, n, border)] == o)
                TRY(add(writer, TRANSFER_START, space->regions->region[to].weighted.first + n));
    }
    return STATUS_OK;
}

static enum status write_region(struct writer *writer, uint32_t r)
{
    const struct schedule_space *space = writer->space;
    const struct transfer_region *region = &space->regions->region[r];
    uint32_t own = region->weighted.first, end = own + region->weighted.count;
    uint32_t next = own + schedule_early_count(space, writer->start, r);
    TRY(cancel_others(writer, r));
    if (region->begin == region->end)
        TRY(start_early(writer, r, region->end));
    for (uint32_t o = region->begin; o < region->end; o++) {
        bool weighted = space->regions->weight_bytes[o] > 0;
        for (; next < end && writer->start[next] == o; next++)
            TRY(add(writer, TRANSFER_START, next));
        TRY(start_early(writer, r, o));
        if (weighted)
            TRY(add(writer, TRANSFER_WAIT, own));
        TRY(transfer_program_add(writer->program, TRANSFER_COMPUTE, o, weighted ? own++ : 0,
                                 writer->error));
    }
    assert(own == end && next == end);
    transfer_program_end_region(writer->program);
    return STATUS_OK;
}

enum status schedule_program(const struct schedule_space *space, const uint32_t *start,
                             struct transfer_program **created, struct error *error)
{
    const struct transfer_regions *regions = space->regions;
    /* Also a graph without weights needs a buffer, which operators without weights name. */
    uint32_t buffers = regions->weighted_count ? regions->weighted_count : 1;
    struct writer writer = {.space = space, .start = start, .error = error};
    TRY(transfer_program_create(regions, buffers, &writer.program, error));
    for (uint32_t r = 0; r < regions->count; r++) {
        enum status status = write_region(&writer, r);
        if (status) {
            transfer_program_free(writer.program);
            return status;
        }
    }
    *created = writer.program;
    return STATUS_OK;
}

enum status schedule_run_fill(const struct schedule_space *space, const uint32_t *start,
                              struct schedule_run *run, struct transfer_times *times,
                              struct error *error)
{
    *run = (struct schedule_run){0};
    TRY(schedule_program(space, start, &run->program, error));
    TRY(region_times_create(run->program, space->costs, &run->region_times, error));
    return transfer_times_compose(run->region_times, NULL, times, error);
}

void schedule_run_clear(struct schedule_run *run)
{
    region_times_free(run->region_times);
    transfer_program_free(run->program);
    *run = (struct schedule_run){0};
}
