#include "api/problem.h"

#include <stdio.h>

static enum status check_arrays(const struct memplan_problem *given, struct error *error)
{
    if (!given->buffers)
        return error_set(error, STATUS_BAD_INPUT, "found 0 buffers, expected at least 1");
    if (!given->size || !given->lower || !given->upper)
        return error_set(error, STATUS_BAD_INPUT, "found no array %s, expected one",
                         !given->size    ? "size"
                         : !given->lower ? "lower"
                                         : "upper");
    if (!given->window_lower != !given->window_upper)
        return error_set(error, STATUS_BAD_INPUT,
                         "found one of window_lower and window_upper, expected both or none");
    if (!given->first && given->segments && given->segments != given->buffers)
        return error_set(
            error, STATUS_BAD_INPUT,
            "found %u segments of %u buffers without the array first, expected as many",
            given->segments, given->buffers);
    return STATUS_OK;
}

static enum status add_buffer(const struct memplan_problem *given, uint32_t b,
                              struct problem *problem, struct error *error)
{
    char name[16];
    snprintf(name, sizeof name, "%u", b);
    const struct problem_buffer buffer = {
        .name = name,
        .size = given->size[b],
        .alignment = given->alignment ? given->alignment[b] : 1,
        .fixed_offset = given->fixed_offset ? given->fixed_offset[b] : PROBLEM_FREE,
        .hint = -1};
    uint32_t begin = given->first ? given->first[b] : b;
    uint32_t end = given->first ? given->first[b + 1] : b + 1;
    if (begin >= end || (!b && begin) || (given->first && end > given->segments))
        return error_set(error, STATUS_BAD_INPUT,
                         "buffer '%u' has the segments %u up to %u of %u, expected at least one, "
                         "and those of all buffers in turn",
                         b, begin, end, given->segments);
    TRY(problem_add_buffer(problem, &buffer, error));
    for (uint32_t s = begin; s < end; s++)
        TRY(problem_add_segment(
            problem,
            (struct problem_segment){given->lower[s], given->upper[s],
                                     given->window_lower ? given->window_lower[s] : 0,
                                     given->window_upper ? given->window_upper[s] : buffer.size},
            error));
    return STATUS_OK;
}

enum status api_problem_create(const struct memplan_problem *given, struct problem **problem,
                               struct error *error)
{
    SCOPED(problem_release) struct problem *made = NULL;
    TRY(check_arrays(given, error));
    TRY(problem_create(&made, "problem", error));
    for (uint32_t b = 0; b < given->buffers; b++)
        TRY(add_buffer(given, b, made, error));
    TRY(problem_finish(made, error));
    HAND_OVER(made, problem);
}
