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

/* In one pass from the smallest range up, merges each range that is too small into the next; true
   where the number of ranges changed. */
static bool merge_pass(struct range *range, uint32_t *ranges, uint32_t least)
{
    struct range joining = {0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *ranges; i++) {
        struct range now = range[i];
        now.first = now.count ? now.first : joining.first;
        now.count += joining.count;
        now.most = now.most < joining.most ? joining.most : now.most;
        joining = (struct range){0};
        bool enough = now.count >= least || (now.first >= large_bytes && now.count >= LARGE_COUNT);
        if (now.count && i + 1 < *ranges && !enough)
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
    assert(count > 0);
    TRY(scratch_take(scratch, &sorted, count, sizeof *sorted, error));
    memcpy(sorted, size, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_number_items);
    *ranges = count_ranges(sorted[0], sorted[count - 1]);

    /* From the largest size down. Each range's lower end is half of that of the range above it;
       sizes below the lowest go into none. */
    uint32_t least = count / *ranges;
    uint64_t ceiling = sorted[count - 1], margin = ceiling > align_bytes ? align_bytes : 0;
    for (uint32_t i = *ranges - 1; i > 0 && ceiling > 0; i--) {
        ceiling /= 2;
        for (; count > 0 && sorted[count - 1] > ceiling + margin; count--)
            if (!range[i].count++)
                range[i].first = range[i].most = sorted[count - 1];
    }
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
