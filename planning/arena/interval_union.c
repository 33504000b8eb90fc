#include "planning/arena/interval_union.h"

#include <assert.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/memory.h"

static enum status make_room(struct interval_union *set, struct error *error)
{
    size_t capacity = set->capacity;
    assert(set->count <= set->capacity);
    if (set->count < set->capacity)
        return STATUS_OK;
    TRY(memory_reserve(&set->item, &capacity, (size_t)set->count + 1, sizeof *set->item, error));
    set->capacity = (uint32_t)capacity;
    return STATUS_OK;
}

static void replace(struct interval_union *set, uint32_t from, uint32_t to, struct interval added)
{
    memmove(&set->item[from + 1], &set->item[to], (set->count - to) * sizeof *set->item);
    assert(from <= to && to <= set->count && set->count + 1 - (to - from) <= set->capacity);
    set->item[from] = added;
    set->count = set->count - (to - from) + 1;
}

enum status interval_union_add(struct interval_union *set, struct interval added, bool *changed,
                               struct error *error)
{
    /* the first that ends at its begin or later */
    uint32_t from = BINARY_SEARCH(at, 0, set->count, set->item[at].end >= added.begin), to = from;
    assert(added.begin < added.end);
    *changed = from == set->count || set->item[from].begin > added.begin ||
               set->item[from].end < added.end;
    if (!*changed)
        return STATUS_OK;
    for (; to < set->count && set->item[to].begin <= added.end; to++) {
        if (set->item[to].begin < added.begin)
            added.begin = set->item[to].begin;
        if (set->item[to].end > added.end)
            added.end = set->item[to].end;
    }
    if (to == from)
        TRY(make_room(set, error));
    replace(set, from, to, added);
    assert(from == 0 || set->item[from - 1].end < added.begin);
    assert(from + 1 == set->count || set->item[from + 1].begin > added.end);
    return STATUS_OK;
}

void interval_union_free(struct interval_union *set)
{
    memory_free(set->item);
}
