#include "planning/arena/leaves.h"

#include "core/binary_search.h"
#include "core/sort.h"

/* How many ends of segments (first steps and last steps) a leaf has: few enough that a leaf is read
   quickly, and enough that there are few leaves. On 5 * 10^5 buffers with 200 live, and on
   idealloc's S_1, 256 ends take the same time and 18 bytes more for each buffer. Where many buffers
   are live, the union of a leaf has more intervals than the leaf has ends. Leaves are longer then,
   so that the unions need less memory: a third of it, in the same time, on 60000 buffers with 2000
   live. For the ranges of stream_lines.h leaves are longer still, since most of these ranges are
   short or whole lines. */
enum { LEAF_ENDS = 512, LIVE_PER_END = 2, ENDS_PER_LIVE_OF_RANGES = 2 };

/* A leaf starts at every leaf_ends-th step of a lower or upper. */
static void cut_steps(struct occupancy_leaves *leaves, const uint64_t *steps, size_t count,
                      size_t leaf_ends)
{
    assert(leaf_ends > 0);
    leaves->start[0] = count ? (uint32_t)steps[0] : 0;
    leaves->count = 1;
    for (size_t i = leaf_ends; i < count; i += leaf_ends)
        if (steps[i] > leaves->start[leaves->count - 1] && steps[i] < steps[count - 1])
            leaves->start[leaves->count++] = (uint32_t)steps[i];
    leaves->start[leaves->count] = count ? (uint32_t)steps[count - 1] : 1;
    assert(leaves->start[leaves->count - 1] < leaves->start[leaves->count]);
}

uint32_t occupancy_leaves_find(const struct occupancy_leaves *leaves, uint32_t step)
{
    assert(leaves->start[0] <= step && step < leaves->start[leaves->count]);
    return BINARY_SEARCH(at, 1, leaves->count, leaves->start[at] > step) - 1;
}

static void find_leaves(struct occupancy_leaves *leaves, const struct problem *problem)
{
    for (uint32_t s = 0; s < problem->segments; s++) {
        leaves->first[s] = occupancy_leaves_find(leaves, problem->lower[s]);
        leaves->end[s] = 1 + occupancy_leaves_find(leaves, problem->upper[s] - 1);
        assert(leaves->first[s] < leaves->end[s] && leaves->end[s] <= leaves->count);
    }
}

static void count_ends(struct occupancy_leaves *leaves, const struct problem *problem)
{
    for (uint32_t s = 0; s < problem->segments; s++) {
        uint32_t first = leaves->first[s], last = leaves->end[s] - 1;
        uint32_t lower = problem->lower[s], upper = problem->upper[s];
        assert(first <= last);
        leaves->ends[first] += !occupancy_leaves_lived_through(leaves, first, lower, upper);
        if (last != first)
            leaves->ends[last] += !occupancy_leaves_lived_through(leaves, last, lower, upper);
    }
    uint32_t sum = 0;
    assert(leaves->ends[leaves->count] == 0);
    for (uint32_t leaf = 0; leaf <= leaves->count; leaf++) {
        uint32_t here = leaves->ends[leaf];
        leaves->ends[leaf] = sum;
        assert(sum + here >= sum);
        sum += here;
    }
}

enum status occupancy_leaves_create(const struct problem *problem, bool for_ranges,
                                    struct occupancy_leaves *leaves, struct scratch *scratch,
                                    struct error *error)
{
    SCOPED(scratch_free) struct scratch own = {0};
    size_t segments = problem->segments, ends = 2 * segments;
    uint64_t *steps, live = 0;
    uint32_t *unused;
    *leaves = (struct occupancy_leaves){.for_ranges = for_ranges};
    TRY(scratch_take(scratch, &leaves->start, ends / LEAF_ENDS + 2, sizeof *leaves->start, error));
    TRY(scratch_take_all(scratch, segments, error, &leaves->first, &leaves->end));
    TRY(scratch_take_all(&own, ends, error, &steps, &unused));
    for (uint32_t s = 0; s < segments; s++) {
        steps[s] = problem->lower[s];
        steps[segments + s] = problem->upper[s];
    }
    TRY(sort_items(steps, unused, ends, error));
    cut_steps(leaves, steps, ends, LEAF_ENDS);
    find_leaves(leaves, problem);

    /* How many segments live on from one leaf to the next, on the average. */
    for (uint32_t s = 0; s < segments; s++)
        live += leaves->end[s] - leaves->first[s] - 1;
    live /= leaves->count;
    assert(leaves->count > 0 && live <= segments);
    size_t leaf_ends = for_ranges ? live * ENDS_PER_LIVE_OF_RANGES : live / LIVE_PER_END;
    if (leaf_ends > LEAF_ENDS) {
        cut_steps(leaves, steps, ends, leaf_ends);
        find_leaves(leaves, problem);
    }
    TRY(scratch_take(scratch, &leaves->ends, (size_t)leaves->count + 1, sizeof *leaves->ends,
                     error));
    count_ends(leaves, problem);
    return STATUS_OK;
}
