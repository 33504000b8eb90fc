#include "planning/problem/merge_segments.h"

#include <stdlib.h>

#include "core/heap.h"

struct merger {
    struct problem *problem;
    const struct segment *segment; /* [count], by lower */
    uint32_t count, begun;
    struct heap heap; /* of those that have begun, by ~bytes and then ~upper: the largest first.
                         They leave it when they come first and are over. */
    struct segment pending; /* not added yet, since the next may go on with it; upper 0: none */
    struct error *error;
};

static int compare_segments(const void *left, const void *right)
{
    const struct segment *a = left, *b = right;
    return a->lower < b->lower ? -1 : a->lower > b->lower;
}

static bool is_sorted(const struct segment *segment, uint32_t count)
{
    for (uint32_t s = 1; s < count; s++)
        if (segment[s].lower < segment[s - 1].lower)
            return false;
    return true;
}

static enum status flush_pending(struct merger *merger)
{
    struct segment added = merger->pending;
    if (!added.upper)
        return STATUS_OK;
    return problem_add_segment(merger->problem, added.lower, added.upper, 0, added.bytes,
                               merger->error);
}

static enum status use_bytes(struct merger *merger, struct segment used)
{
    struct segment *pending = &merger->pending;
    if (pending->upper == used.lower && pending->bytes == used.bytes && pending->upper) {
        pending->upper = used.upper;
        return STATUS_OK;
    }
    TRY(flush_pending(merger));
    *pending = used;
    return STATUS_OK;
}

/* What is used from the step on until something begins or the largest ends. */
static enum status use_largest(struct merger *merger, uint32_t *step)
{
    struct heap_item largest = merger->heap.item[0];
    struct segment used = {*step, ~largest.value, ~largest.key};
    if (merger->begun < merger->count && merger->segment[merger->begun].lower < used.upper)
        used.upper = merger->segment[merger->begun].lower;
    *step = used.upper;
    return use_bytes(merger, used);
}

static enum status merge_segments(struct merger *merger)
{
    uint32_t step = 0;
    while (merger->begun < merger->count || merger->heap.count) {
        if (!merger->heap.count)
            step = merger->segment[merger->begun].lower;
        while (merger->begun < merger->count && merger->segment[merger->begun].lower <= step) {
            const struct segment *begins = &merger->segment[merger->begun++];
            TRY(heap_push(&merger->heap, ~begins->bytes, ~begins->upper, merger->error));
        }
        while (merger->heap.count && ~merger->heap.item[0].value <= step)
            heap_pop(&merger->heap);
        if (merger->heap.count)
            TRY(use_largest(merger, &step));
    }
    return flush_pending(merger);
}

enum status segments_add(struct problem *problem, struct segment *segment, uint32_t count,
                         struct error *error)
{
    struct merger merger = {.problem = problem, .segment = segment, .count = count, .error = error};
    if (!is_sorted(segment, count))
        qsort(segment, count, sizeof *segment, compare_segments);
    enum status status = merge_segments(&merger);
    heap_free(&merger.heap);
    return status;
}
