#include "planning/arena/interval_union.h"

#include <assert.h>
#include <string.h>

#include "core/binary_search.h"
#include "core/memory.h"

enum status interval_union_add(struct interval_union *set, struct interval added, bool *changed,
                               struct error *error)
{
    /* the first that ends at its begin or later */
    uint32_t from = BINARY_SEARCH(at, 0, set->count, set->item[at].end >= added.begin), to = from;
    assert(added.begin < added.end && set->count <= set->capacity);
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
    if (to == from && set->count == set->capacity) {
        size_t capacity = set->capacity;
        TRY(memory_reserve(&set->item, &capacity, (size_t)set->count + 1, sizeof *set->item,
                           error));
        set->capacity = (uint32_t)capacity;
    }
    /* The added interval replaces those at from .. to - 1, which it covers by now. */
    memmove(&set->item[from + 1], &set->item[to], (set->count - to) * sizeof *set->item);
    set->item[from] = added;
    set->count = set->count - (to - from) + 1;
    assert(set->count <= set->capacity);
    assert(from == 0 || set->item[from - 1].end < added.begin);
    assert(from + 1 == set->count || set->item[from + 1].begin > added.end);
    return STATUS_OK;
}

void interval_union_free(struct interval_union *set)
{
    memory_free(set->item);
}
