#include "dma/modes/builders.h"

struct ring {
    struct transfer_program *program;
    uint32_t buffers;
    struct error *error;
};

/* The n-th operator with weights of a region; none beyond the last. */
static enum status start(struct ring *ring, const struct transfer_region *region, uint32_t n)
{
    if (n >= region->bearers.count)
        return STATUS_OK;
    return transfer_program_add(ring->program, TRANSFER_START,
                                ring->program->regions->bearer[region->bearers.first + n],
                                n % ring->buffers, ring->error);
}

static enum status compute_with_weights(struct ring *ring, const struct transfer_region *region,
                                        uint32_t n)
{
    uint32_t o = ring->program->regions->bearer[region->bearers.first + n];
    uint32_t buffer = n % ring->buffers;
    if (ring->buffers == 1)
        TRY(start(ring, region, n));
    TRY(transfer_program_add(ring->program, TRANSFER_WAIT, o, buffer, ring->error));
    if (ring->buffers > 1)
        TRY(start(ring, region, n + ring->buffers - 1));
    return transfer_program_add(ring->program, TRANSFER_COMPUTE, o, buffer, ring->error);
}

static enum status write_region(struct ring *ring, const struct transfer_region *region)
{
    const struct transfer_regions *regions = ring->program->regions;
    uint32_t bearers = 0;
    for (uint32_t n = 0; n + 1 < ring->buffers && n < region->bearers.count; n++)
        TRY(start(ring, region, n));
    for (uint32_t o = region->begin; o < region->end; o++) {
        if (regions->weight_bytes[o])
            TRY(compute_with_weights(ring, region, bearers++));
        else
            TRY(transfer_program_add(ring->program, TRANSFER_COMPUTE, o, 0, ring->error));
    }
    transfer_program_end_region(ring->program);
    return STATUS_OK;
}

static enum status build(const struct transfer_task *task, uint32_t buffers,
                         struct transfer_program **program, struct error *error)
{
    struct ring ring = {.buffers = buffers, .error = error};
    TRY(transfer_program_create(task->regions, buffers, &ring.program, error));
    for (uint32_t r = 0; r < task->regions->count; r++) {
        enum status status = write_region(&ring, &task->regions->region[r]);
        if (status) {
            transfer_program_free(ring.program);
            return status;
        }
    }
    *program = ring.program;
    return STATUS_OK;
}

enum status mode_build_sync(const struct transfer_task *task, struct transfer_program **program,
                            struct error *error)
{
    return build(task, 1, program, error);
}

enum status mode_build_pingpong(const struct transfer_task *task, struct transfer_program **program,
                                struct error *error)
{
    return build(task, 2, program, error);
}

enum status mode_build_ring(const struct transfer_task *task, struct transfer_program **program,
                            struct error *error)
{
    return build(task, task->buffers, program, error);
}
