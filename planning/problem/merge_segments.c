#include "planning/problem/merge_segments.h"

#include <stdlib.h>

/* The segments that have begun are a heap at the front of the array, the largest first; they leave
   it when they come first and are over. */
struct merger {
    struct problem *problem;
    struct segment *segment;
    uint32_t count, begun, heap;
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

static bool comes_first(const struct segment *a, const struct segment *b)
{
    return a->bytes > b->bytes || (a->bytes == b->bytes && a->upper > b->upper);
}

static void swap_segments(struct segment *a, struct segment *b)
{
    struct segment kept = *a;
    *a = *b;
    *b = kept;
}

static void push_segment(struct merger *merger, struct segment pushed)
{
    struct segment *heap = merger->segment;
    uint32_t child = merger->heap++;
    heap[child] = pushed;
    for (; child > 0 && comes_first(&heap[child], &heap[(child - 1) / 2]); child = (child - 1) / 2)
        swap_segments(&heap[child], &heap[(child - 1) / 2]);
}

static void pop_segment(struct merger *merger)
{
    struct segment *heap = merger->segment;
    uint32_t parent = 0;
    heap[0] = heap[--merger->heap];
    for (uint32_t child = 1; child < merger->heap; child = 2 * parent + 1) {
        if (child + 1 < merger->heap && comes_first(&heap[child + 1], &heap[child]))
            child++;
        if (!comes_first(&heap[child], &heap[parent]))
            return;
        swap_segments(&heap[child], &heap[parent]);
        parent = child;
    }
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
    struct segment used = merger->segment[0];
    used.lower = *step;
    if (merger->begun < merger->count && merger->segment[merger->begun].lower < used.upper)
        used.upper = merger->segment[merger->begun].lower;
    *step = used.upper;
    return use_bytes(merger, used);
}

static enum status merge_segments(struct merger *merger)
{
    uint32_t step = 0;
    while (merger->begun < merger->count || merger->heap) {
        if (!merger->heap)
            step = merger->segment[merger->begun].lower;
        while (merger->begun < merger->count && merger->segment[merger->begun].lower <= step) {
            struct segment begins = merger->segment[merger->begun++];
            push_segment(merger, begins);
        }
        while (merger->heap && merger->segment[0].upper <= step)
            pop_segment(merger);
        if (merger->heap)
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
    return merge_segments(&merger);
}
