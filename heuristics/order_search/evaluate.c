#include "heuristics/order_search/evaluate.h"

#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "heuristics/order_search/placed_list.h"
#include "planning/problem/timeline.h"

/* About a millisecond of work. */
enum { VISITS_PER_LOOK = 1000000 };

/* Pairs of overlapping segments, counted without visiting them. */
static enum status count_pairs(const struct problem *problem, uint64_t *pairs, struct error *error)
{
    struct timeline timeline;
    uint32_t ended = 0;
    TRY(timeline_create(problem, &timeline, error));
    *pairs = 0;
    for (uint32_t i = 0; i < problem->segments; i++) {
        while (problem->upper[timeline.by_upper[ended]] <= problem->lower[timeline.by_lower[i]])
            ended++;
        *pairs += i - ended;
    }
    timeline_free(&timeline);
    return STATUS_OK;
}

static enum status create_arrays(struct evaluator *evaluator, struct error *error)
{
    const struct problem *problem = evaluator->problem;
    uint64_t most = fit_most_taken(problem, evaluator->conflicts);
    TRY(memory_create(&evaluator->movable, problem->buffers, sizeof *evaluator->movable, error));
    TRY(memory_create(&evaluator->size, problem->buffers, sizeof *evaluator->size, error));
    TRY(memory_create(&evaluator->place, problem->buffers, sizeof *evaluator->place, error));
    TRY(memory_create(&evaluator->moved, problem->buffers, sizeof *evaluator->moved, error));
    TRY(memory_create(&evaluator->near, most + 1, sizeof *evaluator->near, error));
    TRY(memory_create(&evaluator->merged, most + 1, sizeof *evaluator->merged, error));
    TRY(memory_create(&evaluator->slot, most + 1, sizeof *evaluator->slot, error));
    if (!shelf_is_worth_it(problem, evaluator->conflicts))
        return STATUS_OK;
    return shelf_create(problem, evaluator->conflicts, &evaluator->shelf, error);
}

void evaluate_put(struct evaluator *evaluator, uint32_t buffer, uint64_t offset)
{
    evaluator->place[buffer] = (struct interval){offset, offset + evaluator->size[buffer]};
}

void evaluate_take(struct evaluator *evaluator, uint32_t buffer)
{
    evaluator->place[buffer].begin = PROBLEM_FREE;
}

static void fill_arrays(struct evaluator *evaluator)
{
    const struct problem *problem = evaluator->problem;
    if (problem->buffers)
        memcpy(evaluator->size, problem->size, problem->buffers * sizeof *problem->size);
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (problem->fixed_offset[b] == PROBLEM_FREE) {
            evaluator->movable[evaluator->movables++] = b;
            evaluate_take(evaluator, b);
        }
    for (uint32_t b = 0, i = evaluator->movables; b < problem->buffers; b++)
        if (problem->fixed_offset[b] != PROBLEM_FREE) {
            evaluator->movable[i++] = b;
            evaluate_put(evaluator, b, problem->fixed_offset[b]);
        }
    evaluator->fixed_end = problem_fixed_end(problem);
}

enum status evaluate_create(const struct problem *problem, struct evaluator **created,
                            struct error *error)
{
    struct evaluator *evaluator;
    enum status status;
    uint64_t pairs;
    *created = NULL;
    TRY(count_pairs(problem, &pairs, error));
    if (pairs > EVALUATE_MOST_PAIRS)
        return STATUS_OK;
    TRY(memory_create(&evaluator, 1, sizeof *evaluator, error));
    evaluator->problem = problem;
    evaluator->deadline_ns = UINT64_MAX;
    TRY_OR_DONE(status, conflicts_create(problem, &evaluator->conflicts, error));
    TRY_OR_DONE(status, create_arrays(evaluator, error));
    fill_arrays(evaluator);
    *created = evaluator;
done:
    if (status)
        evaluate_free(evaluator);
    return status;
}

void evaluate_free(struct evaluator *evaluator)
{
    if (!evaluator)
        return;
    conflicts_free(evaluator->conflicts);
    shelf_free(evaluator->shelf);
    memory_free(evaluator->movable);
    memory_free(evaluator->size);
    memory_free(evaluator->predecessor);
    memory_free(evaluator->place);
    memory_free(evaluator->moved);
    memory_free(evaluator->near);
    memory_free(evaluator->merged);
    memory_free(evaluator->slot);
    memory_free(evaluator);
}

enum status evaluate_want_predecessors(struct evaluator *evaluator, struct error *error)
{
    uint32_t buffers = evaluator->problem->buffers;
    TRY(memory_create(&evaluator->predecessor, buffers, sizeof *evaluator->predecessor, error));
    for (uint32_t b = 0; b < buffers; b++)
        evaluator->predecessor[b] = EVALUATE_NONE;
    return STATUS_OK;
}

/* Below 2^63: problem_finish has added up all sizes with all that alignment can cost. */
static uint64_t align_up(uint64_t value, uint64_t alignment)
{
    uint64_t remainder = alignment > 1 ? value % alignment : 0;
    return remainder ? value + (alignment - remainder) : value;
}

