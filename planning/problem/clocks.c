#include "planning/problem/clocks.h"

#include <assert.h>
#include <string.h>

#include "core/memory.h"

static uint32_t *clock_row(const struct problem *problem, uint32_t buffer)
{
    return problem->clock + (size_t)buffer * 2 * problem->streams;
}

struct clock problem_clock(const struct problem *problem, uint32_t buffer)
{
    assert(buffer < problem->buffers && problem->streams > 0);
    const uint32_t *row = clock_row(problem, buffer);
    return (struct clock){problem->streams, row, row + problem->streams};
}

static enum status check_clock(const struct problem *problem, struct clock clock,
                               struct error *error)
{
    const char *name = names_get(&problem->names, problem->buffers - 1);
    if (!clock.streams)
        return error_set(error, STATUS_BAD_INPUT,
                         "found a clock of no stream of buffer '%s', expected one at least", name);
    for (uint32_t s = 0; s < clock.streams; s++)
        if (clock.start[s] > clock.end[s])
            return error_set(error, STATUS_BAD_INPUT,
                             "found a clock of buffer '%s' that starts at %u and ends at %u on "
                             "stream %u, expected start <= end",
                             name, clock.start[s], clock.end[s], s);
    if (memcmp(clock.start, clock.end, clock.streams * sizeof *clock.start) == 0)
        return error_set(error, STATUS_BAD_INPUT,
                         "found a clock of buffer '%s' that ends where it starts, expected start < "
                         "end on some stream",
                         name);
    if (problem->streams && problem->streams != clock.streams)
        return error_set(error, STATUS_BAD_INPUT,
                         "found a clock of %u streams of buffer '%s', expected %u as before",
                         clock.streams, name, problem->streams);
    return STATUS_OK;
}

enum status problem_add_clock(struct problem *problem, struct clock clock, struct error *error)
{
    assert(problem->buffers > 0 && (problem->streams || problem->buffers == 1));
    TRY(check_clock(problem, clock, error));
    TRY(memory_reserve(&problem->clock, &problem->buffer_capacity[5],
                       (size_t)problem->buffers * 2 * clock.streams, sizeof *problem->clock,
                       error));
    problem->streams = clock.streams;
    uint32_t *row = clock_row(problem, problem->buffers - 1);
    memcpy(row, clock.start, clock.streams * sizeof *row);
    memcpy(row + clock.streams, clock.end, clock.streams * sizeof *row);
    return STATUS_OK;
}
