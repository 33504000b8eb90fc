#include "planning/family/orientation.h"

#include <assert.h>
#include <string.h>

#include "core/checked.h"
#include "core/memory.h"
#include "core/sort.h"

enum status orienter_create(const struct problem *problem, struct orienter *orienter,
                            struct error *error)
{
    SCOPED(orienter_free) struct orienter made = {.problem = problem};
    size_t pairs = (size_t)problem->segments * 2;
    assert(!problem->clocks);
    TRY(timeline_create(problem, &made.timeline, error));
    TRY(scratch_take(&made.scratch, &made.rank, problem->buffers, sizeof(uint32_t), error));
    TRY(scratch_take(&made.scratch, &made.live, problem->buffers, sizeof(uint32_t), error));
    TRY(scratch_take(&made.scratch, &made.lower, pairs, sizeof(uint32_t), error));
    TRY(scratch_take(&made.scratch, &made.higher, pairs, sizeof(uint32_t), error));
    *orienter = made;
    made = (struct orienter){0};
    return STATUS_OK;
}

void orienter_free(struct orienter *orienter)
{
    timeline_free(&orienter->timeline);
    scratch_free(&orienter->scratch);
}

enum status orientation_create(const struct problem *problem, struct orientation **created,
                               struct error *error)
{
    assert(problem->segments >= problem->buffers);
    SCOPED(orientation_release) struct orientation *made = NULL;
    TRY(memory_create(&made, 1, sizeof *made, error));
    made->buffers = problem->buffers;
    TRY(memory_create(&made->sorted, problem->buffers, sizeof(uint32_t), error));
    TRY(memory_create(&made->first, (size_t)problem->buffers + 2, sizeof(uint32_t), error));
    TRY(memory_create(&made->below, (size_t)problem->segments * 2, sizeof(uint32_t), error));
    HAND_OVER(made, created);
}

void orientation_free(struct orientation *orientation)
{
    if (!orientation)
        return;
    memory_free_all(orientation->sorted, orientation->first, orientation->below, orientation);
}

void orientation_copy(struct orientation *orientation, const struct orientation *source)
{
    uint32_t buffers = source->buffers;
    assert(orientation->buffers == buffers && orientation != source);
    memcpy(orientation->sorted, source->sorted, buffers * sizeof(uint32_t));
    memcpy(orientation->first, source->first, ((size_t)buffers + 1) * sizeof(uint32_t));
    memcpy(orientation->below, source->below, source->first[buffers] * sizeof(uint32_t));
}

