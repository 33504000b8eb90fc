#include "solvers/best/kind.h"

#include <assert.h>

#include "planning/problem/timeline.h"
#include "solvers/exact/solve.h"
#include "solvers/tiles/tile_search.h"

/* Up to SOME_BUFFERS the exact search of the whole may hold MOST_PAIRS overlapping pairs. Where
   there are more buffers, all that is searched exactly holds at most BUFFER_BYTES for each of them.
   With the arrays of the whole problem, most of them those of the windows, that is less than 300
   bytes for each. Where there are fewer than MANY_BUFFERS, it may hold FREE_BYTES more for each
   buffer that is missing, for hot windows of some hundred live buffers. With a thousand the local
   search finds better plans, which needs no lists. */
enum {
    SOME_BUFFERS = 4096,
    MOST_PAIRS = 1 << 22,
    BUFFER_BYTES = 120,
    MANY_BUFFERS = 100000,
    FREE_BYTES = 160,
};

/* Where each buffer overlaps few others on average, at most SHALLOW_PAIRS, the exact search of the
   whole finds plans that no other search does, so there it may hold MOST_SHALLOW_PAIRS. */
enum { SHALLOW_PAIRS = 64, MOST_SHALLOW_PAIRS = 1 << 20 };

/* Where there are many buffers of which each overlaps few others, the exact search of the whole
   comes first, since such chains fall apart into short pieces, which it solves in less time than
   any other search takes for a plan. */
enum { CHAIN_PAIRS = 4 };

/* A problem of many buffers is full where at most FULL_SLACK hundredths of the bytes below its
   lower bound are free, averaged over all steps. */
enum { FULL_SLACK = 10 };

uint32_t best_threads(const struct best *best)
{
    return best->task->threads > 1 ? best->task->threads : 1;
}

uint64_t best_count_affordable_pairs(const struct best *best)
{
    uint32_t buffers = best->task->problem->buffers;
    uint64_t bytes = (uint64_t)BUFFER_BYTES * buffers;
    assert(!best->are_few || buffers <= BEST_FEW_BUFFERS);
    if (buffers <= SOME_BUFFERS)
        return EXACT_MOST_PAIRS;
    if (buffers < MANY_BUFFERS)
        bytes += (uint64_t)FREE_BYTES * (MANY_BUFFERS - buffers);
    return exact_count_affordable_pairs(best->part[BEST_EXACT].is_over ? bytes : bytes / 2,
                                        best_threads(best));
}

uint32_t best_count_sizes(const struct problem *problem)
{
    uint64_t size[BEST_MOST_SIZES];
    uint32_t sizes = 0;
    for (uint32_t b = 0; b < problem->buffers && sizes < BEST_MOST_SIZES; b++) {
        uint32_t i = 0;
        while (i < sizes && size[i] != problem->size[b])
            i++;
        size[i] = problem->size[b];
        sizes += i == sizes;
    }
    return sizes;
}

static double find_free_percent(const struct problem *problem, uint64_t bound_bytes)
{
    double used = 0, all = (double)bound_bytes * problem_line_steps(problem);
    for (uint32_t b = 0; b < problem->buffers; b++)
        used += (double)problem->size[b] * (double)problem_duration(problem, b);
    return all > 0 ? 100 * (1 - used / all) : 100; /* where nothing is live at a time step */
}

enum status best_find_kind(struct best *best, uint64_t *pairs, uint64_t *most_pairs)
{
    const struct problem *problem = best->task->problem;
    uint64_t buffers = problem->buffers;
    TRY(timeline_count_pairs(problem, pairs, best->error));
    best->free_percent =
        find_free_percent(problem, best->incumbent.plan->measures.lower_bound_bytes);
    *most_pairs = buffers > SOME_BUFFERS ? best_count_affordable_pairs(best) / 2 : MOST_PAIRS;
    if (*most_pairs < MOST_SHALLOW_PAIRS && *pairs <= SHALLOW_PAIRS * buffers)
        *most_pairs = MOST_SHALLOW_PAIRS;
    if (best->are_few)
        return STATUS_OK;
    assert(best->kind == BEST_MANY);
    if (*pairs <= CHAIN_PAIRS * buffers) {
        best->kind = BEST_MANY_IN_CHAINS;
        *most_pairs = CHAIN_PAIRS * buffers;
    } else if (best->free_percent <= FULL_SLACK && tile_search_can(&best->incumbent)) {
        best->kind = BEST_MANY_AND_FULL;
    }
    return STATUS_OK;
}
