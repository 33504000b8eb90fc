#include "planning/verify/describe.h"

#include <assert.h>
#include <stdio.h>

#include "planning/graph/ways.h"

enum { PLACE_BYTES = 256 };

static void describe_buffer_place(const struct problem *problem, const struct plan *plan,
                                  uint32_t buffer, char text[PLACE_BYTES])
{
    extents_describe(plan_begin(plan, buffer, 0, problem->size[buffer]), text, PLACE_BYTES);
}

static void describe_buffers(const struct problem *problem, const struct plan *plan,
                             const struct verdict *verdict, char *text, size_t text_bytes)
{
    char first[PLACE_BYTES], second[PLACE_BYTES];
    assert(verdict->first != verdict->second);
    describe_buffer_place(problem, plan, verdict->first, first);
    describe_buffer_place(problem, plan, verdict->second, second);
    int length = snprintf(text, text_bytes, "buffers '%s' at %s and '%s' at %s share bytes",
                          names_get(&problem->names, verdict->first), first,
                          names_get(&problem->names, verdict->second), second);
    if (length < 0 || (size_t)length >= text_bytes)
        return;
    if (verdict->step < problem->line_end)
        snprintf(text + length, text_bytes - (size_t)length, " at step %u", verdict->step);
    else
        snprintf(text + length, text_bytes - (size_t)length, ", which conflict");
}

/* The offset of the first extent that is misaligned, else that of the buffer. */
static unsigned long long find_misaligned(const struct problem *problem, const struct plan *plan,
                                          uint32_t buffer)
{
    struct extents_walk walk = plan_begin(plan, buffer, 0, problem->size[buffer]);
    struct extent extent;
    while (extents_next(&walk, &extent))
        if (extent.offset % problem_alignment(problem, buffer))
            return extent.offset;
    return plan->offset[buffer];
}

static void describe_extents(const struct problem *problem, const struct plan *plan,
                             const struct verdict *verdict, char *text, size_t text_bytes)
{
    uint32_t buffer = verdict->first, count = extents_count(plan->extents, buffer);
    assert(count > 0);
    const struct extent *extent = plan->extents->extent + plan->extents->of[buffer].first;
    const char *name = names_get(&problem->names, buffer);
    unsigned long long sum = 0;
    char place[PLACE_BYTES];
    describe_buffer_place(problem, plan, buffer, place);
    for (uint32_t i = 0; i < count; i++)
        sum += extent[i].bytes;
    if (verdict->fault == VERIFY_SELF_OVERLAP)
        snprintf(text, text_bytes, "extents of buffer '%s' at %s share bytes", name, place);
    else
        snprintf(text, text_bytes,
                 "buffer '%s' has %u extents of %llu bytes together, expected %llu bytes, none "
                 "empty and the first at the buffer's offset",
                 name, count, sum, (unsigned long long)problem->size[buffer]);
}

/* Says what is wrong with one buffer by itself. */
static void describe_buffer(const struct problem *problem, const struct plan *plan,
                            const struct verdict *verdict, char *text, size_t text_bytes)
{
    assert(verdict->first < problem->buffers);
    const char *name = names_get(&problem->names, verdict->first);
    unsigned long long offset = find_misaligned(problem, plan, verdict->first);
    unsigned long long size = problem->size[verdict->first];
    char place[PLACE_BYTES];
    describe_buffer_place(problem, plan, verdict->first, place);
    if (verdict->fault == VERIFY_NO_OFFSET)
        snprintf(text, text_bytes, "buffer '%s' has no offset", name);
    else if (verdict->fault == VERIFY_OUT_OF_RANGE)
        snprintf(text, text_bytes, "buffer '%s' of %llu bytes at %llu ends beyond 2^64 bytes", name,
                 size, offset);
    else if (verdict->fault == VERIFY_MISALIGNED)
        snprintf(text, text_bytes, "buffer '%s' is at %llu, expected a multiple of %llu", name,
                 offset, (unsigned long long)problem_alignment(problem, verdict->first));
    else if (extents_count(plan->extents, verdict->first))
        snprintf(text, text_bytes,
                 "buffer '%s' is at %s, expected one run from its fixed offset %llu", name, place,
                 (unsigned long long)problem_fixed_offset(problem, verdict->first));
    else
        snprintf(text, text_bytes, "buffer '%s' is at %llu, expected its fixed offset %llu", name,
                 offset, (unsigned long long)problem_fixed_offset(problem, verdict->first));
}

static void describe_peak(const struct problem *problem, const struct plan *plan,
                          const struct verdict *verdict, char *text, size_t text_bytes)
{
    uint32_t first = verdict->first;
    unsigned long long found = plan->measures.peak_bytes;
    if (!problem->buffers)
        snprintf(text, text_bytes, "the plan says its peak is %llu, expected 0", found);
    else
        snprintf(text, text_bytes,
                 "the plan says its peak is %llu, expected %llu, where buffer '%s' ends", found,
                 (unsigned long long)extents_end(plan->extents, first, plan->offset[first],
                                                 problem->size[first]),
                 names_get(&problem->names, first));
}

