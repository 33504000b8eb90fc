#include "planning/family/orientation.h"

#include <assert.h>
#include <string.h>

#include "core/checked.h"
#include "core/memory.h"
#include "core/sort.h"

enum status orienter_create(const struct problem *problem, const struct timeline *timeline,
                            struct orienter *orienter, struct error *error)
{
    SCOPED(orienter_free) struct orienter made = {.problem = problem, .timeline = timeline};
    assert(!problem->clocks);
    TRY(scratch_take_all(&made.scratch, problem->buffers, error, &made.rank, &made.live));
    TRY(scratch_take(&made.scratch, &made.link, (size_t)problem->segments * 2, sizeof(uint32_t),
                     error));
    *orienter = made;
    made = (struct orienter){0};
    return STATUS_OK;
}

void orienter_free(struct orienter *orienter)
{
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
    assert(low == count || live[low] >= rank);
    return low;
}

/* Goes along the steps, keeps the live buffers in order, and links each buffer that begins to be
   live with its neighbours. Where a buffer ends, those around it are in order already, since it
   stood between them. */
void orienter_link(struct orienter *orienter, const uint32_t *sorted)
{
    const struct problem *problem = orienter->problem;
    const struct timeline *timeline = orienter->timeline;
    uint32_t *live = orienter->live, *rank = orienter->rank, count = 0, ended = 0;
    for (uint32_t i = 0; i < problem->buffers; i++)
        rank[sorted[i]] = i;
    for (uint32_t i = 0; i < problem->segments; i++) {
        uint32_t segment = timeline->by_lower[i], *link = orienter->link + 2 * (size_t)segment;
        for (; problem->upper[timeline->by_upper[ended]] <= problem->lower[segment]; ended++) {
            uint32_t over = rank[timeline->buffer[timeline->by_upper[ended]]];
            uint32_t place = find_live(live, count, over);
            assert(place < count && live[place] == over);
            memmove(live + place, live + place + 1, (--count - place) * sizeof *live);
        }
        uint32_t own = rank[timeline->buffer[segment]], place = find_live(live, count, own);
        assert(count < problem->buffers);
        link[0] = place > 0 ? sorted[live[place - 1]] : ORIENTER_NONE;
        link[1] = place < count ? sorted[live[place]] : ORIENTER_NONE;
        memmove(live + place + 1, live + place, (count++ - place) * sizeof *live);
        live[place] = own;
        assert((!place || live[place - 1] < own) && (place + 1 == count || own < live[place + 1]));
    }
}

void orienter_orient(struct orienter *orienter, const uint32_t *sorted,
                     struct orientation *orientation)
{
    uint32_t buffers = orienter->problem->buffers, *first = orientation->first;
    size_t links = (size_t)orienter->problem->segments * 2;
    assert(orientation->buffers == buffers);
    if (sorted != orientation->sorted)
        memcpy(orientation->sorted, sorted, buffers * sizeof *sorted);
    orienter_link(orienter, orientation->sorted);
    memset(first, 0, ((size_t)buffers + 2) * sizeof *first);
    for (size_t l = 0; l < links; l++)
        if (orienter->link[l] != ORIENTER_NONE)
            first[(l % 2 ? orienter->link[l] : orienter->timeline->buffer[l / 2]) + 2]++;
    for (uint32_t b = 0; b < buffers; b++)
        first[b + 2] += first[b + 1];
    for (size_t i = 0; i < links; i++) {
        uint32_t segment = orienter->timeline->by_lower[i / 2];
        uint32_t own = orienter->timeline->buffer[segment],
                 other = orienter->link[2 * (size_t)segment + i % 2];
        if (other != ORIENTER_NONE)
            orientation->below[first[(i % 2 ? other : own) + 1]++] = i % 2 ? own : other;
    }
    assert(first[buffers] == first[buffers + 1]);
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
    TRY(memory_create_all(buffers, error, &path, &next, &state));
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
