#include "solvers/best/mirror.h"

static enum status add_buffer(const struct problem *problem, uint32_t buffer, uint32_t steps,
                              struct problem *mirrored, struct error *error)
{
    const struct problem_buffer same = {.name = "",
                                        .size = problem->size[buffer],
                                        .alignment = problem_alignment(problem, buffer),
                                        .fixed_offset = problem_fixed_offset(problem, buffer),
                                        .hint = problem_hint(problem, buffer)};
    TRY(problem_add_buffer(mirrored, &same, error));
    for (uint32_t s = problem->first[buffer + 1]; s > problem->first[buffer]; s--) {
        const struct problem_segment segment = {
            .lower = steps - problem->upper[s - 1],
            .upper = steps - problem->lower[s - 1],
            .window_lower = problem_window_lower(problem, s - 1),
            .window_upper = problem_window_upper(problem, s - 1)};
        TRY(problem_add_segment(mirrored, segment, error));
    }
    return STATUS_OK;
}

enum status mirror_create(const struct problem *problem, struct problem **created,
                          struct error *error)
{
    uint32_t steps = problem_steps(problem);
    struct problem *mirrored;
    *created = NULL;
    if (problem->line_end != PROBLEM_NO_LINE_END)
        return STATUS_OK;
    TRY(problem_create(&mirrored, "mirrored", error));
    enum status status = STATUS_OK;
    for (uint32_t b = 0; b < problem->buffers && !status; b++)
        status = add_buffer(problem, b, steps, mirrored, error);
    if (!status)
        status = problem_finish(mirrored, error);
    if (status)
        problem_free(mirrored);
    else
        *created = mirrored;
    return status;
}
