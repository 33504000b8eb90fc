#include "core/memory.h"
#include "dma/planned/schedule.h"

struct writer {
    const struct prefetch *prefetch;
    const uint32_t *start;
    struct transfer_program *program;
    struct error *error;
};

static enum status add(struct writer *writer, enum transfer_action action, uint32_t bearer)
{
    return transfer_program_add(writer->program, action, writer->prefetch->regions->bearer[bearer],
                                bearer, writer->error);
}

/* What any region before it may have started for others. */
static enum status cancel_others(struct writer *writer, uint32_t r)
{
    const struct prefetch *prefetch = writer->prefetch;
    const struct transfer_borders *borders = prefetch->borders;
    if (borders->into[r] == borders->into[r + 1])
        return STATUS_OK;
    uint32_t from = borders->border[borders->into[r]].from;
    for (uint32_t l = borders->out_of[from]; l < borders->out_of[from + 1]; l++) {
        uint32_t to = borders->border[borders->leaving[l]].to;
        uint32_t first = prefetch->regions->region[to].bearers.first;
        uint32_t early = to == r ? 0 : prefetch_count_early(prefetch, writer->start, to);
        for (uint32_t n = 0; n < early; n++)
            TRY(add(writer, TRANSFER_CANCEL, first + n));
    }
    return STATUS_OK;
}

/* What this region starts early for those that follow, before an operator. */
static enum status start_early(struct writer *writer, uint32_t r, uint32_t o)
{
    const struct prefetch *prefetch = writer->prefetch;
    const struct transfer_borders *borders = prefetch->borders;
    for (uint32_t l = borders->out_of[r]; l < borders->out_of[r + 1]; l++) {
        uint32_t border = borders->leaving[l], to = borders->border[border].to;
        uint32_t early = prefetch_count_early(prefetch, writer->start, to);
        for (uint32_t n = 0; n < early; n++)
            if (writer->start[prefetch_place(prefetch, to, n, border)] == o)
                TRY(add(writer, TRANSFER_START, prefetch->regions->region[to].bearers.first + n));
    }
    return STATUS_OK;
}

static enum status write_region(struct writer *writer, uint32_t r)
{
    const struct prefetch *prefetch = writer->prefetch;
    const struct transfer_region *region = &prefetch->regions->region[r];
    uint32_t own = region->bearers.first, end = own + region->bearers.count;
    uint32_t next = own + prefetch_count_early(prefetch, writer->start, r);
    TRY(cancel_others(writer, r));
    if (region->begin == region->end)
        TRY(start_early(writer, r, region->end));
    for (uint32_t o = region->begin; o < region->end; o++) {
        bool bears = prefetch->regions->weight_bytes[o] > 0;
        for (; next < end && writer->start[next] == o; next++)
            TRY(add(writer, TRANSFER_START, next));
        TRY(start_early(writer, r, o));
        if (bears)
            TRY(add(writer, TRANSFER_WAIT, own));
        TRY(transfer_program_add(writer->program, TRANSFER_COMPUTE, o, bears ? own++ : 0,
                                 writer->error));
    }
    transfer_program_end_region(writer->program);
    return STATUS_OK;
}

enum status prefetch_program(const struct prefetch *prefetch, const uint32_t *start,
                             struct transfer_program **created, struct error *error)
{
    const struct transfer_regions *regions = prefetch->regions;
    /* An operator without weights names buffer 0 all the same. */
    uint32_t buffers = regions->bearers ? regions->bearers : 1;
    struct writer writer = {.prefetch = prefetch, .start = start, .error = error};
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
