#include "planning/verify/describe.h"

#include <assert.h>
#include <stdio.h>

#include "planning/graph/ways.h"

/* Where the bytes of a buffer or a tensor are, in words. */
struct place {
    char text[256];
};

static struct place describe_walk(struct extents_walk walk)
{
    struct place place;
    extents_describe(walk, place.text, sizeof place.text);
    return place;
}

static struct place find_buffer(const struct problem *problem, const struct plan *plan,
                                uint32_t buffer)
{
    return describe_walk(plan_begin(plan, buffer, 0, problem->size[buffer]));
}

static void describe_buffers(const struct problem *problem, const struct plan *plan,
                             const struct verdict *verdict, char *text, size_t text_bytes)
{
    char step[32];
    assert(verdict->first != verdict->second);
    snprintf(step, sizeof step, " at step %u", verdict->step);
    snprintf(text, text_bytes, "buffers '%s' at %s and '%s' at %s share bytes%s",
             names_get(&problem->names, verdict->first),
             find_buffer(problem, plan, verdict->first).text,
             names_get(&problem->names, verdict->second),
             find_buffer(problem, plan, verdict->second).text,
             verdict->step < problem->line_end ? step : ", which conflict");
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
    for (uint32_t i = 0; i < count; i++)
        sum += extent[i].bytes;
    if (verdict->fault == VERIFY_SELF_OVERLAP)
        snprintf(text, text_bytes, "extents of buffer '%s' at %s share bytes", name,
                 find_buffer(problem, plan, buffer).text);
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
                 "buffer '%s' is at %s, expected one run from its fixed offset %llu", name,
                 find_buffer(problem, plan, verdict->first).text,
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
    enum verify_fault fault = verdict->fault;
    assert(text_bytes > 0);
    if (fault == VERIFY_VALID)
        snprintf(text, text_bytes, "valid");
    else if (fault == VERIFY_WRONG_COUNT)
        snprintf(text, text_bytes, "the plan has %u buffers, expected %u", plan->buffers,
                 problem->buffers);
    else if (fault == VERIFY_OVERLAP)
        describe_buffers(problem, plan, verdict, text, text_bytes);
    else if (fault == VERIFY_WRONG_PEAK)
        describe_peak(problem, plan, verdict, text, text_bytes);
    else if (fault == VERIFY_WRONG_EXTENTS || fault == VERIFY_SELF_OVERLAP)
        describe_extents(problem, plan, verdict, text, text_bytes);
    else
        describe_buffer(problem, plan, verdict, text, text_bytes);
}

static struct place find_tensor(const struct graph *graph, const struct placement *placement,
                                uint32_t tensor)
{
    return describe_walk(placement_begin(placement, tensor, graph->tensor[tensor].bytes));
}

static void describe_tensors(const struct graph *graph, const struct placement *placement,
                             const struct verdict *verdict, char *text, size_t text_bytes)
{
    char why[128];
    if (verdict->fault == VERIFY_OVERLAP)
        snprintf(why, sizeof why, ", and at step %u one is written while the other is needed",
                 verdict->step);
    else
        snprintf(why, sizeof why, ", expected none, since they are on the devices %u and %u",
                 graph->tensor[verdict->first].device, graph->tensor[verdict->second].device);
    snprintf(text, text_bytes, "tensors '%s' at %s and '%s' at %s share bytes%s",
             names_get(&graph->tensor_names, verdict->first),
             find_tensor(graph, placement, verdict->first).text,
             names_get(&graph->tensor_names, verdict->second),
             find_tensor(graph, placement, verdict->second).text, why);
}

static void describe_tensor(const struct graph *graph, const struct placement *placement,
                            const struct verdict *verdict, char *text, size_t text_bytes)
{
    assert(verdict->first < graph->tensors);
    const char *name = names_get(&graph->tensor_names, verdict->first);
    unsigned long long bytes = graph->tensor[verdict->first].bytes;
    struct place place = find_tensor(graph, placement, verdict->first);
    if (verdict->fault == VERIFY_NO_OFFSET)
        snprintf(text, text_bytes, "tensor '%s' has no offset", name);
    else if (verdict->fault == VERIFY_OUT_OF_RANGE)
        snprintf(text, text_bytes, "tensor '%s' of %llu bytes at %llu ends beyond 2^64 bytes", name,
                 bytes, (unsigned long long)placement->offset[verdict->first]);
    else if (verdict->fault == VERIFY_WRONG_EXTENTS)
        snprintf(text, text_bytes,
                 "the extents of tensor '%s' at %s do not add up to its %llu bytes, from its "
                 "offset on",
                 name, place.text, bytes);
    else if (verdict->fault == VERIFY_SELF_OVERLAP)
        snprintf(text, text_bytes, "extents of tensor '%s' at %s share bytes", name, place.text);
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
    else if (verdict->fault == VERIFY_OVERLAP || verdict->fault == VERIFY_DEVICES)
        describe_tensors(graph, placement, verdict, text, text_bytes);
    else
        describe_tensor(graph, placement, verdict, text, text_bytes);
}
