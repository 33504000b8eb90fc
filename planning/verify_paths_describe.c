#include <stdio.h>

#include "planning/verify_paths.h"

static void describe_tensor(const struct graph *graph, const struct placement *placement,
                            const struct verdict *verdict, char *text, size_t text_bytes)
{
    const char *name = names_get(&graph->tensor_names, verdict->first);
    unsigned long long offset = placement->offset[verdict->first];
    unsigned long long bytes = graph->tensor[verdict->first].bytes;
    if (verdict->fault == VERIFY_NO_OFFSET)
        snprintf(text, text_bytes, "tensor '%s' has no offset", name);
    else if (verdict->fault == VERIFY_OUT_OF_RANGE)
        snprintf(text, text_bytes, "tensor '%s' of %llu bytes at %llu ends beyond 2^64 bytes", name,
                 bytes, offset);
    else
        snprintf(text, text_bytes, "tensor '%s' ends at %llu, expected at most the peak %llu", name,
                 offset + bytes, (unsigned long long)placement->peak_bytes);
}

void verify_paths_describe(const struct graph *graph, const struct placement *placement,
                           const struct verdict *verdict, char *text, size_t text_bytes)
{
    uint32_t first = verdict->first, second = verdict->second;
    const uint64_t *offset = placement->offset;
    if (verdict->fault == VERIFY_VALID)
        snprintf(text, text_bytes, "valid");
    else if (verdict->fault == VERIFY_WRONG_COUNT)
        snprintf(text, text_bytes, "the placement has %u tensors, expected %u", placement->tensors,
                 graph->tensors);
    else if (verdict->fault == VERIFY_OVERLAP)
        snprintf(text, text_bytes,
                 "tensors '%s' at [%llu, %llu) and '%s' at [%llu, %llu) share bytes, and at step "
                 "%u one is written while the other is needed",
                 names_get(&graph->tensor_names, first), (unsigned long long)offset[first],
                 (unsigned long long)(offset[first] + graph->tensor[first].bytes),
                 names_get(&graph->tensor_names, second), (unsigned long long)offset[second],
                 (unsigned long long)(offset[second] + graph->tensor[second].bytes), verdict->step);
    else
        describe_tensor(graph, placement, verdict, text, text_bytes);
}
