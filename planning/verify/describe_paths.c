#include <stdio.h>

#include "planning/verify/paths.h"

enum { PLACE_BYTES = 256 };

static void describe_place(const struct graph *graph, const struct placement *placement,
                           uint32_t tensor, char text[PLACE_BYTES])
{
    extents_describe(placement->extents, tensor, placement->offset[tensor],
                     graph->tensor[tensor].bytes, text, PLACE_BYTES);
}

static void describe_overlap(const struct graph *graph, const struct placement *placement,
                             const struct verdict *verdict, char *text, size_t text_bytes)
{
    char first[PLACE_BYTES], second[PLACE_BYTES];
    describe_place(graph, placement, verdict->first, first);
    describe_place(graph, placement, verdict->second, second);
    snprintf(text, text_bytes,
             "tensors '%s' at %s and '%s' at %s share bytes, and at step %u one is written while "
             "the other is needed",
             names_get(&graph->tensor_names, verdict->first), first,
             names_get(&graph->tensor_names, verdict->second), second, verdict->step);
}

static void describe_tensor(const struct graph *graph, const struct placement *placement,
                            const struct verdict *verdict, char *text, size_t text_bytes)
{
    const char *name = names_get(&graph->tensor_names, verdict->first);
    unsigned long long bytes = graph->tensor[verdict->first].bytes;
    char place[PLACE_BYTES];
    describe_place(graph, placement, verdict->first, place);
    if (verdict->fault == VERIFY_NO_OFFSET)
        snprintf(text, text_bytes, "tensor '%s' has no offset", name);
    else if (verdict->fault == VERIFY_OUT_OF_RANGE)
        snprintf(text, text_bytes, "tensor '%s' of %llu bytes at %llu ends beyond 2^64 bytes", name,
                 bytes, (unsigned long long)placement->offset[verdict->first]);
    else if (verdict->fault == VERIFY_WRONG_EXTENTS)
        snprintf(text, text_bytes,
                 "the extents of tensor '%s' at %s do not add up to its %llu bytes, from its "
                 "offset on",
                 name, place, bytes);
    else if (verdict->fault == VERIFY_SELF_OVERLAP)
        snprintf(text, text_bytes, "extents of tensor '%s' at %s share bytes", name, place);
    else
        snprintf(text, text_bytes, "tensor '%s' ends at %llu, expected at most the peak %llu", name,
                 (unsigned long long)extents_end(placement->extents, verdict->first,
                                                 placement->offset[verdict->first], bytes),
                 (unsigned long long)placement->measures.peak_bytes);
}

void verify_paths_describe(const struct graph *graph, const struct placement *placement,
                           const struct verdict *verdict, char *text, size_t text_bytes)
{
    if (verdict->fault == VERIFY_VALID)
        snprintf(text, text_bytes, "valid");
    else if (verdict->fault == VERIFY_WRONG_COUNT)
        snprintf(text, text_bytes, "the placement has %u tensors, expected %u", placement->tensors,
                 graph->tensors);
    else if (verdict->fault == VERIFY_OVERLAP)
        describe_overlap(graph, placement, verdict, text, text_bytes);
    else
        describe_tensor(graph, placement, verdict, text, text_bytes);
}
