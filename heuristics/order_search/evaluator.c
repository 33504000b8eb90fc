#include "heuristics/order_search/evaluator.h"

#include <assert.h>
#include <string.h>

#include "core/checked.h"
#include "planning/problem/conflicts.h"

static enum status create_arrays(struct evaluator *evaluator, struct scratch *scratch,
                                 struct error *error)
{
    const struct problem *problem = evaluator->problem;
    uint64_t most = fit_most_taken(problem, evaluator->conflicts);
    TRY(scratch_take(scratch, &evaluator->movable, problem->buffers, sizeof *evaluator->movable,
                     error));
    TRY(scratch_take(scratch, &evaluator->size, problem->buffers, sizeof *evaluator->size, error));
    TRY(scratch_take(scratch, &evaluator->place, problem->buffers, sizeof *evaluator->place,
                     error));
    TRY(scratch_take(scratch, &evaluator->moved, problem->buffers, sizeof *evaluator->moved,
                     error));
    TRY(scratch_take(scratch, &evaluator->near, most + 1, sizeof *evaluator->near, error));
    TRY(scratch_take(scratch, &evaluator->merged, most + 1, sizeof *evaluator->merged, error));
    TRY(scratch_take(scratch, &evaluator->slot, most + 1, sizeof *evaluator->slot, error));
    if (!placed_list_is_worth_it(problem, evaluator->conflicts))
        return STATUS_OK;
    return placed_list_create(problem, evaluator->conflicts, &evaluator->placed_list, scratch,
                              error);
}

static void fill_arrays(struct evaluator *evaluator)
{
    const struct problem *problem = evaluator->problem;
    if (problem->buffers)
        memcpy(evaluator->size, problem->size, problem->buffers * sizeof *problem->size);
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (problem_fixed_offset(problem, b) == PROBLEM_FREE) {
            evaluator->movable[evaluator->movables++] = b;
            evaluator_take(evaluator, b);
        }
    for (uint32_t b = 0, i = evaluator->movables; b < problem->buffers; b++)
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE) {
            evaluator->movable[i++] = b;
            evaluator_put(evaluator, b, problem_fixed_offset(problem, b));
        }
    evaluator->fixed_end = problem_fixed_end(problem);
}

enum status evaluator_create(const struct problem *problem, struct evaluator **created,
                             struct scratch *scratch, struct error *error)
{
    struct evaluator *evaluator;
    uint64_t pairs;
    *created = NULL;
    TRY(conflicts_count_pairs(problem, &pairs, error));
    if (pairs > EVALUATOR_MOST_PAIRS)
        return STATUS_OK;
    TRY(scratch_take(scratch, &evaluator, 1, sizeof *evaluator, error));
    evaluator->problem = problem;
    evaluator->deadline_ns = UINT64_MAX;
    TRY(conflicts_create(problem, &evaluator->conflicts, error));
    enum status status = create_arrays(evaluator, scratch, error);
    if (status) {
        conflicts_free(evaluator->conflicts);
        return status;
    }
    fill_arrays(evaluator);
    *created = evaluator;
    return STATUS_OK;
}

void evaluator_free(struct evaluator *evaluator)
{
    if (evaluator)
        conflicts_free(evaluator->conflicts);
}

enum status evaluator_want_predecessors(struct evaluator *evaluator, struct scratch *scratch,
                                        struct error *error)
{
    uint32_t buffers = evaluator->problem->buffers;
    TRY(scratch_take(scratch, &evaluator->predecessor, buffers, sizeof *evaluator->predecessor,
                     error));
    for (uint32_t b = 0; b < buffers; b++)
        evaluator->predecessor[b] = EVALUATOR_NONE;
    return STATUS_OK;
}

/* The offset is below 2^63, since problem_finish has checked the sum of all sizes with the most
   that alignment can add. */
uint64_t evaluator_lowest(const struct evaluator *evaluator, uint32_t buffer, uint64_t count)
{
    uint64_t size = evaluator->size[buffer],
             alignment = problem_alignment(evaluator->problem, buffer);
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

uint32_t evaluator_predecessor(const struct evaluator *evaluator, uint64_t count, uint64_t offset)
{
    uint32_t found = EVALUATOR_NONE;
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

/* Lists of at most this length are sorted by insertion, which is then faster than merging runs. */
enum { FEW = 32 };

/* Collects in evaluator->near those of a buffer's conflicts that are placed, and in evaluator->slot
   where each stands in the list of conflicts. *sorted says whether they are already in the order of
   their offsets. */
static uint64_t collect_near(struct evaluator *evaluator, uint32_t buffer, bool *sorted)
{
    const struct conflicts *conflicts = evaluator->conflicts;
    struct near *near = evaluator->near;
    assert(buffer < evaluator->problem->buffers);
    uint64_t count = 0, last = 0;
    *sorted = true;
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++) {
        uint32_t other = conflicts->other[i];
        uint64_t begin = evaluator->place[other].begin;
        near[count] = (struct near){begin, other};
        evaluator->slot[count] = i;
        bool placed = begin != PROBLEM_FREE;
        *sorted &= !placed | (begin >= last);
        last = placed ? begin : last;
        count += placed;
    }
    return count;
}

static void sort_by_insertion(struct near *near, uint64_t count)
{
    for (uint64_t i = 1; i < count; i++) {
        struct near moved = near[i];
        uint64_t hole = i;
        for (; hole > 0 && near[hole - 1].begin > moved.begin; hole--)
            near[hole] = near[hole - 1];
        near[hole] = moved;
    }
}

static uint64_t find_run_end(const struct near *near, uint64_t start, uint64_t count)
{
    uint64_t end = start + 1;
    while (end < count && near[end - 1].begin <= near[end].begin)
        end++;
    return end < count ? end : count;
}

/* Merges every two neighbouring ascending runs into one and returns the number of runs that are
   left. */
static uint64_t merge_runs(const struct near *from, struct near *to, uint64_t count)
{
    uint64_t runs = 0;
    for (uint64_t start = 0, end; start < count; start = end, runs++) {
        uint64_t middle = find_run_end(from, start, count);
        end = middle < count ? find_run_end(from, middle, count) : count;
        uint64_t a = start, b = middle;
        for (uint64_t k = start; k < end; k++)
            to[k] =
                b >= end || (a < middle && from[a].begin <= from[b].begin) ? from[a++] : from[b++];
    }
    return runs;
}

static void sort_near(struct evaluator *evaluator, uint64_t count)
{
    if (count <= FEW) {
        sort_by_insertion(evaluator->near, count);
        return;
    }
    uint64_t runs;
    do {
        runs = merge_runs(evaluator->near, evaluator->merged, count);
        struct near *sorted = evaluator->merged;
        evaluator->merged = evaluator->near;
        evaluator->near = sorted;
    } while (runs > 1);
}

/* The sorted buffers are written back into the list of conflicts. Since orders that are evaluated
   one after another place most buffers alike, the list is nearly sorted the next time. */
uint64_t evaluator_near(struct evaluator *evaluator, uint32_t buffer)
{
    bool sorted;
    uint64_t count = collect_near(evaluator, buffer, &sorted);
    if (sorted)
        return count;
    sort_near(evaluator, count);
    for (uint64_t i = 0; i < count; i++)
        evaluator->conflicts->other[evaluator->slot[i]] = evaluator->near[i].buffer;
    return count;
}
