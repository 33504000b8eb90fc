/* The caching allocator of PyTorch for CUDA, c10/cuda/CUDACachingAllocator.cpp at eb42ad6eca0c,
   with the sizes of c10/core/AllocatorConfig.h at 007b9bc026a6. Requests of up to 1 MiB share
   segments of 2 MiB; larger ones, below 10 MiB, segments of 20 MiB, and above that a segment has
   the request's size, rounded up to 2 MiB. The smallest free block takes a request, of equals the
   lowest; it is split where 512 bytes are left in a small segment, or more than 1 MiB in a large
   one.

   max_split: a request below it takes no block of at least that size, a request of at least that
   size no block that is larger by 20 MiB or more, and is not split; 0 for no limit.

   cudagraph_pool is the pool that all recordings of a CUDA graph tree share
   (torch/_inductor/cudagraph_trees.py at 00008d32e650). Before a child is recorded, the allocator
   is put back to where its parent ended: what the parent left alive is alive again at its old
   place, and what other children took is free, in segments that stay. The problem has the
   recordings one after another, depth first, and a segment of a buffer for each part of the tree in
   which it lives; where other bytes than those of such a tree are in the way, it is unsupported.

   Departures: one stream; the device refuses nothing, so that no cached segment is given back.
   O(n log n). */

#include "core/checked.h"
#include "heuristics/allocators/heap.h"
#include "heuristics/common/rows.h"

#define MIB (UINT64_C(1) << 20)
#define SMALL_SEGMENT (2 * MIB)
#define LARGE_SEGMENT (20 * MIB)
#define LEAST_REST 512

enum { MAX_SPLIT = HEAP_ALIGNMENT + 1 };
enum pool { SMALL, LARGE };

static const struct planner_option options[] = {
    [HEAP_ALIGNMENT] = {"alignment", "bytes that sizes are rounded up to", 512, 1, 1 << 20},
    [MAX_SPLIT] = {"max_split", "bytes from which on blocks are not split, 0 for no limit", 0, 0,
                   INT64_MAX},
    {0},
};

static enum pool find_pool(uint64_t bytes)
{
    return bytes <= MIB ? SMALL : LARGE;
}

/* The blocks of a pool by size, then by address. */
static struct treap_key find_key(const struct heap *heap, const struct heap_block *block)
{
    const struct heap_region *segment = &heap->region[block->region];
    return (struct treap_key){segment->kind, block->end - block->begin,
                              segment->start + block->begin};
}

static uint64_t find_most_split(const struct heap *heap)
{
    uint64_t bytes = planner_option_value(heap->planner, MAX_SPLIT);
    return bytes ? bytes : UINT64_MAX;
}

static uint32_t choose(const struct heap *heap, uint64_t bytes)
{
    uint64_t most_split = find_most_split(heap);
    uint32_t found = heap_find(heap, find_pool(bytes), bytes, 0);
    if (found == HEAP_NONE)
        return HEAP_NONE;
    uint64_t block_bytes = heap->block[found].end - heap->block[found].begin;
    bool refused =
        bytes < most_split ? block_bytes >= most_split : block_bytes - bytes >= LARGE_SEGMENT;
    return refused ? HEAP_NONE : found;
}

static bool splits(const struct heap *heap, const struct heap_block *block, uint64_t bytes)
{
    uint64_t rest = block->end - block->begin - bytes;
    if (heap->region[block->region].kind == SMALL)
        return rest >= LEAST_REST;
    return bytes < find_most_split(heap) && rest > MIB;
}

static struct heap_region extend(struct heap *heap, uint64_t bytes)
{
    uint64_t segment = bytes <= MIB       ? SMALL_SEGMENT
                       : bytes < 10 * MIB ? LARGE_SEGMENT
                                          : align_up(bytes, SMALL_SEGMENT);
    return (struct heap_region){.bytes = align_up(segment, heap->granule),
                                .kind = find_pool(bytes)};
}

static const struct heap_rule caching = {find_key, choose, splits, extend, true, false};
static const struct heap_rule restoring = {find_key, choose, splits, extend, true, true};

static const struct planner rows[] = {
    {ALLOCATOR("pytorch_caching", "as PyTorch at run time: best fit in segments of 2 and 20 MiB",
               "pytorch c10/cuda/CUDACachingAllocator.cpp at eb42ad6eca0c"),
     .options = options, .rule = &caching, .plan = heap_plan},
    {ALLOCATOR_WITH("cudagraph_pool", "as CUDA graph trees: the same, put back for each recording",
                    "pytorch torch/_inductor/cudagraph_trees.py at 00008d32e650", 0),
     .options = options, .rule = &restoring, .plan = heap_plan},
};

HEURISTICS_ROWS(pytorch, rows);
