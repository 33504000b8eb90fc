#include "solvers/window/hot_order.h"

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

static enum status create_tree(struct heats *heats, struct error *error)
{
    uint32_t segments = heats->draft->problem->segments;
    TRY(memory_create(&heats->most, 2 * (size_t)segments, sizeof *heats->most, error));
    if (segments)
        memcpy(heats->most + segments, heats->draft->load, segments * sizeof *heats->most);
    for (uint32_t i = segments; i-- > 1;)
        heats->most[i] = get_higher(heats->most[2 * (size_t)i], heats->most[2 * (size_t)i + 1]);
    return STATUS_OK;
}

/* The greatest load from position `begin` of timeline.by_lower on to before `end`. */
static uint64_t find_most(const struct heats *heats, uint32_t begin, uint32_t end)
{
    size_t segments = heats->draft->problem->segments;
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

/* The load rises only where segments begin, so a segment sees its greatest one at its own start or
   at that of one that begins while it lives. */
static double find_heat(const struct heats *heats, uint32_t buffer)
{
    const struct problem *problem = heats->draft->problem;
    uint64_t most = 0;
    for (uint32_t s = problem->first[buffer]; s < problem->first[buffer + 1]; s++)
        most = get_higher(most, find_most(heats, count_begun(heats->draft, problem->lower[s]),
                                          count_begun(heats->draft, problem->upper[s])));
    return (double)most / (double)heats->most[1];
}

/* The bits of a number that is not negative are in the order of the numbers. */
static uint64_t get_bits(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static uint64_t get_rank(const void *context, uint32_t buffer)
{
    const struct heats *heats = context;
    double size = (double)heats->draft->problem->size[buffer],
           area = (double)heats->draft->area[buffer], heat = find_heat(heats, buffer);
    double square = heat * heat, fourth = square * square, eighth = fourth * fourth;
    return get_bits(sqrt(size) * sqrt(area) * eighth * eighth * fourth);
}

enum status hot_order_sort(const struct draft *draft, uint32_t *sorted, struct error *error)
{
    const struct sort_key rank[SORT_MOST_KEYS] = {{get_rank, true}};
    struct heats heats = {.draft = draft};
    enum status status = create_tree(&heats, error);
    if (!status)
        status = sort_by_keys(rank, &heats, draft->problem->buffers, sorted, error);
    memory_free(heats.most);
    return status;
}
