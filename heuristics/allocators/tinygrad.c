/* The memory planner of tinygrad, tinygrad/schedule/memory.py at a9069c177a9d, over its allocator
   of segregated lists (TLSF, tinygrad/runtime/support/memory.py). A class has the blocks whose
   sizes have one bit length, cut into 32 sub-classes of equal width. For the search a request is
   rounded up to the width of its sub-class, and the first list from there on that is not empty
   gives its oldest block. All of it comes out of one region of twice the sum of the sizes.

   Departures: one device without copies, so one lane. O(n log n). */

#include "core/checked.h"
#include "heuristics/allocators/heap.h"
#include "heuristics/common/rows.h"

enum { SUB_BITS = 5 };

static const struct planner_option options[] = {
    [HEAP_ALIGNMENT] = {"alignment", "bytes that sizes are rounded up to", 256, 1, 1 << 20},
    {0},
};

/* How many low bits of a size its sub-class leaves open. */
static unsigned find_open_bits(uint64_t bytes)
{
    unsigned bits = 64 - (unsigned)__builtin_clzll(bytes);
    return bits > SUB_BITS + 1 ? bits - (SUB_BITS + 1) : 0;
}

/* The sub-classes of all classes, numbered by rising size. */
static uint64_t find_list(uint64_t bytes)
{
    unsigned open = find_open_bits(bytes);
    return ((uint64_t)open << (SUB_BITS + 1)) + (bytes >> open);
}

static struct treap_key find_key(const struct heap *heap, const struct heap_block *block)
{
    (void)heap;
    return (struct treap_key){find_list(block->end - block->begin), block->freed, 0};
}

static uint32_t choose(const struct heap *heap, uint64_t bytes)
{
    uint64_t wanted = align_up(bytes, UINT64_C(1) << find_open_bits(bytes));
    return treap_at_least(&heap->free_by_choice, (struct treap_key){find_list(wanted), 0, 0});
}

static struct heap_region extend(struct heap *heap, uint64_t bytes)
{
    (void)bytes;
    return (struct heap_region){.bytes = 2 * heap->sum_bytes};
}

static const struct heap_rule rule = {find_key, choose, NULL, extend, false, false};

static const struct planner rows[] = {
    {ALLOCATOR("tinygrad", "as tinygrad: oldest block of the first list of sizes that fit",
               "tinygrad/tinygrad tinygrad/schedule/memory.py at a9069c177a9d"),
     .options = options, .rule = &rule, .plan = heap_plan},
};

HEURISTICS_ROWS(tinygrad, rows);
