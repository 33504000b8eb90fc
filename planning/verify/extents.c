#include "planning/verify/extents.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/compare.h"
#include "core/memory.h"
#include "planning/problem/problem.h"

enum verify_fault verify_extents(const struct extents *extents, uint32_t item, uint64_t offset,
                                 uint64_t bytes)
{
    uint32_t count = extents_count(extents, item);
    uint64_t end, sum = 0;
    if (offset == PROBLEM_FREE)
        return VERIFY_NO_OFFSET;
    if (!count)
        return checked_add(offset, bytes, &end) ? VERIFY_VALID : VERIFY_OUT_OF_RANGE;
    const struct extent *extent = extents->extent + extents->of[item].first;
    assert(extents->of[item].first + count <= extents->count);
    for (uint32_t i = 0; i < count; i++) {
        if (!checked_add(extent[i].offset, extent[i].bytes, &end))
            return VERIFY_OUT_OF_RANGE;
        if (!extent[i].bytes || !checked_add(sum, extent[i].bytes, &sum))
            return VERIFY_WRONG_EXTENTS;
    }
    return sum == bytes && extent->offset == offset ? VERIFY_VALID : VERIFY_WRONG_EXTENTS;
}

COMPARE_MEMBERS(compare_offsets, struct extent, offset)

enum status verify_extents_apart(const struct extents *extents, uint32_t *item, struct error *error)
{
    SCOPED(memory_release) struct extent *sorted = NULL;
    TRY(memory_create(&sorted, extents->count, sizeof *sorted, error));
    for (*item = 0; *item < extents->items; ++*item) {
        struct extents_span of = extents->of[*item];
        assert(of.first + of.count <= extents->count);
        memcpy(sorted, extents->extent + of.first, of.count * sizeof *sorted);
        qsort(sorted, of.count, sizeof *sorted, compare_offsets);
        for (uint32_t i = 1; i < of.count; i++)
            if (sorted[i - 1].bytes > sorted[i].offset - sorted[i - 1].offset)
                return STATUS_OK;
    }
    return STATUS_OK;
}

bool verify_share_bytes(struct extents_walk a, const struct extents_walk *all_b)
{
    struct extent one, other;
    while (extents_next(&a, &one))
        for (struct extents_walk b = *all_b; extents_next(&b, &other);)
            if (one.offset < other.offset + other.bytes && other.offset < one.offset + one.bytes)
                return true;
    return false;
}
