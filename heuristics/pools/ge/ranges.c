#include "heuristics/pools/ge/ranges.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/compare.h"

static const uint64_t align_bytes = 512, large_bytes = 8 << 20;
enum { LARGE_COUNT = 2 };

struct range {
    /* The first size that was put into the range, and the largest; GE looks at the first. */
    uint64_t first, most;
    uint32_t count;
};

static uint32_t count_ranges(uint64_t least, uint64_t most)
{
    uint32_t ranges = 0;
    if (most > align_bytes)
        least = align_bytes;
    while (ranges + 1 < GE_RANGES_MOST && (most >> ranges) >= least &&
           ((most >> ranges) > least || (most & ((UINT64_C(1) << ranges) - 1))))
        ranges++;
    return ranges ? ranges : 1;
}

/* Distributes the sizes to ranges, from the largest down. Each range's lower end is half of that of
   the range above it; sizes below the lowest go into none. */
static void part_sizes(const uint64_t *sorted, uint32_t count, struct range *range, uint32_t ranges)
{
    uint64_t ceiling = sorted[count - 1];
    uint64_t margin = ceiling > align_bytes ? align_bytes : 0;
    for (uint32_t i = ranges - 1; i > 0 && ceiling > 0; i--) {
        ceiling /= 2;
        for (; count > 0 && sorted[count - 1] > ceiling + margin; count--) {
            if (!range[i].count++)
                range[i].first = range[i].most = sorted[count - 1];
        }
    }
}

static bool is_too_small(const struct range *range, uint32_t least)
{
    return range->count < least && !(range->first >= large_bytes && range->count >= LARGE_COUNT);
}

/* Adds a range's sizes to another range. `first` stays that of the range that is joined, unless it
   is empty. */
static void join_ranges(const struct range *from, struct range *to)
{
    if (!to->count)
        to->first = from->first;
    to->count += from->count;
    if (to->most < from->most)
        to->most = from->most;
}

/* In one pass from the smallest range up, merges each range that is too small into the next; true
   where the number of ranges changed. */
static bool merge_pass(struct range *range, uint32_t *ranges, uint32_t least)
{
    struct range joining = {0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *ranges; i++) {
        struct range now = range[i];
        join_ranges(&joining, &now);
        joining = (struct range){0};
        if (now.count && i + 1 < *ranges && is_too_small(&now, least))
            joining = now;
        else if (now.count)
            range[kept++] = now;
    }
    bool changed = kept < *ranges;
    *ranges = kept;
    return changed;
}

enum status ge_ranges(const uint64_t *size, uint32_t count, uint64_t ceilings[GE_RANGES_MOST],
                      uint32_t *ranges, struct scratch *scratch, struct error *error)
{
    struct range range[GE_RANGES_MOST] = {{0}};
    uint64_t *sorted;
    TRY(scratch_take(scratch, &sorted, count, sizeof *sorted, error));
    memcpy(sorted, size, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_number_items);
    *ranges = count_ranges(sorted[0], sorted[count - 1]);
    uint32_t least = count / *ranges;
    part_sizes(sorted, count, range, *ranges);
    while (merge_pass(range, ranges, least))
        ;
    assert(*ranges < GE_RANGES_MOST);
    for (uint32_t i = 0; i < *ranges; i++)
        ceilings[i] = range[i].most;
    qsort(ceilings, *ranges, sizeof *ceilings, compare_number_items);
    return STATUS_OK;
}

uint64_t ge_ranges_round(const uint64_t *ceilings, uint32_t ranges, uint64_t size)
{
    for (uint32_t i = 0; i < ranges; i++)
        if (ceilings[i] >= size)
            return ceilings[i];
    return size;
}
