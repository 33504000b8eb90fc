#include "heuristics/order_search/evaluate.h"

#include <assert.h>

#include "core/clock.h"
#include "heuristics/order_search/placed_list.h"

/* The clock is read once for this number of visited conflicts, which take about a millisecond. */
enum { VISITS_PER_LOOK = 1000000 };

static void settle(struct evaluator *evaluator, uint32_t buffer, uint64_t offset)
{
    evaluator_put(evaluator, buffer, offset);
    if (evaluator->placed_list)
        placed_list_add(evaluator->placed_list, buffer, offset, evaluator->place[buffer].end);
}

static void find_by_list(struct evaluator *evaluator, uint32_t buffer, uint64_t *offset)
{
    offset[buffer] = placed_list_lowest(evaluator->placed_list, buffer, evaluator->size[buffer],
                                        problem_alignment(evaluator->problem, buffer));
    if (evaluator->predecessor)
        evaluator->predecessor[buffer] =
            placed_list_predecessor(evaluator->placed_list, buffer, offset[buffer]);
}

static void find_by_conflicts(struct evaluator *evaluator, uint32_t buffer, uint64_t *offset)
{
    uint64_t count = evaluator_near(evaluator, buffer);
    offset[buffer] = evaluator_lowest(evaluator, buffer, count);
    if (evaluator->predecessor)
        evaluator->predecessor[buffer] = evaluator_predecessor(evaluator, count, offset[buffer]);
}

static void place_next(struct evaluator *evaluator, uint32_t buffer, uint64_t *offset)
{
    if (evaluator->placed_list)
        find_by_list(evaluator, buffer, offset);
    else
        find_by_conflicts(evaluator, buffer, offset);
    settle(evaluator, buffer, offset[buffer]);
}

static void list_fixed(struct evaluator *evaluator)
{
    evaluator->placed_list->count = 0;
    for (uint32_t i = evaluator->movables; i < evaluator->problem->buffers; i++) {
        uint32_t b = evaluator->movable[i];
        settle(evaluator, b, evaluator->place[b].begin);
    }
}

/* Places the first `kept` buffers of the order at their offsets in offset[], removes all others
   except the fixed ones, and returns the peak of what is placed. */
static uint64_t place_kept(struct evaluator *evaluator, const uint32_t *order, uint32_t kept,
                           const uint64_t *offset)
{
    uint64_t peak = evaluator->fixed_end;
    if (evaluator->placed_list)
        list_fixed(evaluator);
    for (uint32_t i = 0; i < kept; i++) {
        settle(evaluator, order[i], offset[order[i]]);
        if (evaluator->place[order[i]].end > peak)
            peak = evaluator->place[order[i]].end;
    }
    for (uint32_t i = kept; i < evaluator->movables; i++)
        evaluator_take(evaluator, order[i]);
    return peak;
}

static bool time_is_up(struct evaluator *evaluator, uint32_t buffer)
{
    const uint64_t *first = evaluator->conflicts->first;
    evaluator->visited += first[buffer + 1] - first[buffer];
    if (evaluator->visited < VISITS_PER_LOOK)
        return false;
    evaluator->visited = 0;
    return !clock_left_ns(evaluator->deadline_ns);
}

uint64_t evaluate_order(struct evaluator *evaluator, const uint32_t *order, uint32_t kept,
                        uint64_t limit_bytes, uint64_t *offset)
{
    assert(kept <= evaluator->movables);
    uint64_t peak = place_kept(evaluator, order, kept, offset);
    evaluator->placed = kept;
    while (peak <= limit_bytes && evaluator->placed < evaluator->movables) {
        uint32_t buffer = order[evaluator->placed];
        if (time_is_up(evaluator, buffer))
            return EVALUATE_ABOVE;
        assert(evaluator->place[buffer].begin == PROBLEM_FREE);
        place_next(evaluator, buffer, offset);
        assert(offset[buffer] % problem_alignment(evaluator->problem, buffer) == 0);
        evaluator->placed++;
        if (evaluator->place[buffer].end > peak)
            peak = evaluator->place[buffer].end;
    }
    return peak <= limit_bytes ? peak : EVALUATE_ABOVE;
}

/* Marks all buffers that conflict with a buffer that has moved, since they must be placed again. */
static void mark_moved(struct evaluator *evaluator, uint32_t buffer)
{
    const struct conflicts *conflicts = evaluator->conflicts;
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++)
        evaluator->moved[conflicts->other[i]] = evaluator->evaluations;
}

static void mark_swapped(struct evaluator *evaluator, uint32_t buffer)
{
    evaluator->moved[buffer] = evaluator->evaluations;
    mark_moved(evaluator, buffer);
}

static void place_again(struct evaluator *evaluator, uint32_t buffer, const uint64_t *base,
                        uint64_t *offset)
{
    if (evaluator->moved[buffer] == evaluator->evaluations) {
        place_next(evaluator, buffer, offset);
        if (offset[buffer] != base[buffer])
            mark_moved(evaluator, buffer);
    } else {
        offset[buffer] = base[buffer];
        settle(evaluator, buffer, base[buffer]);
    }
}

uint64_t evaluate_swapped(struct evaluator *evaluator, const struct evaluate_swap *swap,
                          uint64_t limit_bytes, uint64_t *offset)
{
    const uint32_t *order = swap->order;
    const uint64_t *base = swap->base;
    assert(swap->first < swap->second && swap->second < evaluator->movables);
    for (uint32_t i = 0; i < swap->first; i++)
        offset[order[i]] = base[order[i]];
    uint64_t peak = place_kept(evaluator, order, swap->first, offset);
    evaluator->evaluations++;
    mark_swapped(evaluator, order[swap->first]);
    mark_swapped(evaluator, order[swap->second]);
    for (uint32_t i = swap->first; peak <= limit_bytes && i < evaluator->movables; i++) {
        if (time_is_up(evaluator, order[i]))
            return EVALUATE_ABOVE;
        place_again(evaluator, order[i], base, offset);
        if (evaluator->place[order[i]].end > peak)
            peak = evaluator->place[order[i]].end;
    }
    return peak <= limit_bytes ? peak : EVALUATE_ABOVE;
}