uint64_t evaluate_lowest(const struct evaluator *evaluator, uint32_t buffer, uint64_t count)
{
    uint64_t size = evaluator->size[buffer], alignment = evaluator->problem->alignment[buffer];
    uint64_t offset = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (evaluator->near[i].begin >= offset + size)
            break;
        uint64_t end = evaluator->place[evaluator->near[i].buffer].end;
        if (end > offset)
            offset = align_up(end, alignment);
    }
    return offset;
}

static uint32_t find_predecessor(const struct evaluator *evaluator, uint64_t count, uint64_t offset)
{
    uint32_t found = EVALUATE_NONE;
    uint64_t highest = 0;
    for (uint64_t i = 0; offset && i < count; i++) {
        uint32_t other = evaluator->near[i].buffer;
        uint64_t end = evaluator->place[other].end;
        if (end <= offset && (end > highest || (end == highest && other < found))) {
            highest = end;
            found = other;
        }
    }
    return found;
}

static void settle(struct evaluator *evaluator, uint32_t buffer, uint64_t offset)
{
    evaluate_put(evaluator, buffer, offset);
    if (evaluator->shelf)
        shelf_add(evaluator->shelf, buffer, offset, evaluator->place[buffer].end);
}

static void find_on_shelf(struct evaluator *evaluator, uint32_t buffer, uint64_t *offset)
{
    offset[buffer] = shelf_lowest(evaluator->shelf, buffer, evaluator->size[buffer],
                                  evaluator->problem->alignment[buffer]);
    if (evaluator->predecessor)
        evaluator->predecessor[buffer] =
            shelf_predecessor(evaluator->shelf, buffer, offset[buffer]);
}

static void find_in_list(struct evaluator *evaluator, uint32_t buffer, uint64_t *offset)
{
    uint64_t count = evaluate_near(evaluator, buffer);
    offset[buffer] = evaluate_lowest(evaluator, buffer, count);
    if (evaluator->predecessor)
        evaluator->predecessor[buffer] = find_predecessor(evaluator, count, offset[buffer]);
}

static void place_next(struct evaluator *evaluator, uint32_t buffer, uint64_t *offset)
{
    if (evaluator->shelf)
        find_on_shelf(evaluator, buffer, offset);
    else
        find_in_list(evaluator, buffer, offset);
    settle(evaluator, buffer, offset[buffer]);
}

static void put_fixed_on_shelf(struct evaluator *evaluator)
{
    evaluator->shelf->count = 0;
    for (uint32_t i = evaluator->movables; i < evaluator->problem->buffers; i++) {
        uint32_t b = evaluator->movable[i];
        settle(evaluator, b, evaluator->place[b].begin);
    }
}

/* Their peak. */
static uint64_t place_kept(struct evaluator *evaluator, const uint32_t *order, uint32_t kept,
                           const uint64_t *offset)
{
    uint64_t peak = evaluator->fixed_end;
    if (evaluator->shelf)
        put_fixed_on_shelf(evaluator);
    for (uint32_t i = 0; i < kept; i++) {
        settle(evaluator, order[i], offset[order[i]]);
        if (evaluator->place[order[i]].end > peak)
            peak = evaluator->place[order[i]].end;
    }
    for (uint32_t i = kept; i < evaluator->movables; i++)
        evaluate_take(evaluator, order[i]);
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
    uint64_t peak = place_kept(evaluator, order, kept, offset);
    evaluator->placed = kept;
    while (peak <= limit_bytes && evaluator->placed < evaluator->movables) {
        uint32_t buffer = order[evaluator->placed];
        if (time_is_up(evaluator, buffer))
            return EVALUATE_ABOVE;
        place_next(evaluator, buffer, offset);
        evaluator->placed++;
        if (evaluator->place[buffer].end > peak)
            peak = evaluator->place[buffer].end;
    }
    return peak <= limit_bytes ? peak : EVALUATE_ABOVE;
}

/* All that conflict with a buffer must be placed anew. */
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

uint64_t evaluate_swapped(struct evaluator *evaluator, const uint32_t *order, uint32_t first,
                          uint32_t second, uint64_t limit_bytes, const uint64_t *base,
                          uint64_t *offset)
{
    for (uint32_t i = 0; i < first; i++)
        offset[order[i]] = base[order[i]];
    uint64_t peak = place_kept(evaluator, order, first, offset);
    evaluator->evaluations++;
    mark_swapped(evaluator, order[first]);
    mark_swapped(evaluator, order[second]);
    for (uint32_t i = first; peak <= limit_bytes && i < evaluator->movables; i++) {
        if (time_is_up(evaluator, order[i]))
            return EVALUATE_ABOVE;
        place_again(evaluator, order[i], base, offset);
        if (evaluator->place[order[i]].end > peak)
            peak = evaluator->place[order[i]].end;
    }
    return peak <= limit_bytes ? peak : EVALUATE_ABOVE;
}
