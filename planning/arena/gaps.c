#include "planning/arena/gaps.h"

#include <assert.h>
#include <stddef.h>

#include "core/binary_search.h"
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

/* Returns the last of these disjoint intervals that ends at `begin` or below it, as the first one
   does, or an interval a little before that. Steps that double, then halve, skip many intervals at
   once. */
static const struct interval *skip_ended(const struct interval *next, const struct interval *end,
                                         uint64_t begin)
{
    assert(next < end);
    for (size_t step = 1; step;) {
        bool ended = step < (size_t)(end - next) && next[step].end <= begin;
        next += ended ? step : 0;
        step = ended ? 2 * step : step / 2;
    }
    return next;
}

/* Moves walk->begin above all intervals of the source that are in the way: between them no gap has
   the least wanted size. Returns whether the source moved on. */
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

/* Moves walk->begin until nothing is in the way in any source. To advance in one source as far as
   possible takes fewer branches that are hard to predict than to merge all; and sources in which
   something was in the way move to the front, since in a dense plan a few of many sources have
   nearly all that is taken. */
static void pass_plain(struct gap_walk *walk)
{
    for (uint32_t s = 0; s < walk->sources;) {
        if (!pass_source(walk, &walk->source[s])) {
            s++;
            continue;
        }
        const struct gap_source moved = walk->source[s];
        walk->source[s] = walk->source[s / 2];
        walk->source[s / 2] = moved;
        s = 0;
    }
}

/* The first interval of the source that begins so high that it may end above `begin`, since none is
   longer than most_bytes. */
static const struct timed_interval *skip_below(const struct timed_source *source, uint64_t begin)
{
    const struct timed_interval *next = source->next;
    size_t left = (size_t)(source->end - next), low = 0, high = 1;
    uint64_t below = begin - source->most_bytes;
    if (!left || begin < source->most_bytes || next->begin > below)
        return next;
    for (; high < left && next[high].begin <= below; high *= 2)
        low = high;
    return next + BINARY_SEARCH(at, low + 1, high < left ? high : left, next[at].begin > below);
}

static inline bool is_taken(const struct timed_source *source, const struct timed_interval *taken)
{
    return (taken->lower < source->upper) & (taken->upper > source->lower);
}

/* As pass_source, for a source in which only intervals that are taken at some of the right steps
   count. Which intervals do is hard to predict, so the loop has no branch for it. */
static bool pass_timed(struct gap_walk *walk, struct timed_source *source)
{
    uint64_t begin = walk->begin;
    uint64_t least = walk->bytes_above < walk->size ? walk->size : walk->bytes_above + 1;
    const struct timed_interval *next = skip_below(source, begin);
    while (next < source->end && next->begin < sum_or_most(begin, least)) {
        uint64_t end = is_taken(source, next) ? next->end : 0;
        begin = end > begin ? end : begin;
        next++;
    }
    assert(next >= source->next && begin >= walk->begin);
    bool moved = begin != walk->begin;
    source->next = next;
    walk->begin = begin;
    return moved;
}

/* Sources of intervals at certain steps are looked at last, where the others leave a gap: they have
   many more intervals, most of which lie below. */
static void pass_sources(struct gap_walk *walk)
{
    bool moved;
    do {
        moved = false;
        pass_plain(walk);
        for (uint32_t t = 0; t < walk->timed_sources && !moved; t++)
            moved = pass_timed(walk, &walk->timed[t]);
    } while (moved);
}

static uint64_t find_gap_end(const struct gap_walk *walk)
{
    uint64_t end = UINT64_MAX;
    for (uint32_t s = 0; s < walk->sources; s++)
        if (walk->source[s].next < walk->source[s].end && walk->source[s].next->begin < end)
            end = walk->source[s].next->begin;
    for (uint32_t t = 0; t < walk->timed_sources; t++) {
        struct timed_source *source = &walk->timed[t];
        while (source->next < source->end && !is_taken(source, source->next))
            source->next++;
        if (source->next < source->end && source->next->begin < end)
            end = source->next->begin;
    }
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
    for (uint32_t t = 0; t < walk->timed_sources; t++)
        for (const struct timed_interval *taken = walk->timed[t].next; taken < walk->timed[t].end;
             taken++)
            if (is_taken(&walk->timed[t], taken) && taken->end > walk->begin)
                walk->begin = taken->end;
    walk->sources = walk->timed_sources = 0;
    assert(walk->size > 0);
    return gap_walk_next(walk, gap);
}
