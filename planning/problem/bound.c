#include "planning/problem/bound.h"

enum status bound_peak(const struct problem *problem, uint64_t *bytes, struct error *error)
{
    TRY(problem_load(problem, bytes, NULL, error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint64_t end = problem->size[b];
        if (problem->fixed_offset[b] != PROBLEM_FREE)
            end += problem->fixed_offset[b];
        if (end > *bytes)
            *bytes = end;
    }
    return STATUS_OK;
}
