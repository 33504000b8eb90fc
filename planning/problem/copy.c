#include "planning/problem/copy.h"

#include <assert.h>

#include "core/memory.h"

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

void problem_replace(struct problem **problem, struct problem **created)
{
    assert((*created)->buffers == (*problem)->buffers && !(*created)->note && !(*created)->sizes);
    (*created)->note = (*problem)->note;
    (*problem)->note = NULL;
    (*created)->sizes = (*problem)->sizes;
    (*problem)->sizes = NULL;
    problem_free(*problem);
    *problem = *created;
    *created = NULL;
}

enum status problem_copy_part(const struct problem *source, const char *name,
                              const uint32_t *buffer, uint32_t count, struct problem **created,
                              struct error *error)
{
    SCOPED(problem_release) struct problem *problem = NULL;
    assert(count <= source->buffers);
    TRY(problem_create(&problem, name, error));
    for (uint32_t i = 0; i < count; i++)
        TRY(problem_add_copy(problem, source, buffer[i], error));
    TRY(problem_finish(problem, error));
    assert(problem->buffers == count);
    HAND_OVER(problem, created);
}

enum status problem_copy_at(const struct problem *family, const uint64_t *point,
                            struct problem **created, struct error *error)
{
    SCOPED(memory_release) uint32_t *all = NULL;
    SCOPED(problem_release) struct problem *copy = NULL;
    TRY(memory_create(&all, family->buffers, sizeof *all, error));
    for (uint32_t b = 0; b < family->buffers; b++)
        all[b] = b;
    TRY(problem_copy_part(family, names_get(&family->name, 0), all, family->buffers, &copy, error));
    for (uint32_t b = 0; b < family->buffers; b++) {
        uint64_t size;
        if (!sizes_value(family->sizes, b, point, &size) || !size)
            return error_set(error, STATUS_USAGE,
                             "the size of buffer '%s' is below 1 or above 2^63 - 1 bytes there",
                             names_get(&family->names, b));
        problem_resize(copy, b, size);
    }
    TRY(problem_finish(copy, error));
    HAND_OVER(copy, created);
}
