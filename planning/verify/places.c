#include "planning/verify/walk.h"

/* A place for the result of an If holds whatever is yielded. */
static uint64_t find_place_bytes(const struct verify_walk *walk, uint32_t tensor)
{
    uint64_t bytes = walk->graph->tensor[tensor].bytes;
    return walk->needs.bytes[tensor] > bytes ? walk->needs.bytes[tensor] : bytes;
}

enum status verify_check_places(struct verify_walk *walk)
{
    const struct placement *placement = walk->placement;
    uint32_t tensor;
    for (uint32_t t = 0; t < walk->graph->tensors && !walk->verdict->fault; t++)
        if (verify_needs_has_place(&walk->needs, t)) {
            walk->verdict->fault = verify_extents(placement->extents, t, placement->offset[t],
                                                  find_place_bytes(walk, t));
            walk->verdict->first = walk->verdict->fault ? t : 0;
        }
    if (walk->verdict->fault || !placement->extents)
        return STATUS_OK;
    TRY(verify_extents_apart(placement->extents, &tensor, walk->error));
    if (tensor < walk->graph->tensors)
        *walk->verdict = (struct verdict){.fault = VERIFY_SELF_OVERLAP, .first = tensor};
    return STATUS_OK;
}

static uint64_t find_end(const struct verify_walk *walk, uint32_t tensor)
{
    return extents_end(walk->placement->extents, tensor, walk->placement->offset[tensor],
                       find_place_bytes(walk, tensor));
}

void verify_check_peak(struct verify_walk *walk)
{
    for (uint32_t t = 0; t < walk->graph->tensors && !walk->verdict->fault; t++)
        if (verify_needs_has_place(&walk->needs, t) &&
            find_end(walk, t) > walk->placement->measures.peak_bytes)
            *walk->verdict = (struct verdict){.fault = VERIFY_WRONG_PEAK, .first = t};
}
