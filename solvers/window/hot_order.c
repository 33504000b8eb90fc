#include "solvers/window/hot_order.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/memory.h"
#include "core/sort.h"

struct heats {
    const struct draft *draft;
    uint64_t *most; /* [2 * segments] a tree over draft->load: node i has the greater of 2 i and
                       2 i + 1, the leaves begin at `segments` */
};

static uint64_t get_higher(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The greatest load from position `begin` of timeline.by_lower on to before `end`. */
static uint64_t find_most(const struct heats *heats, uint32_t begin, uint32_t end)
{
    size_t segments = heats->draft->problem->segments;
    assert(begin <= end && end <= segments);
    uint64_t most = 0;
    for (size_t a = segments + begin, b = segments + end; a < b; a /= 2, b /= 2) {
        if (a & 1)
            most = get_higher(most, heats->most[a++]);
        if (b & 1)
            most = get_higher(most, heats->most[--b]);
    }
    return most;
}

/* How many segments begin before the step. */
static uint32_t count_begun(const struct draft *draft, uint32_t step)
{
    const uint32_t *by_lower = draft->index->timeline.by_lower;
    return BINARY_SEARCH(at, 0, draft->problem->segments,
                         draft->problem->lower[by_lower[at]] >= step);
}

/* The load rises only where segments begin, so a segment sees its greatest one, the heat, at its
   own start or at that of one that begins while it lives. */
static uint64_t get_rank(const void *context, uint32_t buffer)
{
    const struct heats *heats = context;
    const struct problem *problem = heats->draft->problem;
    double size = (double)problem->size[buffer], area = (double)heats->draft->area[buffer];
    uint64_t most = 0, bits;
    for (uint32_t s = problem->first[buffer]; s < problem->first[buffer + 1]; s++)
        most = get_higher(most, find_most(heats, count_begun(heats->draft, problem->lower[s]),
                                          count_begun(heats->draft, problem->upper[s])));
    assert(heats->most[1] > 0);
    double heat = (double)most / (double)heats->most[1];
    assert(most <= heats->most[1]);
    double square = heat * heat, fourth = square * square, eighth = fourth * fourth;
    double rank = sqrt(size) * sqrt(area) * eighth * eighth * fourth;
    /* The bits of a number that is not negative are in the order of the numbers. */
    memcpy(&bits, &rank, sizeof bits);
    return bits;
}

enum status hot_order_sort(const struct draft *draft, uint32_t *sorted, struct error *error)
{
    const struct sort_key rank[SORT_MOST_KEYS] = {{.value = get_rank, .descending = true}};
    uint32_t segments = draft->problem->segments;
    SCOPED(memory_release) uint64_t *most = NULL;
    TRY(memory_create(&most, 2 * (size_t)segments, sizeof *most, error));
    if (segments)
        memcpy(most + segments, draft->load, segments * sizeof *most);
    for (size_t i = segments; i-- > 1;)
        most[i] = get_higher(most[2 * i], most[2 * i + 1]);
    const struct heats heats = {draft, most};
    return sort_by_keys(rank, &heats, draft->problem->buffers, sorted, error);
}
