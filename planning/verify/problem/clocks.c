#include "planning/verify/problem/clocks.h"

#include <assert.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/scratch.h"
#include "core/sort.h"

/* Where the bytes of buffers begin and end, by address; at one address what ends comes first. */
struct events {
    uint64_t *address; /* [count] */
    uint32_t *what;    /* [count] twice a buffer, plus one where its bytes begin */
    size_t count;
};

static enum status list_events(const struct problem *problem, const struct plan *plan,
                               struct scratch *scratch, struct events *events, struct error *error)
{
    size_t pieces = 0, most = (size_t)problem->buffers + (plan->extents ? plan->extents->count : 0);
    uint64_t *address;
    uint32_t *what;
    struct extent extent;
    assert(problem->buffers <= UINT32_MAX / 2);
    TRY(scratch_take_all(scratch, 2 * most, error, &address, &what));
    /* The ends stand before all begins, and sorting keeps that order at one address. */
    for (uint32_t b = 0; b < problem->buffers; b++) {
        struct extents_walk walk = plan_begin(plan, b, 0, problem->size[b]);
        for (; extents_next(&walk, &extent); pieces++) {
            assert(pieces < most);
            address[most - 1 - pieces] = extent.offset + extent.bytes;
            what[most - 1 - pieces] = 2 * b;
            address[most + pieces] = extent.offset;
            what[most + pieces] = 2 * b + 1;
        }
    }
    *events = (struct events){address + (most - pieces), what + (most - pieces), 2 * pieces};
    return sort_items(events->address, events->what, events->count, error);
}

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

enum status verify_clocks(const struct problem *problem, const struct plan *plan,
                          struct verdict *verdict, struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct events events;
    uint32_t *here, count = 0; /* the buffers at an address, each over before the next begins */
    assert(problem_streams(problem) > 0);
    TRY(list_events(problem, plan, &scratch, &events, error));
    TRY(scratch_take(&scratch, &here, events.count, sizeof *here, error));
    for (size_t e = 0; e < events.count; e++) {
        uint32_t buffer = events.what[e] / 2;
        uint32_t place = BINARY_SEARCH(at, 0, count, !is_before(problem, here[at], buffer));
        size_t behind = (count - place) * sizeof *here;
        if (events.what[e] & 1) {
            if (place < count && !is_before(problem, buffer, here[place])) {
                *verdict = verify_overlap(buffer, here[place], problem->line_end);
                return STATUS_OK;
            }
            memmove(here + place + 1, here + place, behind);
            here[place] = buffer;
            count++;
        } else {
            assert(place < count && here[place] == buffer);
            memmove(here + place, here + place + 1, behind - sizeof *here);
            count--;
        }
    }
    assert(count == 0);
    return STATUS_OK;
}
