/* Best fit with joining, and the allocators of TensorFlow and ONNX Runtime that are named after it
   ("best fit with coalescing"): the smallest free chunk that is large enough, the lowest of equals.
   Its bins by powers of two only make that chunk quicker to find.

   best_fit_joining: one region without end, every chunk is split. This is what BFC does where its
   one region is the whole device.

   mlir_best_fit: the same, but the space behind the last block counts up to the greatest end so far
   where the request fits there, and else is taken last. MLIR measures gaps from their aligned
   start.

   tf_bfc, ort_bfc: regions are as large as `region` says at first. A request that fits nowhere
   makes a new one: the size is doubled until the request fits, or else doubled for the next time. A
   chunk is split where it is at least twice the request, or at least 128 MiB would be left over.
   same_as_requested: regions of just the request, one of the two strategies of ONNX Runtime.

   Sources: openxla/xla xla/tsl/framework/bfc_allocator.cc at 84d7260817c4; onnxruntime
   core/framework/bfc_arena.cc at 009aae13a310; llvm-project
   mlir/lib/Dialect/Bufferization/Transforms/StaticMemoryPlanning.cpp at ae2d14a61020. Departures:
   regions never touch, so that no chunk reaches over two; the device refuses nothing; one stream.
   O(n log n). */

#include "core/checked.h"
#include "heuristics/allocators/heap.h"
#include "heuristics/common/rows.h"

enum { REGION = HEAP_ALIGNMENT + 1, SAME_AS_REQUESTED, MOST_LEFT = 128 << 20 };

#define ROUNDED "bytes that sizes are rounded up to"
#define FIRST_REGION "bytes of the first region"

static const struct planner_option joining_options[] = {
    [HEAP_ALIGNMENT] = {"alignment", ROUNDED, 1, 1, 1 << 20},
    {0},
};

static const struct planner_option tf_options[] = {
    [HEAP_ALIGNMENT] = {"alignment", ROUNDED, 256, 1, 1 << 20},
    [REGION] = {"region", FIRST_REGION, 2 << 20, 1, INT64_MAX},
    [SAME_AS_REQUESTED] = {"same_as_requested", "1 for regions of just the request", 0, 0, 1},
    {0},
};

static const struct planner_option ort_options[] = {
    [HEAP_ALIGNMENT] = {"alignment", ROUNDED, 256, 1, 1 << 20},
    [REGION] = {"region", FIRST_REGION, 1 << 20, 1, INT64_MAX},
    [SAME_AS_REQUESTED] = {"same_as_requested", "1 for regions of just the request", 0, 0, 1},
    {0},
};

static struct treap_key find_key(const struct heap *heap, const struct heap_block *block)
{
    (void)heap;
    return (struct treap_key){block->end - block->begin, block->region, block->begin};
}

static uint32_t choose(const struct heap *heap, uint64_t bytes)
{
    return treap_at_least(&heap->free_by_choice, (struct treap_key){bytes, 0, 0});
}

/* Takes the last block only where it is the smaller one: of two equal blocks the lower one is
   taken, which is not the last. */
static uint32_t choose_in_arena(const struct heap *heap, uint64_t bytes)
{
    uint32_t found = choose(heap, bytes),
             last = heap->regions ? heap_find_last(heap, 0) : HEAP_NONE;
    if (last == HEAP_NONE || heap->region[0].used < heap->block[last].begin + bytes)
        return found;
    uint64_t left = heap->region[0].used - heap->block[last].begin;
    return left < heap->block[found].end - heap->block[found].begin ? last : found;
}

static bool splits(const struct heap *heap, const struct heap_block *block, uint64_t bytes)
{
    uint64_t rest = block->end - block->begin - bytes;
    (void)heap;
    return rest >= bytes || rest >= MOST_LEFT;
}

static struct heap_region extend_without_end(struct heap *heap, uint64_t bytes)
{
    (void)heap, (void)bytes;
    return (struct heap_region){.bytes = HEAP_ENDLESS};
}

/* Doubling stops at 2^63, which no request reaches. */
static struct heap_region extend(struct heap *heap, uint64_t bytes)
{
    bool doubled = false;
    if (planner_option_value(heap->planner, SAME_AS_REQUESTED))
        return (struct heap_region){.bytes = bytes};
    if (!heap->next_bytes)
        heap->next_bytes = align_up(planner_option_value(heap->planner, REGION), heap->granule);
    for (; heap->next_bytes < bytes; doubled = true)
        heap->next_bytes *= 2;
    struct heap_region region = {.bytes = heap->next_bytes};
    if (!doubled && heap->next_bytes <= INT64_MAX)
        heap->next_bytes *= 2;
    return region;
}

static const struct heap_rule joining = {find_key, choose, NULL, extend_without_end, false, false};
static const struct heap_rule in_arena = {find_key,           choose_in_arena, NULL,
                                          extend_without_end, false,           false};
static const struct heap_rule growing = {find_key, choose, splits, extend, true, false};

static const struct planner rows[] = {
    {ALLOCATOR("best_fit_joining", "smallest free block, split, joined with its neighbours",
               "the textbook's; XLA's and TensorFlow's in one region"),
     .options = joining_options, .rule = &joining, .plan = heap_plan},
    {ALLOCATOR("mlir_best_fit", "as MLIR: smallest free block, also at the end of the arena",
               "llvm-project mlir/lib/Dialect/Bufferization/Transforms/StaticMemoryPlanning.cpp"),
     .options = joining_options, .rule = &in_arena, .plan = heap_plan},
    {ALLOCATOR("tf_bfc", "as TensorFlow at run time: best fit in regions that double",
               "openxla/xla xla/tsl/framework/bfc_allocator.cc at 84d7260817c4"),
     .options = tf_options, .rule = &growing, .plan = heap_plan},
    {ALLOCATOR("ort_bfc", "as ONNX Runtime's arena at run time: best fit in regions that double",
               "onnxruntime core/framework/bfc_arena.cc at 009aae13a310"),
     .options = ort_options, .rule = &growing, .plan = heap_plan},
};

HEURISTICS_ROWS(bfc, rows);
