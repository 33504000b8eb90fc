#include "heuristics/allocators/heap.h"

#include <assert.h>

#include <stdlib.h>

#include "core/checked.h"
#include "core/compare.h"

enum status heap_calls_create(const struct problem *problem, uint64_t granule,
                              struct heap_calls *calls, struct scratch *scratch,
                              struct error *error)
{
    uint32_t buffers = problem->buffers;
    *calls = (struct heap_calls){.granule = granule};
    TRY(scratch_take(scratch, &calls->bytes, buffers, sizeof *calls->bytes, error));
    for (uint32_t b = 0; b < buffers; b++)
        if (!checked_common_multiple(calls->granule, problem_alignment(problem, b),
                                     &calls->granule))
            return STATUS_OK;
    for (uint32_t b = 0; b < buffers; b++)
        if (!checked_align(problem->size[b], calls->granule, &calls->bytes[b]) ||
            !checked_add(calls->sum, calls->bytes[b], &calls->sum))
            return STATUS_OK;
    uint64_t most;
    calls->fits = checked_align(problem_fixed_end(problem), calls->granule, &calls->base) &&
                  checked_add(calls->base, calls->sum, &most) && most <= INT64_MAX;
    return STATUS_OK;
}

static void add_free(struct heap *heap, uint32_t index)
{
    struct heap_block *block = &heap->block[index];
    assert(block->begin < block->end);
    block->freed = ++heap->frees;
    treap_add(&heap->free_by_place, index, (struct treap_key){block->region, block->begin, 0});
    treap_add(&heap->free_by_choice, index, heap->rule->key(heap, block));
}

static void remove_free(struct heap *heap, uint32_t index)
{
    treap_remove(&heap->free_by_place, index);
    treap_remove(&heap->free_by_choice, index);
}

static uint32_t make_block(struct heap *heap, struct heap_block block)
{
    assert(heap->spares > 0);
    uint32_t index = heap->spare[--heap->spares];
    heap->block[index] = block;
    return index;
}

uint32_t heap_find(const struct heap *heap, uint64_t group, uint64_t rank, uint64_t tie)
{
    uint32_t found = treap_at_least(&heap->free_by_choice, (struct treap_key){group, rank, tie});
    if (found == TREAP_NONE || heap->free_by_choice.node[found].key.group != group)
        return HEAP_NONE;
    return found;
}

uint32_t heap_find_last(const struct heap *heap, uint32_t region)
{
    uint32_t last = treap_below(&heap->free_by_place, (struct treap_key){region + 1, 0, 0});
    return last != TREAP_NONE && heap->block[last].region == region ? last : HEAP_NONE;
}

/* Takes the front of a free block, or all of it. */
static uint32_t take_block(struct heap *heap, uint32_t index, uint64_t bytes)
{
    struct heap_block *block = &heap->block[index], rest = *block;
    struct heap_region *region = &heap->region[block->region];
    assert(block->end - block->begin >= bytes);
    remove_free(heap, index);
    rest.begin += bytes;
    if (rest.begin < rest.end && (!heap->rule->splits || heap->rule->splits(heap, block, bytes))) {
        block->end = rest.begin;
        add_free(heap, make_block(heap, rest));
    }
    region->used = block->end > region->used ? block->end : region->used;
    return index;
}

static uint32_t allocate(struct heap *heap, uint64_t bytes)
{
    uint32_t index = heap->rule->choose(heap, bytes);
    if (index == HEAP_NONE) {
        struct heap_region region = heap->rule->extend(heap, bytes);
        assert(region.bytes >= bytes);
        if (heap->regions > 0)
            region.start =
                heap->region[heap->regions - 1].start + heap->region[heap->regions - 1].bytes;
        heap->region[heap->regions] = region;
        index =
            make_block(heap, (struct heap_block){.end = region.bytes, .region = heap->regions++});
        add_free(heap, index);
    }
    return take_block(heap, index, bytes);
}

static void release(struct heap *heap, uint32_t index)
{
    struct heap_block *block = &heap->block[index];
    struct treap_key key = {block->region, block->begin, 0};
    uint32_t left = treap_below(&heap->free_by_place, key);
    uint32_t right = treap_at_least(&heap->free_by_place, key);
    if (left != TREAP_NONE && heap->block[left].region == block->region &&
        heap->block[left].end == block->begin) {
        remove_free(heap, left);
        block->begin = heap->block[left].begin;
        heap->spare[heap->spares++] = left;
    }
    if (right != TREAP_NONE && heap->block[right].region == block->region &&
        heap->block[right].begin == block->end) {
        remove_free(heap, right);
        block->end = heap->block[right].end;
        heap->spare[heap->spares++] = right;
    }
    add_free(heap, index);
}

/* Takes the bytes of a block again that was freed, as block *index; false where they are no longer
   free. */
static bool restore(struct heap *heap, struct heap_block block, uint32_t *index)
{
    struct treap_key above = {block.region, block.begin + 1, 0};
    uint32_t found = treap_below(&heap->free_by_place, above);
    if (found == TREAP_NONE || heap->block[found].region != block.region ||
        heap->block[found].end < block.end)
        return false;
    struct heap_block left = heap->block[found], right = left;
    remove_free(heap, found);
    heap->block[found] = block;
    left.end = block.begin;
    right.begin = block.end;
    if (left.begin < left.end)
        add_free(heap, make_block(heap, left));
    if (right.begin < right.end)
        add_free(heap, make_block(heap, right));
    *index = found;
    return true;
}

