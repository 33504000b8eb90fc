/* The modes that use k buffers in turn, from the first one in each region: sync has one, pingpong
   two (Wang et al., Algorithm 3), ring as many as it is given. The first k - 1 weights of a region
   are started when it begins. Then, when a weighted operator starts computing, the weights that are
   k - 1 further on are started, into the buffer that the operator before it has left. With one
   buffer each weighted operator starts its own weights, waits and computes. */
#include <assert.h>

#include "dma/modes/modes.h"

struct ring {
    struct transfer_program *program;
    uint32_t buffers;
    struct error *error;
};

/* Starts the weights of the n-th weighted operator of a region, if it has one. */
static enum status start(struct ring *ring, uint32_t r, uint32_t n)
{
    const struct transfer_regions *regions = ring->program->regions;
    if (n >= regions->region[r].weighted.count)
        return STATUS_OK;
    return transfer_program_add(ring->program, TRANSFER_START,
                                transfer_regions_weighted(regions, r, n), n % ring->buffers,
                                ring->error);
}

static enum status write_region(struct ring *ring, uint32_t r)
{
    const struct transfer_regions *regions = ring->program->regions;
    const struct transfer_region *region = &regions->region[r];
    uint32_t buffers = ring->buffers, n = 0;
    for (uint32_t i = 0; i + 1 < buffers && i < region->weighted.count; i++)
        TRY(start(ring, r, i));
    for (uint32_t o = region->begin; o < region->end; o++) {
        uint32_t buffer = regions->weight_bytes[o] ? n % buffers : 0;
        if (regions->weight_bytes[o]) {
            if (buffers == 1)
                TRY(start(ring, r, n));
            TRY(transfer_program_add(ring->program, TRANSFER_WAIT, o, buffer, ring->error));
            if (buffers > 1)
                TRY(start(ring, r, n + buffers - 1));
            n++;
        }
        TRY(transfer_program_add(ring->program, TRANSFER_COMPUTE, o, buffer, ring->error));
    }
    assert(n == region->weighted.count);
    transfer_program_end_region(ring->program);
    return STATUS_OK;
}

static enum status build(const struct transfer_task *task, uint32_t buffers,
                         struct transfer_program **created, struct error *error)
{
    SCOPED(transfer_program_release) struct transfer_program *program = NULL;
    TRY(transfer_program_create(task->regions, buffers, &program, error));
    struct ring ring = {.program = program, .buffers = buffers, .error = error};
    for (uint32_t r = 0; r < task->regions->count; r++)
        TRY(write_region(&ring, r));
    HAND_OVER(program, created);
}

static enum status build_sync(const struct transfer_task *task, struct transfer_program **program,
                              struct error *error)
{
    return build(task, 1, program, error);
}

static enum status build_pingpong(const struct transfer_task *task,
                                  struct transfer_program **program, struct error *error)
{
    return build(task, 2, program, error);
}

static enum status build_ring(const struct transfer_task *task, struct transfer_program **program,
                              struct error *error)
{
    return build(task, task->buffers, program, error);
}

const struct transfer_mode transfer_mode_sync = {
    .name = "sync",
    .title = "load, then compute, one after the other; one buffer",
    .build = build_sync,
};

const struct transfer_mode transfer_mode_pingpong = {
    .name = "pingpong",
    .title = "load the next weights into the other of two buffers while computing",
    .build = build_pingpong,
};

const struct transfer_mode transfer_mode_ring = {
    .name = "ring",
    .title = "load up to --buffers - 1 weights ahead",
    .takes_buffers = true,
    .build = build_ring,
};
