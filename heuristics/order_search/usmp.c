/* TVM USMP's hill_climb (src/tir/usmp/algo/hill_climb.cc).

   The first order is that of greedy_by_size: largest first, then most conflicts, then the greater
   name. Each attempt places the present order by first fit. A peak lower than that of the last
   accepted attempt is accepted. One that is no lower is accepted with a chance of floor(floor(50 *
   (peak - last) / peak) / attempt) percent, so never when the peaks are equal. The search ends when
   an accepted peak is the load.

   After each attempt two buffers change places in the order:
   - A peak buffer is drawn from those that end at the accepted peak.
   - Candidates of the first kind conflict with the peak buffer and stand before it.
   - Candidates of the second kind conflict with a buffer that conflicts with the peak buffer, and
   stand before that one. One that is found several times counts as often.
   - A candidate of the first kind is exchanged with one of the second kind (74 times in 100, if
   there is one) or with another of the first kind. Without one of the first kind, or where both are
   the same, nothing changes.

   As published, the last accepted attempt is the result, even where an earlier one was better.
   After a refused attempt the last exchange is taken back, even if it was made before an earlier
   attempt: an attempt that exchanged nothing has an equal peak, is refused, and so takes back an
   older exchange. Then the order that gave the accepted peak is lost, but the peak buffers are
   still those of the accepted plan. The fixed variant (usmp_hill_climb_best) makes the same
   attempts but returns the one with the lowest peak.

   Departures: one pool of any size; offsets are aligned by the buffer's own alignment, where the
   source rounds the ends of the others by theirs; no candidates are fixed buffers. */

#include "heuristics/order_search/usmp.h"

#include <assert.h>

#include "heuristics/common/rows.h"
#include "heuristics/order_search/order_search.h"

/* Where the peaks are large, both are shifted right alike, so that the product fits into 64
   bits. */
bool usmp_accepts(uint64_t peak_bytes, uint64_t accepted_bytes, uint64_t attempt, uint64_t drawn)
{
    assert(attempt > 0 && drawn < 100);
    if (peak_bytes < accepted_bytes)
        return true;
    for (; peak_bytes >= (uint64_t)1 << 58; accepted_bytes >>= 1)
        peak_bytes >>= 1;
    return drawn < 50 * (peak_bytes - accepted_bytes) / peak_bytes / attempt;
}

struct climb {
    struct order_search *search;
    uint32_t *before;    /* [buffers] how many buffers conflict with it and stand before it */
    uint32_t swapped[2]; /* the positions that were exchanged last */
    uint64_t attempt;    /* number of the present attempt; 0 is the starting order */
};

static uint64_t draw(struct climb *climb, uint64_t bound)
{
    return random_below(&climb->search->random, bound);
}

/* Draws one of the `count` candidates of the second kind. */
static uint32_t pick_second(struct climb *climb, uint32_t node, uint64_t count)
{
    const struct conflicts *conflicts = climb->search->evaluator->conflicts;
    uint64_t index = draw(climb, count), i = conflicts->first[node];
    for (; index >= climb->before[conflicts->other[i]]; i++)
        index -= climb->before[conflicts->other[i]];
    return order_search_earlier(climb->search, conflicts->other[i], (uint32_t)index);
}

static uint32_t pick_first(struct climb *climb, uint32_t node)
{
    uint32_t index = (uint32_t)draw(climb, climb->before[node]);
    return order_search_earlier(climb->search, node, index);
}

/* Fills climb->before for the node and all that conflict with it, and returns the number of
   candidates of the second kind. Nothing stands before a fixed buffer. */
static uint64_t count_before(struct climb *climb, uint32_t node)
{
    const struct order_search *search = climb->search;
    const struct conflicts *conflicts = search->evaluator->conflicts;
    uint64_t count = 0;
    assert(search->position[node] != ORDER_SEARCH_FIXED);
    climb->before[node] = order_search_count_earlier(search, node);
    for (uint64_t i = conflicts->first[node]; i < conflicts->first[node + 1]; i++) {
        uint32_t other = conflicts->other[i];
        bool fixed = search->position[other] == ORDER_SEARCH_FIXED;
        climb->before[other] = fixed ? 0 : order_search_count_earlier(search, other);
        count += climb->before[other];
    }
    return count;
}

/* Exchanges a candidate of the first kind with another candidate. It draws again while both are the
   same, but only if there is another candidate to draw, so that the loop ends. */
static void exchange_two(struct climb *climb, uint32_t node)
{
    uint64_t seconds = count_before(climb, node);
    if (!climb->before[node])
        return;
    uint32_t first = pick_first(climb, node), second;
    bool choice = climb->before[node] > 1 || seconds > 1;
    do
        second = seconds && draw(climb, 100) > 25 ? pick_second(climb, node, seconds)
                                                  : pick_first(climb, node);
    while (second == first && choice);
    if (second == first)
        return;
    climb->swapped[0] = climb->search->position[first];
    climb->swapped[1] = climb->search->position[second];
    order_search_swap(climb->search, climb->swapped[0], climb->swapped[1]);
}

static enum status run_best(struct order_search *search, struct error *error)
{
    struct climb climb = {.search = search};
    uint64_t attempts = planner_option_value(search->planner, 0);
    TRY(order_search_sort(search, "size_conflicts_name", search->order, error));
    order_search_start(search);
    if (!search->evaluator->movables)
        return STATUS_OK;
    TRY(scratch_take(search->task->scratch, &climb.before, search->plan->buffers,
                     sizeof *climb.before, error));
    for (; climb.attempt < attempts && !order_search_is_over(search); climb.attempt++) {
        if (climb.attempt > 0) {
            uint64_t peak = order_search_try(search, 0, UINT64_MAX), drawn = draw(&climb, 100);
            if (peak != EVALUATOR_ABOVE &&
                usmp_accepts(peak, search->peak_bytes, climb.attempt, drawn))
                order_search_accept(search, peak);
            else
                order_search_swap(search, climb.swapped[0], climb.swapped[1]);
        }
        uint32_t node = order_search_pick_peak(search);
        if (node != EVALUATOR_NONE)
            exchange_two(&climb, node);
    }
    return STATUS_OK;
}

/* Returns the plan that was accepted last, as published. */
static enum status run_published(struct order_search *search, struct error *error)
{
    TRY(run_best(search, error));
    if (search->evaluator->movables) {
        search->best_bytes = UINT64_MAX;
        order_search_keep(search, search->peak_bytes, search->offset);
    }
    return STATUS_OK;
}

static const struct planner_option options[] = {{"attempts", "orders tried", 500, 1, 1000000000},
                                                {0}};

static const struct planner rows[] = {
    ORDER_SEARCH("usmp_hill_climb", run_published, options, PLANNER_RANDOMISED | PLANNER_CLOCKS,
                 "hill climb that returns its last accepted plan, as published",
                 "TVM src/tir/usmp/algo/hill_climb.cc"),
    ORDER_SEARCH("usmp_hill_climb_best", run_best, options, PLANNER_RANDOMISED | PLANNER_CLOCKS,
                 "hill climb of USMP that returns its best plan",
                 "TVM src/tir/usmp/algo/hill_climb.cc"),
};

HEURISTICS_ROWS(usmp, rows);
