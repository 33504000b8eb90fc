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

/* Says what the fault is of the first buffer, or of the first and the second. */
static void describe_buffer(const struct problem *problem, const struct plan *plan,
                            const struct verdict *verdict, char *text, size_t text_bytes)
{
    uint32_t first = verdict->first, count = extents_count(plan->extents, first);
    assert(first < problem->buffers);
    const char *name = names_get(&problem->names, first);
    const struct place place = find_buffer(problem, plan, first);
    unsigned long long size = problem->size[first], offset = plan->offset[first], sum = 0;
    unsigned long long fixed = problem_fixed_offset(problem, first);
    unsigned long long alignment = problem_alignment(problem, first);
    char step[32];
    for (uint32_t i = 0; i < count; i++)
        sum += plan->extents->extent[plan->extents->of[first].first + i].bytes;
    /* Where some extent is misaligned, it is at fault and not the first one. */
    struct extents_walk walk = plan_begin(plan, first, 0, size);
    struct extent extent;
    while (offset % alignment == 0 && extents_next(&walk, &extent))
        offset = extent.offset % alignment ? extent.offset : offset;
    switch (verdict->fault) {
    case VERIFY_OVERLAP:
        assert(first != verdict->second);
        snprintf(step, sizeof step, " at step %u", verdict->step);
        snprintf(text, text_bytes, "buffers '%s' at %s and '%s' at %s share bytes%s", name,
                 place.text, names_get(&problem->names, verdict->second),
                 find_buffer(problem, plan, verdict->second).text,
                 verdict->step < problem->line_end ? step : ", which conflict");
        return;
    case VERIFY_WRONG_PEAK:
        snprintf(text, text_bytes,
                 "the plan says its peak is %llu, expected %llu, where buffer '%s' ends",
                 (unsigned long long)plan->measures.peak_bytes,
                 (unsigned long long)extents_end(plan->extents, first, plan->offset[first], size),
                 name);
        return;
    case VERIFY_WRONG_EXTENTS:
        assert(count > 0);
        snprintf(text, text_bytes,
                 "buffer '%s' has %u extents of %llu bytes together, expected %llu bytes, none "
                 "empty and the first at the buffer's offset",
                 name, count, sum, size);
        return;
    case VERIFY_SELF_OVERLAP:
        snprintf(text, text_bytes, "extents of buffer '%s' at %s share bytes", name, place.text);
        return;
    case VERIFY_NO_OFFSET:
        snprintf(text, text_bytes, "buffer '%s' has no offset", name);
        return;
    case VERIFY_OUT_OF_RANGE:
        snprintf(text, text_bytes, "buffer '%s' of %llu bytes at %llu ends beyond 2^64 bytes", name,
                 size, offset);
        return;
    case VERIFY_MISALIGNED:
        snprintf(text, text_bytes, "buffer '%s' is at %llu, expected a multiple of %llu", name,
                 offset, alignment);
        return;
    default:
        assert(verdict->fault == VERIFY_NOT_FIXED);
        if (count)
            snprintf(text, text_bytes,
                     "buffer '%s' is at %s, expected one run from its fixed offset %llu", name,
                     place.text, fixed);
        else
            snprintf(text, text_bytes, "buffer '%s' is at %llu, expected its fixed offset %llu",
                     name, offset, fixed);
    }
}

void verify_describe(const struct problem *problem, const struct plan *plan,
                     const struct verdict *verdict, char *text, size_t text_bytes)
{
    assert(text_bytes > 0);
    if (verdict->fault == VERIFY_VALID)
        snprintf(text, text_bytes, "valid");
    else if (verdict->fault == VERIFY_WRONG_COUNT)
        snprintf(text, text_bytes, "the plan has %u buffers, expected %u", plan->buffers,
                 problem->buffers);
    else if (!problem->buffers)
        snprintf(text, text_bytes, "the plan says its peak is %llu, expected 0",
                 (unsigned long long)plan->measures.peak_bytes);
    else
        describe_buffer(problem, plan, verdict, text, text_bytes);
}

