#include "heuristics/common/placing.h"

void placing_set_fixed(const struct problem *problem, uint64_t *offset)
{
    for (uint32_t b = 0; b < problem->buffers; b++)
        offset[b] = problem->fixed_offset[b];
}

enum status placing_begin(const struct problem *problem, struct occupancy *occupancy,
                          uint64_t *offset, struct error *error)
{
    placing_set_fixed(problem, offset);
    occupancy_clear(occupancy);
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (offset[b] != PROBLEM_FREE)
            TRY(occupancy_take(occupancy, b, offset[b], offset[b] + problem->size[b], error));
    return STATUS_OK;
}

enum status placing_run(const struct problem *problem, struct occupancy *occupancy,
                        const struct fit *fit, const uint32_t *sorted, uint64_t most_bytes,
                        uint64_t *offset, uint64_t *peak_bytes, struct error *error)
{
    TRY(placing_begin(problem, occupancy, offset, error));
    *peak_bytes = problem_fixed_end(problem);
    for (uint32_t i = 0; i < problem->buffers && *peak_bytes <= most_bytes; i++) {
        uint32_t b = sorted[i];
        if (offset[b] != PROBLEM_FREE)
            continue;
        TRY(occupancy_place(occupancy, fit, b, &offset[b], error));
        if (offset[b] + problem->size[b] > *peak_bytes)
            *peak_bytes = offset[b] + problem->size[b];
    }
    if (*peak_bytes > most_bytes)
        *peak_bytes = UINT64_MAX;
    return STATUS_OK;
}
