#include "planning/problem/clocks/clocks.h"

#include <string.h>

#include "core/memory.h"

enum status clocks_add(struct clocks **clocks, struct clock clock, const char *name,
                       struct error *error)
{
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
    if (*clocks && (*clocks)->streams != clock.streams)
        return error_set(error, STATUS_BAD_INPUT,
                         "found a clock of %u streams of buffer '%s', expected %u as before",
                         clock.streams, name, (*clocks)->streams);
    if (!*clocks) {
        TRY(memory_create(clocks, 1, sizeof **clocks, error));
        (*clocks)->streams = clock.streams;
    }
    struct clocks *to = *clocks;
    size_t used = (size_t)to->buffers * 2 * clock.streams;
    assert(to->streams == clock.streams && used <= to->room);
    TRY(memory_reserve(&to->row, &to->room, used + 2 * (size_t)clock.streams, sizeof *to->row,
                       error));
    memcpy(to->row + used, clock.start, clock.streams * sizeof *to->row);
    memcpy(to->row + used + clock.streams, clock.end, clock.streams * sizeof *to->row);
    assert(to->room >= used + 2 * (size_t)clock.streams);
    to->buffers++;
    return STATUS_OK;
}

void clocks_free(struct clocks *clocks)
{
    if (!clocks)
        return;
    memory_free_all(clocks->row, clocks);
}