/* Says what the fault is of the first tensor, or of the first and the second. */
static void describe_tensor(const struct graph *graph, const struct placement *placement,
                            const struct verdict *verdict, char *text, size_t text_bytes)
{
    uint32_t first = verdict->first, second = verdict->second;
    const struct graph_tensor *tensor = graph->tensor;
    assert(first < graph->tensors && second < graph->tensors);
    const char *name = names_get(&graph->tensor_names, first);
    unsigned long long bytes = tensor[first].bytes, offset = placement->offset[first];
    const struct place place = describe_walk(placement_begin(placement, first, bytes));
    char why[128];
    switch (verdict->fault) {
    case VERIFY_OVERLAP:
    case VERIFY_DEVICES:
        if (verdict->fault == VERIFY_OVERLAP)
            snprintf(why, sizeof why, ", and at step %u one is written while the other is needed",
                     verdict->step);
        else
            snprintf(why, sizeof why, ", expected none, since they are on the devices %u and %u",
                     tensor[first].device, tensor[second].device);
        snprintf(text, text_bytes, "tensors '%s' at %s and '%s' at %s share bytes%s", name,
                 place.text, names_get(&graph->tensor_names, second),
                 describe_walk(placement_begin(placement, second, tensor[second].bytes)).text, why);
        return;
    case VERIFY_NO_OFFSET:
        snprintf(text, text_bytes, "tensor '%s' has no offset", name);
        return;
    case VERIFY_OUT_OF_RANGE:
        snprintf(text, text_bytes, "tensor '%s' of %llu bytes at %llu ends beyond 2^64 bytes", name,
                 bytes, offset);
        return;
    case VERIFY_WRONG_EXTENTS:
        snprintf(text, text_bytes,
                 "the extents of tensor '%s' at %s do not add up to its %llu bytes, from its "
                 "offset on",
                 name, place.text, bytes);
        return;
    case VERIFY_MISALIGNED:
        snprintf(text, text_bytes, "tensor '%s' is at %s, expected a multiple of %llu", name,
                 place.text, (unsigned long long)verdict->alignment_bytes);
        return;
    case VERIFY_SELF_OVERLAP:
        snprintf(text, text_bytes, "extents of tensor '%s' at %s share bytes", name, place.text);
        return;
    default:
        assert(verdict->fault == VERIFY_WRONG_PEAK);
        snprintf(text, text_bytes, "tensor '%s' ends at %llu, expected at most the peak %llu", name,
                 (unsigned long long)extents_end(placement->extents, first, offset, bytes),
                 (unsigned long long)placement->measures.peak_bytes);
    }
}

void verify_paths_describe(const struct graph *graph, const struct placement *placement,
                           const struct verdict *verdict, char *text, size_t text_bytes)
{
    assert(text_bytes > 0);
    uint32_t ways;
    switch (verdict->fault) {
    case VERIFY_VALID:
        snprintf(text, text_bytes, "valid");
        return;
    case VERIFY_NOT_OF_POLICY:
        snprintf(text, text_bytes,
                 "no path damages anything, but the plan puts on the same bytes what its policy "
                 "keeps apart");
        return;
    case VERIFY_SAMPLED:
        ways = graph_count_ways(graph, UINT32_MAX - 1);
        snprintf(text, text_bytes, "valid on %u of %s%u ways", verdict->first,
                 ways == UINT32_MAX ? "more than " : "", ways - (ways == UINT32_MAX));
        return;
    case VERIFY_WRONG_COUNT:
        snprintf(text, text_bytes, "the placement has %u tensors, expected %u", placement->tensors,
                 graph->tensors);
        return;
    default:
        describe_tensor(graph, placement, verdict, text, text_bytes);
    }
}
