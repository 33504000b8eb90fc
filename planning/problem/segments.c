#include "planning/problem/segments.h"

#include <assert.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/heap.h"

enum status segments_end(struct segment_joiner *joiner, struct problem *problem,
                         struct error *error)
{
    struct problem_segment added = joiner->segment;
    if (!joiner->pending)
        return STATUS_OK;
    joiner->pending = false;
    return problem_add_segment(problem, added, error);
}

enum status segments_join(struct segment_joiner *joiner, struct problem *problem,
                          struct problem_segment added, struct error *error)
{
    struct problem_segment *before = &joiner->segment;
    if (joiner->pending && before->upper == added.lower && added.lower < added.upper &&
        before->window_lower == added.window_lower && before->window_upper == added.window_upper) {
        before->upper = added.upper;
        return STATUS_OK;
    }
    TRY(segments_end(joiner, problem, error));
    *joiner = (struct segment_joiner){true, added};
    return STATUS_OK;
}

COMPARE_MEMBERS(compare_segments, struct problem_segment, lower)

static bool is_sorted(const struct problem_segment *segment, uint32_t count)
{
    for (uint32_t s = 1; s < count; s++)
        if (segment[s].lower < segment[s - 1].lower)
            return false;
    return true;
}

enum status segments_add(struct problem *problem, struct problem_segment *segment, uint32_t count,
                         struct error *error)
{
    SCOPED(heap_free)
    struct heap heap = {0}; /* those that have begun, with ~window_upper as the key and ~upper as
                               the value, so that the largest comes first. A segment that is over
                               leaves the heap when it comes first. */
    struct segment_joiner joiner = {0};
    uint32_t begun = 0, step = 0;
    assert(problem->buffers > 0);
    if (!is_sorted(segment, count))
        qsort(segment, count, sizeof *segment, compare_segments);
    assert(is_sorted(segment, count));
    while (begun < count || heap.count) {
        if (!heap.count)
            step = segment[begun].lower;
        for (; begun < count && segment[begun].lower <= step; begun++) {
            assert(!segment[begun].window_lower && segment[begun].lower < segment[begun].upper);
            TRY(heap_push(&heap, ~segment[begun].window_upper, ~segment[begun].upper, error));
        }
        while (heap.count && ~heap.item[0].value <= step)
            heap_pop(&heap);
        if (!heap.count)
            continue;
        /* What the largest live segment uses is in use until another one begins or it ends. */
        struct problem_segment used = {step, ~heap.item[0].value, 0, ~heap.item[0].key};
        if (begun < count && segment[begun].lower < used.upper)
            used.upper = segment[begun].lower;
        assert(used.lower < used.upper);
        step = used.upper;
        TRY(segments_join(&joiner, problem, used, error));
    }
    return segments_end(&joiner, problem, error);
}
