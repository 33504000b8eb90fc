#include <stdio.h>

#include "planning/verify/plan.h"

const char *verify_fault_name(enum verify_fault fault)
{
    static const char *const names[] = {
        [VERIFY_VALID] = "valid",
        [VERIFY_WRONG_COUNT] = "wrong_count",
        [VERIFY_NO_OFFSET] = "no_offset",
        [VERIFY_OUT_OF_RANGE] = "out_of_range",
        [VERIFY_MISALIGNED] = "misaligned",
        [VERIFY_NOT_FIXED] = "not_fixed",
        [VERIFY_OVERLAP] = "overlap",
        [VERIFY_WRONG_PEAK] = "wrong_peak",
        [VERIFY_WRONG_EXTENTS] = "wrong_extents",
        [VERIFY_SELF_OVERLAP] = "self_overlap",
    };
    return names[fault];
}

enum { PLACE_BYTES = 256 };

static void describe_place(const struct problem *problem, const struct plan *plan, uint32_t buffer,
                           char text[PLACE_BYTES])
{
    extents_describe(plan->extents, buffer, plan->offset[buffer], problem->size[buffer], text,
                     PLACE_BYTES);
}

static void describe_overlap(const struct problem *problem, const struct plan *plan,
                             const struct verdict *verdict, char *text, size_t text_bytes)
{
    char first[PLACE_BYTES], second[PLACE_BYTES];
    describe_place(problem, plan, verdict->first, first);
    describe_place(problem, plan, verdict->second, second);
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

/* Of an extent that is misaligned, else of the buffer. */
static unsigned long long find_misaligned(const struct problem *problem, const struct plan *plan,
                                          uint32_t buffer)
{
    struct extents_walk walk = plan_begin(plan, buffer, 0, problem->size[buffer]);
    struct extent piece;
    while (extents_next(&walk, &piece))
        if (piece.offset % problem->alignment[buffer])
            return piece.offset;
    return plan->offset[buffer];
}

static void describe_extents(const struct problem *problem, const struct plan *plan,
                             const struct verdict *verdict, char *text, size_t text_bytes)
{
    uint32_t buffer = verdict->first, count = extents_count(plan->extents, buffer);
    const struct extent *extent = plan->extents->extent + plan->extents->of[buffer].first;
    const char *name = names_get(&problem->names, buffer);
    unsigned long long sum = 0;
    char place[PLACE_BYTES];
    describe_place(problem, plan, buffer, place);
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

/* What one buffer has wrong, as words around its name. */
static void describe_buffer(const struct problem *problem, const struct plan *plan,
                            const struct verdict *verdict, char *text, size_t text_bytes)
{
    const char *name = names_get(&problem->names, verdict->first);
    unsigned long long offset = find_misaligned(problem, plan, verdict->first);
    unsigned long long size = problem->size[verdict->first];
    char place[PLACE_BYTES];
    describe_place(problem, plan, verdict->first, place);
    if (verdict->fault == VERIFY_NO_OFFSET)
        snprintf(text, text_bytes, "buffer '%s' has no offset", name);
    else if (verdict->fault == VERIFY_OUT_OF_RANGE)
        snprintf(text, text_bytes, "buffer '%s' of %llu bytes at %llu ends beyond 2^64 bytes", name,
                 size, offset);
    else if (verdict->fault == VERIFY_MISALIGNED)
        snprintf(text, text_bytes, "buffer '%s' is at %llu, expected a multiple of %llu", name,
                 offset, (unsigned long long)problem->alignment[verdict->first]);
    else if (extents_count(plan->extents, verdict->first))
        snprintf(text, text_bytes,
                 "buffer '%s' is at %s, expected one run from its fixed offset %llu", name, place,
                 (unsigned long long)problem->fixed_offset[verdict->first]);
    else
        snprintf(text, text_bytes, "buffer '%s' is at %llu, expected its fixed offset %llu", name,
                 offset, (unsigned long long)problem->fixed_offset[verdict->first]);
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
    switch (verdict->fault) {
    case VERIFY_VALID:
        snprintf(text, text_bytes, "valid");
        return;
    case VERIFY_WRONG_COUNT:
        snprintf(text, text_bytes, "the plan has %u buffers, expected %u", plan->buffers,
                 problem->buffers);
        return;
    case VERIFY_OVERLAP:
        describe_overlap(problem, plan, verdict, text, text_bytes);
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
