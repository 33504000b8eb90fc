#include "planning/problem/copy.h"

#include <assert.h>

enum status problem_add_copy(struct problem *problem, const struct problem *source, uint32_t buffer,
                             struct error *error)
{
    const struct problem_buffer copy = {.name = names_get(&source->names, buffer),
                                        .size = source->size[buffer],
                                        .alignment = problem_alignment(source, buffer),
                                        .fixed_offset = problem_fixed_offset(source, buffer),
                                        .hint = problem_hint(source, buffer)};
    assert(buffer < source->buffers && problem != source);
    TRY(problem_add_buffer(problem, &copy, error));
    if (source->clocks) {
        TRY(problem_add_clock(problem, problem_clock(source, buffer), error));
        problem->clocks->alone = source->clocks->alone;
    }
    for (uint32_t s = source->first[buffer]; s < source->first[buffer + 1]; s++)
        TRY(problem_add_segment(problem,
                                (struct problem_segment){source->lower[s], source->upper[s],
                                                         problem_window_lower(source, s),
                                                         problem_window_upper(source, s)},
                                error));
    return STATUS_OK;
}