/* The place of a rank among the live ones, or where it would stand. */
static uint32_t find_live(const uint32_t *live, uint32_t count, uint32_t rank)
{
    assert(rank < UINT32_MAX);
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (live[middle] < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Goes along the steps and keeps the live buffers, but for one that is left out, in order. Lists
   the neighbours of each buffer that begins to be live. Where a buffer ends, those around it are in
   order already, since it stood between them. Returns the number of pairs. */
static uint32_t list_pairs(struct orienter *orienter, const uint32_t *sorted, uint32_t left_out)
{
    const struct problem *problem = orienter->problem;
    const struct timeline *timeline = &orienter->timeline;
    uint32_t *live = orienter->live, count = 0, ended = 0, pairs = 0;
    for (uint32_t i = 0; i < problem->segments; i++) {
        uint32_t segment = timeline->by_lower[i];
        for (; problem->upper[timeline->by_upper[ended]] <= problem->lower[segment]; ended++) {
            uint32_t rank = orienter->rank[timeline->buffer[timeline->by_upper[ended]]];
            if (sorted[rank] == left_out)
                continue;
            uint32_t place = find_live(live, count, rank);
            assert(place < count && live[place] == rank);
            memmove(live + place, live + place + 1, (--count - place) * sizeof *live);
        }
        uint32_t buffer = timeline->buffer[segment];
        if (buffer == left_out)
            continue;
        uint32_t place = find_live(live, count, orienter->rank[buffer]);
        assert(count < problem->buffers && pairs + 2 <= 2 * problem->segments);
        if (place > 0) {
            orienter->lower[pairs] = sorted[live[place - 1]];
            orienter->higher[pairs++] = buffer;
        }
        if (place < count) {
            orienter->lower[pairs] = buffer;
            orienter->higher[pairs++] = sorted[live[place]];
        }
        memmove(live + place + 1, live + place, (count++ - place) * sizeof *live);
        live[place] = orienter->rank[buffer];
    }
    return pairs;
}

void orienter_orient(struct orienter *orienter, const uint32_t *sorted,
                     struct orientation *orientation)
{
    orienter_orient_without(orienter, sorted, UINT32_MAX, orientation);
}

void orienter_orient_without(struct orienter *orienter, const uint32_t *sorted, uint32_t left_out,
                             struct orientation *orientation)
{
    uint32_t buffers = orienter->problem->buffers, *first = orientation->first;
    assert(orientation->buffers == buffers);
    for (uint32_t i = 0; i < buffers; i++)
        orienter->rank[sorted[i]] = i;
    if (sorted != orientation->sorted)
        memcpy(orientation->sorted, sorted, buffers * sizeof *sorted);
    uint32_t pairs = list_pairs(orienter, orientation->sorted, left_out);
    memset(first, 0, ((size_t)buffers + 2) * sizeof *first);
    for (uint32_t p = 0; p < pairs; p++)
        first[orienter->higher[p] + 2]++;
    for (uint32_t b = 0; b < buffers; b++)
        first[b + 2] += first[b + 1];
    for (uint32_t p = 0; p < pairs; p++) {
        assert(orienter->rank[orienter->lower[p]] < orienter->rank[orienter->higher[p]]);
        orientation->below[first[orienter->higher[p] + 1]++] = orienter->lower[p];
    }
    assert(first[buffers] == pairs);
}

enum status orienter_orient_by_offsets(struct orienter *orienter, const uint64_t *offset,
                                       struct orientation *orientation, struct error *error)
{
    SCOPED(memory_release) uint64_t *key = NULL;
    uint32_t buffers = orienter->problem->buffers;
    assert(orientation->buffers == buffers);
    TRY(memory_create(&key, buffers, sizeof *key, error));
    for (uint32_t b = 0; b < buffers; b++) {
        key[b] = offset[b];
        orientation->sorted[b] = b;
    }
    TRY(sort_items(key, orientation->sorted, buffers, error));
    orienter_orient(orienter, orientation->sorted, orientation);
    return STATUS_OK;
}

enum status orientation_sort(struct orientation *orientation, struct error *error)
{
    /* Each buffer follows what it waits for: a path down from it that is not sorted yet. */
    enum { NEW, ON_PATH, SORTED };
    SCOPED(memory_release) uint32_t *path = NULL;
    SCOPED(memory_release) uint32_t *next = NULL; /* [buffers] the entry to be looked at */
    uint32_t buffers = orientation->buffers, sorted = 0;
    SCOPED(memory_release) uint8_t *state = NULL;
    TRY(memory_create(&path, buffers, sizeof *path, error));
    TRY(memory_create(&next, buffers, sizeof *next, error));
    TRY(memory_create(&state, buffers, sizeof *state, error));
    for (uint32_t start = 0; start < buffers; start++) {
        uint32_t length = state[start] == NEW;
        path[0] = start;
        next[start] = orientation->first[start];
        state[start] = length ? ON_PATH : SORTED;
        while (length) {
            uint32_t b = path[length - 1];
            if (next[b] == orientation->first[b + 1]) {
                state[b] = SORTED;
                orientation->sorted[sorted++] = b;
                length--;
                continue;
            }
            uint32_t below = orientation->below[next[b]++];
            assert(below < buffers && state[below] != ON_PATH);
            if (state[below] == SORTED)
                continue;
            state[below] = ON_PATH;
            next[below] = orientation->first[below];
            path[length++] = below;
        }
    }
    assert(sorted == buffers);
    return STATUS_OK;
}

bool orientation_place(const struct orientation *orientation, const struct problem *problem,
                       const uint64_t *size, uint64_t *offset, uint64_t *peak_bytes)
{
    uint64_t peak = 0;
    assert(orientation->buffers == problem->buffers);
    for (uint32_t i = 0; i < orientation->buffers; i++) {
        uint32_t b = orientation->sorted[i];
        uint64_t begin = 0, end;
        for (uint32_t e = orientation->first[b]; e < orientation->first[b + 1]; e++) {
            uint32_t below = orientation->below[e];
            assert(below != b && below < orientation->buffers);
            uint64_t top = offset[below] + size[below];
            begin = top > begin ? top : begin;
        }
        if (!checked_align(begin, problem_alignment(problem, b), &begin) ||
            !checked_add(begin, size[b], &end) || end > INT64_MAX)
            return false;
        offset[b] = begin;
        peak = end > peak ? end : peak;
    }
    *peak_bytes = peak;
    return true;
}
