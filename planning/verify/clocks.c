#include "planning/verify/clocks.h"

#include <assert.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/memory.h"
#include "core/sort.h"
#include "planning/problem/clocks/clocks.h"

struct sweep {
    const struct problem *problem;
    uint64_t *key;    /* [events] twice an address, plus one where bytes begin */
    uint32_t *buffer; /* [events] */
    uint32_t *here,
        count; /* [count] the buffers at the current address, each over before the next begins */
    size_t events, key_capacity, buffer_capacity;
};

/* Whether the first buffer is over before the second begins. */
static bool is_before(const struct problem *problem, uint32_t first, uint32_t second)
{
    const uint32_t *end = problem_clock(problem, first).end;
    const uint32_t *start = problem_clock(problem, second).start;
    for (uint32_t s = 0; s < problem_streams(problem); s++)
        if (end[s] > start[s])
            return false;
    return true;
}

static enum status add_event(struct sweep *sweep, uint64_t key, uint32_t buffer,
                             struct error *error)
{
    size_t needed = sweep->events + 1;
    TRY(memory_reserve(&sweep->key, &sweep->key_capacity, needed, sizeof *sweep->key, error));
    TRY(memory_reserve(&sweep->buffer, &sweep->buffer_capacity, needed, sizeof *sweep->buffer,
                       error));
    sweep->key[sweep->events] = key;
    sweep->buffer[sweep->events++] = buffer;
    return STATUS_OK;
}

static enum status list_events(struct sweep *sweep, const struct plan *plan, struct error *error)
{
    for (uint32_t b = 0; b < sweep->problem->buffers; b++) {
        struct extents_walk walk = plan_begin(plan, b, 0, sweep->problem->size[b]);
        struct extent extent;
        while (extents_next(&walk, &extent)) {
            TRY(add_event(sweep, 2 * extent.offset + 1, b, error));
            TRY(add_event(sweep, 2 * (extent.offset + extent.bytes), b, error));
        }
    }
    return sort_items(sweep->key, sweep->buffer, sweep->events, error);
}

/* How many of the buffers here are over before this one begins: they come first. */
static uint32_t find_place(const struct sweep *sweep, uint32_t buffer)
{
    return BINARY_SEARCH(at, 0, sweep->count, !is_before(sweep->problem, sweep->here[at], buffer));
}

static void enter(struct sweep *sweep, uint32_t buffer, struct verdict *verdict)
{
    uint32_t place = find_place(sweep, buffer);
    if (place < sweep->count && !is_before(sweep->problem, buffer, sweep->here[place])) {
        uint32_t other = sweep->here[place];
        *verdict = (struct verdict){VERIFY_OVERLAP, buffer < other ? buffer : other,
                                    buffer < other ? other : buffer, sweep->problem->line_end};
        return;
    }
    memmove(sweep->here + place + 1, sweep->here + place,
            (sweep->count - place) * sizeof *sweep->here);
    sweep->here[place] = buffer;
    sweep->count++;
}

static void leave(struct sweep *sweep, uint32_t buffer)
{
    uint32_t place = find_place(sweep, buffer);
    assert(place < sweep->count && sweep->here[place] == buffer);
    sweep->count--;
    memmove(sweep->here + place, sweep->here + place + 1,
            (sweep->count - place) * sizeof *sweep->here);
}

enum status verify_clocks(const struct problem *problem, const struct plan *plan,
                          struct verdict *verdict, struct error *error)
{
    struct sweep sweep = {.problem = problem};
    enum status status;
    assert(problem_streams(problem) > 0);
    TRY_OR_DONE(status, list_events(&sweep, plan, error));
    TRY_OR_DONE(status, memory_create(&sweep.here, sweep.events, sizeof *sweep.here, error));
    for (size_t e = 0; e < sweep.events && !verdict->fault; e++)
        if (sweep.key[e] & 1)
            enter(&sweep, sweep.buffer[e], verdict);
        else
            leave(&sweep, sweep.buffer[e]);
done:
    memory_free(sweep.key);
    memory_free(sweep.buffer);
    memory_free(sweep.here);
    return status;
}
