#include "planning/arena/gaps.h"

#include <assert.h>
#include <stddef.h>

#include "core/checked.h"

static inline uint64_t sum_or_most(uint64_t a, uint64_t b)
{
    uint64_t sum = a + b;
    return sum < a ? UINT64_MAX : sum;
}

static bool fit_request(const struct gap_walk *walk, struct gap *gap)
{
    uint64_t end;
    gap->offset = gap->begin;
    if (walk->alignment != 1 && !checked_align(gap->begin, walk->alignment, &gap->offset))
        return false;
    return checked_add(gap->offset, walk->size, &end) && end <= gap->end;
}

/* The last of them that ends no higher, if any does, or one before it. */
static const struct interval *skip_ended(const struct interval *next, const struct interval *end,
                                         uint64_t begin)
{
    for (size_t step = 1; step;) {
        bool ended = step < (size_t)(end - next) && next[step].end <= begin;
        next += ended ? step : 0;
        step = ended ? 2 * step : step / 2;
    }
    return next;
}

/* Moves walk->begin above what is in the way in one source. */
static inline bool pass_source(struct gap_walk *walk, struct gap_source *source)
{
    const struct interval *next = source->next;
    assert(next <= source->end);
    uint64_t begin = walk->begin;
    uint64_t least = walk->bytes_above < walk->size ? walk->size : walk->bytes_above + 1;
    if (source->is_disjoint && next < source->end && next->end <= begin)
        next = skip_ended(next, source->end, begin);
    while (next < source->end && next->begin < sum_or_most(begin, least)) {
        begin = next->end > begin ? next->end : begin;
        next++;
    }
    assert(begin >= walk->begin);
    bool moved = next != source->next;
    source->next = next;
    walk->begin = begin;
    return moved;
}

/* Source after source, until nothing is in the way in any: runs of intervals of one source have
   fewer turns that are hard to foresee than a merge. */
static void pass_sources(struct gap_walk *walk)
{
    uint32_t source = 0;
    for (uint32_t clear = 0; clear < walk->sources;) {
        clear = pass_source(walk, &walk->source[source]) ? 1 : clear + 1;
        source = source + 1 < walk->sources ? source + 1 : 0;
    }
}

static uint64_t find_gap_end(const struct gap_walk *walk)
{
    uint64_t end = UINT64_MAX;
    for (uint32_t s = 0; s < walk->sources; s++)
        if (walk->source[s].next < walk->source[s].end && walk->source[s].next->begin < end)
            end = walk->source[s].next->begin;
    return end;
}

bool gap_walk_next(struct gap_walk *walk, struct gap *gap)
{
    assert(walk->size > 0 && walk->alignment > 0);
    while (walk->begin != UINT64_MAX && walk->bytes_below - 1 >= walk->size) {
        pass_sources(walk);
        gap->begin = walk->begin;
        gap->end = walk->begin = find_gap_end(walk);
        assert(gap->begin <= gap->end);
        bool wanted = gap->end == UINT64_MAX || gap->end - gap->begin <= walk->bytes_below - 1;
        if (wanted && fit_request(walk, gap)) {
            assert(gap->offset >= gap->begin && gap->offset % walk->alignment == 0);
            return true;
        }
    }
    return false;
}

bool gap_walk_top(struct gap_walk *walk, struct gap *gap)
{
    for (uint32_t s = 0; s < walk->sources; s++)
        for (const struct interval *taken = walk->source[s].next; taken < walk->source[s].end;
             taken++)
            walk->begin = taken->end > walk->begin ? taken->end : walk->begin;
    walk->sources = 0;
    return gap_walk_next(walk, gap);
}
