#include "heuristics/order_search/evaluator.h"

#include <assert.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/checked.h"
#include "core/clock.h"

/* The clock is read once for this number of visited conflicts, which take about a millisecond. Rows
   of conflicts are made for up to ROWS_BUFFERS buffers of which one pair in ROWS_SHARE conflicts.
   Lists of at most INSERTED conflicts are sorted by insertion, which is then faster than
   merging. */
enum { VISITS_PER_LOOK = 1000000, ROWS_BUFFERS = 4096, ROWS_SHARE = 8, INSERTED = 32 };

static enum status create_rows(struct evaluator *evaluator, struct scratch *scratch,
                               struct error *error)
{
    const struct conflicts *conflicts = evaluator->conflicts;
    uint32_t buffers = evaluator->problem->buffers, words = (buffers + 63) / 64;
    evaluator->words = words;
    TRY(scratch_take(scratch, &evaluator->row, (size_t)buffers * words, sizeof(uint64_t), error));
    TRY(scratch_take(scratch, &evaluator->item, buffers, sizeof *evaluator->item, error));
    for (uint32_t b = 0; b < buffers; b++)
        for (uint64_t i = conflicts->first[b]; i < conflicts->first[b + 1]; i++) {
            uint32_t other = conflicts->other[i];
            evaluator->row[(size_t)b * words + other / 64] |= (uint64_t)1 << other % 64;
        }
    return STATUS_OK;
}

enum status evaluator_create(const struct problem *problem, struct evaluator **created,
                             struct scratch *scratch, struct error *error)
{
    struct evaluator *made;
    uint64_t pairs, buffers = problem->buffers;
    *created = NULL;
    TRY(conflicts_count_pairs(problem, &pairs, error));
    if (pairs > EVALUATOR_MOST_PAIRS)
        return STATUS_OK;
    TRY(scratch_take(scratch, &made, 1, sizeof *made, error));
    *created = made;
    made->problem = problem;
    made->deadline_ns = UINT64_MAX;
    made->fixed_end = problem_fixed_end(problem);
    TRY(conflicts_create(problem, &made->conflicts, error));
    uint64_t most = fit_most_taken(problem, made->conflicts);
    TRY(scratch_take_all(scratch, buffers, error, &made->movable, &made->size, &made->place,
                         &made->moved));
    TRY(scratch_take_all(scratch, most + 1, error, &made->near, &made->merged, &made->slot));
    if (buffers <= ROWS_BUFFERS &&
        made->conflicts->first[buffers] * ROWS_SHARE >= buffers * buffers)
        TRY(create_rows(made, scratch, error));
    for (uint32_t b = 0; b < buffers; b++)
        if (problem_fixed_offset(problem, b) == PROBLEM_FREE)
            made->movable[made->movables++] = b;
    for (uint32_t b = 0, fixed = made->movables; b < buffers; b++) {
        made->size[b] = problem->size[b];
        evaluator_put(made, b, problem_fixed_offset(problem, b));
        if (made->place[b].begin != PROBLEM_FREE)
            made->movable[fixed++] = b;
    }
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

static uint64_t find_run_end(const struct near *near, uint64_t start, uint64_t count)
{
    uint64_t end = start + 1;
    while (end < count && near[end - 1].begin <= near[end].begin)
        end++;
    return end < count ? end : count;
}

static void sort_near(struct evaluator *evaluator, uint64_t count)
{
    struct near *near = evaluator->near, *merged = evaluator->merged;
    if (count <= INSERTED) {
        for (uint64_t i = 1; i < count; i++) {
            struct near moved = near[i];
            uint64_t hole = i;
            for (; hole > 0 && near[hole - 1].begin > moved.begin; hole--)
                near[hole] = near[hole - 1];
            near[hole] = moved;
        }
        return;
    }

    /* Every two neighbouring ascending runs are merged into one until one is left. */
    for (uint64_t runs = 2; runs > 1;) {
        runs = 0;
        for (uint64_t start = 0, end; start < count; start = end, runs++) {
            uint64_t middle = find_run_end(near, start, count);
            end = middle < count ? find_run_end(near, middle, count) : count;
            for (uint64_t k = start, a = start, b = middle; k < end; k++) {
                bool first = b >= end || (a < middle && near[a].begin <= near[b].begin);
                merged[k] = first ? near[a++] : near[b++];
            }
        }
        struct near *sorted = merged;
        merged = near;
        near = sorted;
    }
    evaluator->near = near;
    evaluator->merged = merged;
}

/* The sorted buffers are written back into the list of conflicts. Since orders that are evaluated
   one after another place most buffers alike, the list is nearly sorted the next time. */
uint64_t evaluator_near(struct evaluator *evaluator, uint32_t buffer)
{
    const struct conflicts *conflicts = evaluator->conflicts;
    struct near *near = evaluator->near;
    assert(buffer < evaluator->problem->buffers);
    uint64_t count = 0, last = 0;
    bool sorted = true;
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++) {
        uint32_t other = conflicts->other[i];
        uint64_t begin = evaluator->place[other].begin;
        near[count] = (struct near){begin, other};
        evaluator->slot[count] = i;
        bool placed = begin != PROBLEM_FREE;
        sorted &= !placed | (begin >= last);
        last = placed ? begin : last;
        count += placed;
    }
    if (sorted)
        return count;
    sort_near(evaluator, count);
    for (uint64_t i = 0; i < count; i++)
        evaluator->conflicts->other[evaluator->slot[i]] = evaluator->near[i].buffer;
    return count;
}