/* A region has at most two blocks for each buffer that was ever in it: free ones join, and the
   first buffer in it lies at its front. */
static enum status create_heap(struct heap *heap, uint32_t buffers, struct scratch *scratch,
                               struct error *error)
{
    size_t blocks = 2 * (size_t)buffers + 1;
    if (blocks >= TREAP_NONE)
        return error_set(error, STATUS_BAD_INPUT, "found %u buffers, expected at most 2^31 - 1",
                         buffers);
    TRY(scratch_take_all(scratch, blocks, error, &heap->block, &heap->spare));
    TRY(scratch_take(scratch, &heap->region, (size_t)buffers + 1, sizeof *heap->region, error));
    TRY(treap_create(&heap->free_by_place, (uint32_t)blocks, scratch, error));
    TRY(treap_create(&heap->free_by_choice, (uint32_t)blocks, scratch, error));
    for (uint32_t i = (uint32_t)blocks; i-- > 0;)
        heap->spare[heap->spares++] = i;
    return STATUS_OK;
}

/* Where each region begins, in region[].bytes; false where the last one does not end below 2^63. */
static bool lay_out_regions(struct heap *heap, uint64_t base, struct plan *plan)
{
    uint64_t begin = base;
    for (uint32_t r = 0; r < heap->regions; r++) {
        struct heap_region *region = &heap->region[r];
        uint64_t bytes = heap->rule->takes_whole_regions ? region->bytes : region->used, end;
        if (!checked_align(begin, heap->granule, &begin) || !checked_add(begin, bytes, &end) ||
            end > INT64_MAX)
            return false;
        region->bytes = begin;
        plan->measures.pool_bytes += bytes;
        begin = end;
    }
    plan->measures.pools = heap->regions;
    return true;
}

enum call_kind { FREE, RESTORE, ALLOCATE };
struct call {
    uint32_t step;
    enum call_kind kind;
    uint32_t first; /* of a free: the step of the first allocation */
    uint32_t buffer;
};
COMPARE_MEMBERS(compare_calls, struct call, step, kind, first, buffer)

/* The calls of a run, in their order. With holes a buffer is freed and restored. O(n log n). */
static enum status list_calls(const struct problem *problem, bool with_holes, struct call **calls,
                              uint32_t *count, struct scratch *scratch, struct error *error)
{
    size_t lives = with_holes ? problem->segments : problem->buffers, filled = 0;
    TRY(scratch_take(scratch, calls, 2 * lives, sizeof **calls, error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint32_t first = problem->first[b], end = problem->first[b + 1];
        for (uint32_t s = first; s < end; s++) {
            if (s == first || with_holes)
                (*calls)[filled++] =
                    (struct call){problem->lower[s], s == first ? ALLOCATE : RESTORE, 0, b};
            if (s + 1 == end || with_holes)
                (*calls)[filled++] =
                    (struct call){problem->upper[s], FREE, problem->lower[first], b};
        }
    }
    assert(filled == 2 * lives);
    qsort(*calls, filled, sizeof **calls, compare_calls);
    *count = (uint32_t)filled;
    return STATUS_OK;
}

/* Fills block[problem->buffers] with where each buffer that is not fixed was put; *fits is false
   where one could not be restored. */
static enum status play(struct heap *heap, const struct problem *problem, const uint64_t *bytes,
                        struct heap_block *block, bool *fits, struct scratch *scratch,
                        struct error *error)
{
    struct call *calls;
    uint32_t *taken, count;
    TRY(list_calls(problem, heap->rule->restores, &calls, &count, scratch, error));
    TRY(scratch_take(scratch, &taken, problem->buffers, sizeof *taken, error));
    *fits = true;
    for (uint32_t i = 0; i < count && *fits; i++) {
        uint32_t b = calls[i].buffer;
        if (problem_fixed_offset(problem, b) != PROBLEM_FREE) {
            continue;
        } else if (calls[i].kind == FREE) {
            release(heap, taken[b]);
        } else if (calls[i].kind == RESTORE) {
            *fits = restore(heap, block[b], &taken[b]);
        } else {
            taken[b] = allocate(heap, bytes[b]);
            block[b] = heap->block[taken[b]];
        }
    }
    return STATUS_OK;
}

enum status heap_plan(const struct planner *planner, const struct planner_task *task,
                      struct plan *plan, struct error *error)
{
    const struct problem *problem = task->problem;
    struct scratch *scratch = task->scratch;
    struct heap_block *block;
    struct heap_calls calls;
    bool fits;
    struct heap heap = {.planner = planner, .rule = planner->rule};
    plan->status = PLAN_UNSUPPORTED;
    TRY(heap_calls_create(problem, planner_option_value(planner, HEAP_ALIGNMENT), &calls, scratch,
                          error));
    if (!calls.fits)
        return STATUS_OK;
    heap.granule = calls.granule;
    heap.sum_bytes = calls.sum;
    TRY(create_heap(&heap, problem->buffers, scratch, error));
    TRY(scratch_take(scratch, &block, problem->buffers, sizeof *block, error));
    TRY(play(&heap, problem, calls.bytes, block, &fits, scratch, error));
    if (!fits || !lay_out_regions(&heap, calls.base, plan))
        return STATUS_OK;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint64_t fixed = problem_fixed_offset(problem, b);
        plan->offset[b] =
            fixed != PROBLEM_FREE ? fixed : heap.region[block[b].region].bytes + block[b].begin;
    }
    return plan_set_feasible(plan, problem, error);
}
