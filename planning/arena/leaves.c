#include "planning/arena/leaves.h"

#include <assert.h>

#include "core/binary_search.h"
#include "core/memory.h"
#include "core/sort.h"

/* Few enough that a leaf is read quickly, enough that there are few leaves. Measured on 10^6
   buffers with 200 live and on idealloc's S_1. */
enum { LEAF_ENDS = 256 };

static enum status sort_steps(const struct problem *problem, uint64_t **steps, struct error *error)
{
    uint32_t count = problem->segments;
    uint32_t *unused = NULL;
    TRY(memory_create(steps, 2 * (size_t)count, sizeof **steps, error));
    enum status status = memory_create(&unused, 2 * (size_t)count, sizeof *unused, error);
    for (uint32_t s = 0; s < count && !status; s++) {
        (*steps)[s] = problem->lower[s];
        (*steps)[count + s] = problem->upper[s];
    }
    if (!status)
        status = sort_items(*steps, unused, 2 * (size_t)count, error);
    memory_free(unused);
    if (status)
        memory_free(*steps);
    return status;
}

/* A leaf starts at every LEAF_ENDS-th step of a lower or upper. */
static enum status cut_steps(struct occupancy_leaves *leaves, const uint64_t *steps, size_t count,
                             struct error *error)
{
    TRY(memory_create(&leaves->start, count / LEAF_ENDS + 2, sizeof *leaves->start, error));
    leaves->start[0] = count ? (uint32_t)steps[0] : 0;
    leaves->count = 1;
    for (size_t i = LEAF_ENDS; i < count; i += LEAF_ENDS)
        if (steps[i] > leaves->start[leaves->count - 1] && steps[i] < steps[count - 1])
            leaves->start[leaves->count++] = (uint32_t)steps[i];
    leaves->start[leaves->count] = count ? (uint32_t)steps[count - 1] : 1;
    assert(leaves->start[leaves->count - 1] < leaves->start[leaves->count]);
    return STATUS_OK;
}

static uint32_t find_leaf(const struct occupancy_leaves *leaves, uint32_t step)
{
    assert(leaves->start[0] <= step && step < leaves->start[leaves->count]);
    return BINARY_SEARCH(at, 1, leaves->count, leaves->start[at] > step) - 1;
}

static enum status find_leaves(struct occupancy_leaves *leaves, const struct problem *problem,
                               struct error *error)
{
    TRY(memory_create(&leaves->first, problem->segments, sizeof *leaves->first, error));
    TRY(memory_create(&leaves->end, problem->segments, sizeof *leaves->end, error));
    for (uint32_t s = 0; s < problem->segments; s++) {
        leaves->first[s] = find_leaf(leaves, problem->lower[s]);
        leaves->end[s] = 1 + find_leaf(leaves, problem->upper[s] - 1);
        assert(leaves->first[s] < leaves->end[s] && leaves->end[s] <= leaves->count);
    }
    return STATUS_OK;
}

static void count_ends(const struct occupancy_leaves *leaves, const struct problem *problem,
                       uint32_t *counts)
{
    for (uint32_t s = 0; s < problem->segments; s++) {
        uint32_t first = leaves->first[s], last = leaves->end[s] - 1;
        uint32_t lower = problem->lower[s], upper = problem->upper[s];
        assert(first <= last);
        counts[first] += !occupancy_leaves_covered(leaves, first, lower, upper);
        if (last != first)
            counts[last] += !occupancy_leaves_covered(leaves, last, lower, upper);
    }
}

static enum status reserve_ends(struct occupancy_leaves *leaves, const struct problem *problem,
                                struct error *error)
{
    TRY(memory_create(&leaves->ends, (size_t)leaves->count + 1, sizeof *leaves->ends, error));
    count_ends(leaves, problem, leaves->ends);
    uint32_t sum = 0;
    for (uint32_t leaf = 0; leaf <= leaves->count; leaf++) {
        uint32_t here = leaves->ends[leaf];
        leaves->ends[leaf] = sum;
        sum += here;
    }
    return STATUS_OK;
}

enum status occupancy_leaves_create(const struct problem *problem, struct occupancy_leaves *leaves,
                                    struct error *error)
{
    uint64_t *steps;
    *leaves = (struct occupancy_leaves){0};
    TRY(sort_steps(problem, &steps, error));
    enum status status = cut_steps(leaves, steps, 2 * (size_t)problem->segments, error);
    memory_free(steps);
    if (!status)
        status = find_leaves(leaves, problem, error);
    if (!status)
        status = reserve_ends(leaves, problem, error);
    return status;
}

void occupancy_leaves_free(struct occupancy_leaves *leaves)
{
    memory_free(leaves->start);
    memory_free(leaves->first);
    memory_free(leaves->end);
    memory_free(leaves->ends);
}