/* The offset is below 2^63, since problem_finish has checked the sum of all sizes with the most
   that alignment can add. */
uint64_t evaluator_lowest(const struct evaluator *evaluator, uint32_t buffer, uint64_t count)
{
    uint64_t size = evaluator->size[buffer];
    uint64_t alignment = problem_alignment(evaluator->problem, buffer), offset = 0;
    for (uint64_t i = 0; i < count; i++) {
        assert(i == 0 || evaluator->near[i - 1].begin <= evaluator->near[i].begin);
        if (evaluator->near[i].begin >= offset + size)
            break;
        uint64_t end = evaluator->place[evaluator->near[i].buffer].end;
        if (end > offset)
            offset = align_up(end, alignment);
    }
    return offset;
}

static bool row_has(const uint64_t *row, uint32_t other)
{
    return row[other / 64] >> other % 64 & 1;
}

/* The lowest offset free of the items that the row says conflict. Without alignment the loop has no
   branch on whether two buffers conflict, since the processor could not predict it. */
static uint64_t find_lowest_by_row(const struct evaluator *evaluator, uint32_t buffer,
                                   const uint64_t *row)
{
    const struct placed_item *item = evaluator->item, *end = item + evaluator->items;
    uint64_t size = evaluator->size[buffer], offset = 0;
    uint64_t alignment = problem_alignment(evaluator->problem, buffer);
    if (alignment == 1) {
        for (; item < end && item->begin < offset + size; item++) {
            uint64_t above = item->end > offset ? item->end : offset;
            offset = row_has(row, item->buffer) ? above : offset;
        }
        return offset;
    }
    for (; item < end && item->begin < offset + size; item++)
        if (item->end > offset && row_has(row, item->buffer))
            offset = align_up(item->end, alignment);
    return offset;
}

/* Puts a buffer at its offset, and into the list of what is placed where there is one. */
static void settle(struct evaluator *evaluator, uint32_t buffer, uint64_t offset)
{
    evaluator_put(evaluator, buffer, offset);
    if (!evaluator->row)
        return;
    assert(evaluator->items < evaluator->problem->buffers);
    struct placed_item *item = evaluator->item;
    uint32_t place = BINARY_SEARCH(at, 0, evaluator->items, item[at].begin > offset);
    memmove(item + place + 1, item + place, (evaluator->items - place) * sizeof *item);
    item[place] = (struct placed_item){offset, evaluator->place[buffer].end, buffer};
    evaluator->items++;
}

/* What a buffer at an offset rests on, of the placed buffers that the row says conflict, or of the
   `near` ones in evaluator->near where there is no row. */
static uint32_t find_predecessor(const struct evaluator *evaluator, const uint64_t *row,
                                 uint64_t near, uint64_t offset)
{
    uint64_t count = row ? evaluator->items : near, highest = 0;
    uint32_t found = EVALUATOR_NONE;
    for (uint64_t i = 0; offset && i < count; i++) {
        uint32_t other = row ? evaluator->item[i].buffer : evaluator->near[i].buffer;
        uint64_t end = evaluator->place[other].end;
        if (end <= offset && (!row || row_has(row, other)) &&
            (end > highest || (end == highest && other < found))) {
            highest = end;
            found = other;
        }
    }
    return found;
}