void verify_describe(const struct problem *problem, const struct plan *plan,
                     const struct verdict *verdict, char *text, size_t text_bytes)
{
    assert(text_bytes > 0);
    switch (verdict->fault) {
    case VERIFY_VALID:
        snprintf(text, text_bytes, "valid");
        return;
    case VERIFY_WRONG_COUNT:
        snprintf(text, text_bytes, "the plan has %u buffers, expected %u", plan->buffers,
                 problem->buffers);
        return;
    case VERIFY_OVERLAP:
        describe_buffers(problem, plan, verdict, text, text_bytes);
        return;
    case VERIFY_WRONG_PEAK:
        describe_peak(problem, plan, verdict, text, text_bytes);
        return;
    case VERIFY_WRONG_EXTENTS:
    case VERIFY_SELF_OVERLAP:
        describe_extents(problem, plan, verdict, text, text_bytes);
        return;
    default:
        describe_buffer(problem, plan, verdict, text, text_bytes);
    }
}

static void describe_tensor_place(const struct graph *graph, const struct placement *placement,
                                  uint32_t tensor, char text[PLACE_BYTES])
{
    extents_describe(placement_begin(placement, tensor, graph->tensor[tensor].bytes), text,
                     PLACE_BYTES);
}

static void describe_tensors(const struct graph *graph, const struct placement *placement,
                             const struct verdict *verdict, char *text, size_t text_bytes)
{
    char first[PLACE_BYTES], second[PLACE_BYTES];
    describe_tensor_place(graph, placement, verdict->first, first);
    describe_tensor_place(graph, placement, verdict->second, second);
    snprintf(text, text_bytes,
             "tensors '%s' at %s and '%s' at %s share bytes, and at step %u one is written while "
             "the other is needed",
             names_get(&graph->tensor_names, verdict->first), first,
             names_get(&graph->tensor_names, verdict->second), second, verdict->step);
}

static void describe_devices(const struct graph *graph, const struct placement *placement,
                             const struct verdict *verdict, char *text, size_t text_bytes)
{
    char first[PLACE_BYTES], second[PLACE_BYTES];
    describe_tensor_place(graph, placement, verdict->first, first);
    describe_tensor_place(graph, placement, verdict->second, second);
    snprintf(text, text_bytes,
             "tensors '%s' at %s and '%s' at %s share bytes, expected none, since they are on the "
             "devices %u and %u",
             names_get(&graph->tensor_names, verdict->first), first,
             names_get(&graph->tensor_names, verdict->second), second,
             graph->tensor[verdict->first].device, graph->tensor[verdict->second].device);
}

static void describe_tensor(const struct graph *graph, const struct placement *placement,
                            const struct verdict *verdict, char *text, size_t text_bytes)
{
    assert(verdict->first < graph->tensors);
    const char *name = names_get(&graph->tensor_names, verdict->first);
    unsigned long long bytes = graph->tensor[verdict->first].bytes;
    char place[PLACE_BYTES];
    describe_tensor_place(graph, placement, verdict->first, place);
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

static void describe_sampled(const struct graph *graph, const struct verdict *verdict, char *text,
                             size_t text_bytes)
{
    uint32_t ways = graph_count_ways(graph, UINT32_MAX - 1);
    snprintf(text, text_bytes, "valid on %u of %s%u ways", verdict->first,
             ways == UINT32_MAX ? "more than " : "", ways - (ways == UINT32_MAX));
}

void verify_paths_describe(const struct graph *graph, const struct placement *placement,
                           const struct verdict *verdict, char *text, size_t text_bytes)
{
    assert(text_bytes > 0);
    if (verdict->fault == VERIFY_VALID)
        snprintf(text, text_bytes, "valid");
    else if (verdict->fault == VERIFY_NOT_OF_POLICY)
        snprintf(text, text_bytes,
                 "no path damages anything, but the plan puts on the same bytes what its policy "
                 "keeps apart");
    else if (verdict->fault == VERIFY_SAMPLED)
        describe_sampled(graph, verdict, text, text_bytes);
    else if (verdict->fault == VERIFY_WRONG_COUNT)
        snprintf(text, text_bytes, "the placement has %u tensors, expected %u", placement->tensors,
                 graph->tensors);
    else if (verdict->fault == VERIFY_OVERLAP)
        describe_tensors(graph, placement, verdict, text, text_bytes);
    else if (verdict->fault == VERIFY_DEVICES)
        describe_devices(graph, placement, verdict, text, text_bytes);
    else
        describe_tensor(graph, placement, verdict, text, text_bytes);
}
