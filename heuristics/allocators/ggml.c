/* The address allocator of ggml-org/ggml, src/ggml-alloc.c at d99724f2b141, which plans the
   activations of llama.cpp. It has up to 16 chunks. A request takes the smallest free block that is
   large enough, of equal ones the highest, where the last free block of each chunk does not count;
   a fit in a later chunk is preferred to any in an earlier one. Only where none fits, it takes the
   last block of a chunk, the one by which the chunk grows least, or of those that need no growth
   the one with the least bytes of former use left. Else a new chunk is made.

   chunk: the largest buffer of the device in bytes, to which a chunk is limited unless one request
   is larger; 0 for none. The sixteenth chunk has no limit.

   Departures: tensors are allocated when they begin, where ggml takes leaves and inputs first; what
   is written in place is one buffer before any planner sees it (docs/in-place.md), and it has one
   size, where ggml frees what is left behind a smaller result; no limit of 256 free blocks. For all
   sizes that a run may have, ggml keeps the offsets of the greatest.

   O(n (log n + chunks)). */

#include "heuristics/allocators/heap.h"
#include "heuristics/common/rows.h"

enum { CHUNK = HEAP_ALIGNMENT + 1, MOST_CHUNKS = 16 };

static const struct planner_option options[] = {
    [HEAP_ALIGNMENT] = {"alignment", "bytes that sizes are rounded up to", 32, 1, 1 << 20},
    [CHUNK] = {"chunk", "bytes of the largest chunk, 0 for no limit", 0, 0, INT64_MAX},
    {0},
};

/* The smallest of a chunk first, of equals the highest. */
static struct treap_key find_key(const struct heap *heap, const struct heap_block *block)
{
    (void)heap;
    return (struct treap_key){block->region, block->end - block->begin,
                              HEAP_ENDLESS - block->begin};
}

/* Among the last blocks of the chunks: `left` is how many bytes of former use would be left behind
   the request; below 0, by how many the chunk would grow. */
static uint32_t choose_last(const struct heap *heap, uint64_t bytes)
{
    uint32_t best = HEAP_NONE;
    int64_t best_left = 0;
    for (uint32_t chunk = 0; chunk < heap->regions; chunk++) {
        uint32_t last = heap_find_last(heap, chunk);
        if (last == HEAP_NONE || heap->block[last].end - heap->block[last].begin < bytes)
            continue;
        int64_t left = (int64_t)(heap->region[chunk].used - heap->block[last].begin - bytes);
        bool grows_less = best_left < 0 && left > best_left;
        bool fits_better = left >= 0 && left < best_left;
        if (best == HEAP_NONE || grows_less || fits_better) {
            best = last;
            best_left = left;
        }
    }
    return best;
}

static uint32_t choose(const struct heap *heap, uint64_t bytes)
{
    for (uint32_t chunk = heap->regions; chunk-- > 0;) {
        uint32_t last = heap_find_last(heap, chunk), found = heap_find(heap, chunk, bytes, 0);
        if (found != HEAP_NONE && found == last) {
            struct treap_key key = find_key(heap, &heap->block[last]);
            found = heap_find(heap, chunk, key.rank, key.tie + 1);
        }
        if (found != HEAP_NONE)
            return found;
    }
    return choose_last(heap, bytes);
}

static struct heap_region extend(struct heap *heap, uint64_t bytes)
{
    uint64_t limit = planner_option_value(heap->planner, CHUNK);
    if (limit == 0 || heap->regions == MOST_CHUNKS - 1)
        limit = HEAP_ENDLESS;
    return (struct heap_region){.bytes = bytes > limit ? bytes : limit};
}

static const struct heap_rule rule = {find_key, choose, NULL, extend, false, false};

static const struct planner rows[] = {
    {ALLOCATOR("ggml", "as llama.cpp: smallest free block, the end of a chunk last",
               "ggml-org/ggml src/ggml-alloc.c at d99724f2b141"),
     .options = options, .rule = &rule, .plan = heap_plan},
};

HEURISTICS_ROWS(ggml, rows);