/* Places a buffer above what is placed already and finds what it rests on. */
static void place_next(struct evaluator *evaluator, uint32_t buffer, uint64_t *offset)
{
    const uint64_t *row = NULL;
    uint64_t near = 0;
    if (evaluator->row) {
        row = evaluator->row + (size_t)buffer * evaluator->words;
        offset[buffer] = find_lowest_by_row(evaluator, buffer, row);
    } else {
        near = evaluator_near(evaluator, buffer);
        offset[buffer] = evaluator_lowest(evaluator, buffer, near);
    }
    assert(offset[buffer] % problem_alignment(evaluator->problem, buffer) == 0);
    if (evaluator->predecessor)
        evaluator->predecessor[buffer] = find_predecessor(evaluator, row, near, offset[buffer]);
    settle(evaluator, buffer, offset[buffer]);
}

/* Places the first `kept` buffers of the order at their offsets in offset[], removes all others
   except the fixed ones, and returns the peak of what is placed. */
static uint64_t place_kept(struct evaluator *evaluator, const uint32_t *order, uint32_t kept,
                           const uint64_t *offset)
{
    uint64_t peak = evaluator->fixed_end;
    evaluator->items = 0;
    for (uint32_t i = evaluator->movables; evaluator->row && i < evaluator->problem->buffers; i++)
        settle(evaluator, evaluator->movable[i], evaluator->place[evaluator->movable[i]].begin);
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

uint64_t evaluator_place_order(struct evaluator *evaluator, const uint32_t *order, uint32_t kept,
                               uint64_t limit_bytes, uint64_t *offset)
{
    assert(kept <= evaluator->movables);
    uint64_t peak = place_kept(evaluator, order, kept, offset);
    evaluator->placed = kept;
    while (peak <= limit_bytes && evaluator->placed < evaluator->movables) {
        uint32_t buffer = order[evaluator->placed];
        if (time_is_up(evaluator, buffer))
            return EVALUATOR_ABOVE;
        assert(evaluator->place[buffer].begin == PROBLEM_FREE);
        place_next(evaluator, buffer, offset);
        evaluator->placed++;
        if (evaluator->place[buffer].end > peak)
            peak = evaluator->place[buffer].end;
    }
    return peak <= limit_bytes ? peak : EVALUATOR_ABOVE;
}

/* Marks all buffers that conflict with a buffer that has moved, since they must be placed again. */
static void mark_moved(struct evaluator *evaluator, uint32_t buffer)
{
    const struct conflicts *conflicts = evaluator->conflicts;
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++)
        evaluator->moved[conflicts->other[i]] = evaluator->evaluations;
}

uint64_t evaluator_place_swapped(struct evaluator *evaluator, const struct evaluator_swap *swap,
                                 uint64_t limit_bytes, uint64_t *offset)
{
    const uint32_t *order = swap->order, swapped[] = {order[swap->first], order[swap->second]};
    const uint64_t *base = swap->base;
    assert(swap->first < swap->second && swap->second < evaluator->movables);
    for (uint32_t i = 0; i < swap->first; i++)
        offset[order[i]] = base[order[i]];
    uint64_t peak = place_kept(evaluator, order, swap->first, offset);
    evaluator->evaluations++;
    for (int i = 0; i < 2; i++) {
        evaluator->moved[swapped[i]] = evaluator->evaluations;
        mark_moved(evaluator, swapped[i]);
    }
    for (uint32_t i = swap->first; peak <= limit_bytes && i < evaluator->movables; i++) {
        uint32_t buffer = order[i];
        if (time_is_up(evaluator, buffer))
            return EVALUATOR_ABOVE;
        if (evaluator->moved[buffer] == evaluator->evaluations) {
            place_next(evaluator, buffer, offset);
            if (offset[buffer] != base[buffer])
                mark_moved(evaluator, buffer);
        } else {
            offset[buffer] = base[buffer];
            settle(evaluator, buffer, base[buffer]);
        }
        if (evaluator->place[buffer].end > peak)
            peak = evaluator->place[buffer].end;
    }
    return peak <= limit_bytes ? peak : EVALUATOR_ABOVE;
}
