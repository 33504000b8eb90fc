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

static bool goes_on(const struct problem_segment *segment, const struct problem_segment *next)
{
    return segment->upper == next->lower && next->lower < next->upper &&
           segment->window_lower == next->window_lower &&
           segment->window_upper == next->window_upper;
}

enum status segments_join(struct segment_joiner *joiner, struct problem *problem,
                          struct problem_segment added, struct error *error)
{
    if (joiner->pending && goes_on(&joiner->segment, &added)) {
        joiner->segment.upper = added.upper;
        return STATUS_OK;
    }
    TRY(segments_end(joiner, problem, error));
    *joiner = (struct segment_joiner){true, added};
    return STATUS_OK;
}

struct merger {
    struct problem *problem;
    const struct problem_segment *segment; /* [count], by lower */
    uint32_t count, begun;
    struct heap heap; /* those that have begun, with ~window_upper as the key and ~upper as the
                         value, so that the largest comes first. A segment that is over leaves the
                         heap when it comes first. */
    struct segment_joiner joiner;
    struct error *error;
};

static int compare_segments(const void *left, const void *right)
{
    const struct problem_segment *a = left, *b = right;
    return compare_numbers(a->lower, b->lower);
}

static bool is_sorted(const struct problem_segment *segment, uint32_t count)
{
    for (uint32_t s = 1; s < count; s++)
        if (segment[s].lower < segment[s - 1].lower)
            return false;
    return true;
}

/* Adds what the largest live segment uses, from *step until another segment begins or it ends. */
static enum status use_largest(struct merger *merger, uint32_t *step)
{
    struct heap_item largest = merger->heap.item[0];
    struct problem_segment used = {*step, ~largest.value, 0, ~largest.key};
    assert(merger->heap.count > 0 && used.lower < used.upper);
    assert(merger->begun == merger->count || merger->segment[merger->begun].lower > *step);
    if (merger->begun < merger->count && merger->segment[merger->begun].lower < used.upper)
        used.upper = merger->segment[merger->begun].lower;
    assert(used.lower < used.upper);
    *step = used.upper;
    return segments_join(&merger->joiner, merger->problem, used, merger->error);
}

static enum status merge_segments(struct merger *merger)
{
    uint32_t step = 0;
    while (merger->begun < merger->count || merger->heap.count) {
        if (!merger->heap.count)
            step = merger->segment[merger->begun].lower;
        while (merger->begun < merger->count && merger->segment[merger->begun].lower <= step) {
            const struct problem_segment *begins = &merger->segment[merger->begun++];
            assert(begins->window_lower == 0 && begins->lower < begins->upper);
            TRY(heap_push(&merger->heap, ~begins->window_upper, ~begins->upper, merger->error));
        }
        while (merger->heap.count && ~merger->heap.item[0].value <= step)
            heap_pop(&merger->heap);
        if (merger->heap.count)
            TRY(use_largest(merger, &step));
    }
    return segments_end(&merger->joiner, merger->problem, merger->error);
}

enum status segments_add(struct problem *problem, struct problem_segment *segment, uint32_t count,
                         struct error *error)
{
    struct merger merger = {.problem = problem, .segment = segment, .count = count, .error = error};
    assert(problem->buffers > 0);
    if (!is_sorted(segment, count))
        qsort(segment, count, sizeof *segment, compare_segments);
    assert(is_sorted(segment, count));
    enum status status = merge_segments(&merger);
    heap_free(&merger.heap);
    return status;
}
