#include "planning/gaps.h"

#include "core/checked.h"

static inline bool fit_request(const struct gap_walk *walk, uint64_t limit, uint64_t *offset)
{
    uint64_t end;
    if (walk->alignment == 1)
        *offset = walk->begin;
    else if (!checked_align(walk->begin, walk->alignment, offset))
        return false;
    return checked_add(*offset, walk->size, &end) && end <= limit;
}

/* Takes the interval that begins lowest. Which source has it is hard to foresee, so it is chosen
   without a branch. */
static inline struct interval take_lowest(struct gap_walk *walk)
{
    struct gap_source *lowest = walk->source;
    uint64_t begin = lowest->next->begin;
    for (uint32_t s = 1; s < walk->sources; s++) {
        uint64_t other = walk->source[s].next->begin;
        lowest = other < begin ? &walk->source[s] : lowest;
        begin = other < begin ? other : begin;
    }
    struct interval taken = *lowest->next++;
    if (lowest->next == lowest->end)
        *lowest = walk->source[--walk->sources];
    return taken;
}

bool gap_walk_next(struct gap_walk *walk, struct gap *gap)
{
    while (walk->sources) {
        struct interval taken = take_lowest(walk);
        uint64_t begin = walk->begin;
        uint64_t bytes = taken.begin > begin ? taken.begin - begin : 0;
        bool found = (bytes >= walk->size) & (bytes <= walk->bytes_below - 1) &&
                     fit_request(walk, taken.begin, &gap->offset);
        walk->begin = taken.end > begin ? taken.end : begin;
        if (!found)
            continue;
        gap->begin = begin;
        gap->end = taken.begin;
        return true;
    }
    gap->begin = walk->begin;
    gap->end = UINT64_MAX;
    bool found = gap->begin != UINT64_MAX && fit_request(walk, UINT64_MAX, &gap->offset);
    walk->begin = UINT64_MAX;
    return found;
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
