#include "planning/verify/spans.h"

#include <assert.h>

#include "core/checked.h"
#include "core/sort.h"

enum status verify_spans_create(const struct verify_span *span, uint32_t count,
                                struct verify_spans *spans, struct scratch *scratch,
                                struct error *error)
{
    const struct sort_key keys[SORT_MOST_KEYS] = {{SORT_MEMBER(span, struct verify_span, lower)}};
    *spans = (struct verify_spans){.count = count, .leaves = 1};
    while (spans->leaves < count)
        spans->leaves *= 2;
    assert(spans->leaves >= count);
    TRY(scratch_take_all(scratch, count, error, &spans->span, &spans->number, &spans->rank));
    TRY(scratch_take(scratch, &spans->reach, 2 * (size_t)spans->leaves, sizeof *spans->reach,
                     error));
    TRY(sort_by_keys(keys, NULL, count, spans->number, error));
    for (uint32_t r = 0; r < count; r++) {
        spans->span[r] = span[spans->number[r]];
        spans->rank[spans->number[r]] = r;
    }
    return STATUS_OK;
}

/* Sets how far the number's leaf reaches, and changes the nodes above it up to the first one that
   reaches as far as before. */
static void set_reach(struct verify_spans *spans, uint32_t number, uint64_t reach)
{
    uint32_t node = spans->leaves + spans->rank[number];
    assert(number < spans->count && spans->number[spans->rank[number]] == number);
    while (node > 0 && spans->reach[node] != reach) {
        spans->reach[node] = reach;
        node /= 2;
        uint64_t left = spans->reach[2 * node], right = spans->reach[2 * node + 1];
        reach = left > right ? left : right;
    }
}

struct verify_span verify_spans_get(const struct verify_spans *spans, uint32_t number)
{
    assert(number < spans->count);
    return spans->span[spans->rank[number]];
}

void verify_spans_insert(struct verify_spans *spans, uint32_t number)
{
    struct verify_span span = verify_spans_get(spans, number);
    if (span.lower < span.upper)
        set_reach(spans, number, span.upper);
}

void verify_spans_remove(struct verify_spans *spans, uint32_t number)
{
    assert(number < spans->count);
    set_reach(spans, number, 0);
}

/* The first rank from `from` on whose member reaches beyond the address; `leaves` where none does.
   Where a node does not, the search goes on with the node to its right: its sibling where it is a
   left child, else the sibling of the first left child above it. */
static uint32_t find_reaching(const struct verify_spans *spans, uint32_t from, uint64_t address)
{
    assert(from < spans->count);
    uint32_t node = spans->leaves + from;
    while (spans->reach[node] <= address) {
        while (node & 1)
            node /= 2;
        if (!node)
            return spans->leaves;
        node++;
    }
    while (node < spans->leaves) {
        node *= 2;
        node += spans->reach[node] <= address;
    }
    assert(spans->reach[node] > address);
    return node - spans->leaves;
}

bool verify_spans_next(const struct verify_spans *spans, struct verify_span span, uint32_t *at,
                       uint32_t *number)
{
    if (*at >= spans->count || span.lower >= span.upper)
        return false;
    uint32_t rank = find_reaching(spans, *at, span.lower);
    if (rank >= spans->count || spans->span[rank].lower >= span.upper)
        return false;
    *number = spans->number[rank];
    *at = rank + 1;
    return true;
}

struct verify_span verify_span_around(struct extents_walk walk)
{
    struct verify_span around = {UINT64_MAX, 0};
    struct extent extent;
    while (extents_next(&walk, &extent)) {
        uint64_t end;
        if (!checked_add(extent.offset, extent.bytes, &end))
            return (struct verify_span){0, 0};
        around.lower = extent.offset < around.lower ? extent.offset : around.lower;
        around.upper = end > around.upper ? end : around.upper;
    }
    return around.upper ? around : (struct verify_span){0, 0};
}
