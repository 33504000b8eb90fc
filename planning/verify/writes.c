#include "planning/verify/writes.h"

#include <assert.h>

#include "planning/verify/extents.h"

struct extents_walk verify_begin(const struct verify_walk *walk, uint32_t tensor, uint64_t bytes)
{
    return placement_begin(walk->placement, tensor, bytes);
}

void verify_report(struct verify_walk *walk, uint32_t a, uint32_t b, uint32_t step)
{
    assert(a < walk->graph->tensors && b < walk->graph->tensors);
    if (!walk->verdict->fault)
        *walk->verdict = verify_overlap(a, b, step);
}

enum status verify_find_overwrites(struct verify_walk *walk)
{
    const struct placement *placement = walk->placement;
    TRY(scratch_take(&walk->needs.scratch, &walk->overwrites, walk->graph->tensors,
                     sizeof(uint32_t), walk->error));
    for (uint32_t t = 0; t < walk->graph->tensors; t++) {
        bool writes_over =
            placement->overwrites[t] < walk->graph->tensors && !placement->is_view[t];
        walk->overwrites[t] = writes_over ? placement->overwrites[t] : GRAPH_NONE;
    }
    return STATUS_OK;
}

uint32_t verify_find_overwritable(const struct verify_walk *walk, uint32_t tensor, uint32_t reads)
{
    const struct verify_needs *needs = &walk->needs;
    assert(tensor < walk->graph->tensors);
    uint32_t other = walk->overwrites[tensor];
    if (other == GRAPH_NONE || !placement_starts_on(walk->placement, walk->graph, tensor, other))
        return GRAPH_NONE;
    uint32_t place = needs->place[other] == VERIFY_PLACE_VIEWED ? needs->link[other] : other;
    assert(needs->place[place] != VERIFY_PLACE_VIEWED);
    return verify_needs_has_place(needs, place) && needs->claims[place] == reads ? place
                                                                                 : GRAPH_NONE;
}

void verify_check_written(struct verify_walk *walk, uint32_t tensor, uint32_t overwritable,
                          uint32_t step)
{
    const struct verify_needs *needs = &walk->needs;
    if (needs->place[tensor] != VERIFY_PLACE_OWN || walk->verdict->fault)
        return;
    const struct extents_walk written = verify_begin(walk, tensor, needs->bytes[tensor]);
    const struct verify_span span = verify_spans_get(&needs->occupied, tensor);
    for (uint32_t at = 0, other; verify_spans_next(&needs->occupied, span, &at, &other);) {
        if (other == tensor || other == overwritable ||
            !verify_share_bytes(verify_begin(walk, other, needs->bytes[other]), &written))
            continue;
        verify_report(walk, tensor, other, step);
        return;
    }
}
