#include "planning/plan/extents.h"

#include <assert.h>
#include <stdio.h>

#include "core/checked.h"
#include "core/memory.h"

enum status extents_add(struct extents **extents, uint32_t items, uint32_t item,
                        struct extent added, struct error *error)
{
    if (!*extents) {
        SCOPED(extents_release) struct extents *created = NULL;
        TRY(memory_create(&created, 1, sizeof *created, error));
        TRY(memory_create(&created->of, items, sizeof *created->of, error));
        created->items = items;
        *extents = created;
        created = NULL;
    }
    struct extents *to = *extents;
    TRY(memory_reserve(&to->extent, &to->capacity, (size_t)to->count + 1, sizeof *to->extent,
                       error));
    assert(item < to->items && to->items == items);
    assert(!to->of[item].count || to->of[item].first + to->of[item].count == to->count);
    if (!to->of[item].count)
        to->of[item].first = to->count;
    to->of[item].count++;
    assert(to->count < to->capacity);
    to->extent[to->count++] = added;
    return STATUS_OK;
}

void extents_free(struct extents *extents)
{
    if (!extents)
        return;
    memory_free_all(extents->of, extents->extent, extents);
}

uint32_t extents_count(const struct extents *extents, uint32_t item)
{
    assert(!extents || item < extents->items);
    return extents ? extents->of[item].count : 0;
}

uint32_t extents_split_items(const struct extents *extents)
{
    uint32_t split = 0;
    for (uint32_t i = 0; extents && i < extents->items; i++)
        split += extents->of[i].count > 0;
    assert(!extents || split <= extents->count);
    return split;
}

struct extents_walk extents_begin(const struct extents *extents, uint32_t item, uint64_t offset,
                                  uint64_t lower, uint64_t upper)
{
    assert(lower <= upper);
    struct extents_walk walk = {.whole = {offset, upper}, .lower = lower, .upper = upper};
    if (extents_count(extents, item)) {
        assert(extents->of[item].first + extents->of[item].count <= extents->count);
        walk.next = extents->extent + extents->of[item].first;
        walk.end = walk.next + extents->of[item].count;
    }
    return walk;
}

static bool take_extent(struct extents_walk *walk, struct extent *extent)
{
    assert(walk->next <= walk->end);
    if (walk->next < walk->end) {
        *extent = *walk->next++;
        return true;
    }
    *extent = walk->whole;
    walk->whole.bytes = 0;
    return !walk->end && extent->bytes > 0;
}

bool extents_next(struct extents_walk *walk, struct extent *found)
{
    struct extent extent;
    while (walk->position < walk->upper && take_extent(walk, &extent)) {
        uint64_t begin = walk->position, end;
        if (!checked_add(begin, extent.bytes, &end))
            end = UINT64_MAX;
        uint64_t from = walk->lower > begin ? walk->lower : begin;
        uint64_t to = walk->upper < end ? walk->upper : end;
        walk->position = end;
        if (from >= to)
            continue;
        assert(to - from <= extent.bytes);
        *found = (struct extent){extent.offset + (from - begin), to - from};
        return true;
    }
    return false;
}

bool extents_coincide(struct extents_walk a, struct extents_walk b)
{
    struct extent one = {0}, other = {0};
    for (;;) {
        bool one_goes_on = one.bytes || extents_next(&a, &one);
        bool other_goes_on = other.bytes || extents_next(&b, &other);
        if (!one_goes_on || !other_goes_on)
            return one_goes_on == other_goes_on;
        if (one.offset != other.offset)
            return false;
        assert(one.bytes > 0 && other.bytes > 0);
        uint64_t common = one.bytes < other.bytes ? one.bytes : other.bytes;
        one = (struct extent){one.offset + common, one.bytes - common};
        other = (struct extent){other.offset + common, other.bytes - common};
    }
}

uint64_t extents_end(const struct extents *extents, uint32_t item, uint64_t offset, uint64_t bytes)
{
    assert(bytes > 0 || !extents_count(extents, item));
    struct extents_walk walk = extents_begin(extents, item, offset, 0, bytes);
    struct extent extent;
    uint64_t end = 0;
    while (extents_next(&walk, &extent))
        if (extent.offset + extent.bytes > end)
            end = extent.offset + extent.bytes;
    return end;
}

void extents_describe(struct extents_walk walk, char *text, size_t text_bytes)
{
    enum { MOST_SHOWN = 4 };
    uint32_t shown = 0, count = walk.end ? (uint32_t)(walk.end - walk.next) : 1;
    struct extent extent;
    size_t used = 0;
    assert(text_bytes > 0 && walk.position == 0);
    while (shown < MOST_SHOWN && used < text_bytes && extents_next(&walk, &extent))
        used += (size_t)snprintf(text + used, text_bytes - used, "%s[%llu, %llu)",
                                 shown++ ? " + " : "", (unsigned long long)extent.offset,
                                 (unsigned long long)(extent.offset + extent.bytes));
    if (count > MOST_SHOWN && used < text_bytes)
        snprintf(text + used, text_bytes - used, " + %u more", count - MOST_SHOWN);
}
