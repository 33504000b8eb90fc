#include "solvers/best/mirror.h"

#include <assert.h>

enum status mirror_create(const struct problem *problem, struct problem **created,
                          struct error *error)
{
    SCOPED(problem_release) struct problem *mirrored = NULL;
    uint32_t steps = problem_steps(problem);
    *created = NULL;
    if (problem->line_end != PROBLEM_NO_LINE_END)
        return STATUS_OK;
    TRY(problem_create(&mirrored, "mirrored", error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        const struct problem_buffer same = {.name = "",
                                            .size = problem->size[b],
                                            .alignment = problem_alignment(problem, b),
                                            .fixed_offset = problem_fixed_offset(problem, b),
                                            .hint = problem_hint(problem, b)};
        TRY(problem_add_buffer(mirrored, &same, error));
        for (uint32_t s = problem->first[b + 1]; s-- > problem->first[b];) {
            assert(problem->lower[s] < problem->upper[s] && problem->upper[s] <= steps);
            const struct problem_segment segment = {
                .lower = steps - problem->upper[s],
                .upper = steps - problem->lower[s],
                .window_lower = problem_window_lower(problem, s),
                .window_upper = problem_window_upper(problem, s)};
            TRY(problem_add_segment(mirrored, segment, error));
        }
    }
    TRY(problem_finish(mirrored, error));
    assert(mirrored->buffers == problem->buffers && mirrored->segments == problem->segments);
    HAND_OVER(mirrored, created);
}
