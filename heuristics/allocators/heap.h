#ifndef MEMPLAN_HEURISTICS_ALLOCATORS_HEAP_H
#define MEMPLAN_HEURISTICS_ALLOCATORS_HEAP_H

#include "heuristics/common/treap.h"
#include "planning/plan/planner.h"

/* An allocator that hands out blocks of regions, as runtimes do while a model runs: each region is
   cut into blocks, a request takes the front of a free block, and a block that is freed joins its
   free neighbours in the region. The allocators differ in which free block they take, when they
   split it, and how large a new region is: the members of struct heap_rule.

   A plan is made by playing the calls of one run: at each step first the frees of what ends there,
   then the allocations of what begins there, in the order of the problem.

   Regions lie end to end in the order of their creation, above all fixed buffers. Sizes are rounded
   up to a multiple of the planner's first option and of the alignments of all buffers. Buffers are
   kept from their first step to their last, unless the rule restores. pools is the number of
   regions; pool_bytes is what they take: their whole bytes or, where a region has no end of its
   own, the greatest end of a block in it. */

#define HEAP_NONE UINT32_MAX

struct heap_block {
    uint64_t begin, end; /* inside the region */
    uint32_t region;
    uint64_t freed; /* number of the free by which it became free */
};

struct heap_region {
    uint64_t bytes; /* it ends here */
    uint64_t used;  /* the greatest end of a block that was ever taken */
    uint64_t start; /* the bytes of all regions before it */
    uint32_t kind;  /* for the rule */
};

struct heap {
    const struct planner *planner;
    const struct heap_rule *rule;
    uint64_t granule;
    uint64_t sum_bytes;       /* of all rounded sizes */
    struct heap_block *block; /* [2 * buffers + 1] */
    uint32_t *spare;          /* [spares] numbers of blocks that are not in use */
    uint32_t spares;
    struct heap_region *region; /* [regions <= buffers] */
    uint32_t regions;
    struct treap free_by_place;  /* free blocks by region and begin */
    struct treap free_by_choice; /* free blocks by rule->key */
    uint64_t frees;
    uint64_t next_bytes; /* for the rule; 0 at first */
};

struct heap_rule {
    /* What free blocks are ordered by. */
    struct treap_key (*key)(const struct heap *heap, const struct heap_block *block);
    /* The free block that a request of `bytes` takes; HEAP_NONE for none. */
    uint32_t (*choose)(const struct heap *heap, uint64_t bytes);
    /* Whether the rest of a block stays free, where it is larger than the request; NULL: always. */
    bool (*splits)(const struct heap *heap, const struct heap_block *block, uint64_t bytes);
    /* The new region for a request that no free block can take. */
    struct heap_region (*extend)(struct heap *heap, uint64_t bytes);
    bool takes_whole_regions; /* pool_bytes has the bytes of regions, not what is used of them */
    /* A buffer is freed where a segment ends, and where the next one begins its old bytes are taken
       again, before anything else is allocated there. */
    bool restores;
};

enum { HEAP_ALIGNMENT }; /* the planner's first option */

/* Where regions have no end of their own, this is it. */
#define HEAP_ENDLESS (UINT64_MAX / 2)

/* The free block of the least key of its group that is not below (group, rank, tie); HEAP_NONE for
   none. O(log buffers). */
uint32_t heap_find(const struct heap *heap, uint64_t group, uint64_t rank, uint64_t tie);

/* The free block of a region with the highest address; HEAP_NONE for none. O(log buffers). */
uint32_t heap_find_last(const struct heap *heap, uint32_t region);

/* The `plan` of a planner whose rule is a struct heap_rule. PLAN_UNSUPPORTED where a size or an end
   does not fit into 2^63 bytes, or bytes that are to be restored are in use. O(n log n) beside what
   the rule takes. */
enum status heap_plan(const struct planner *planner, const struct planner_task *task,
                      struct plan *plan, struct error *error);

/* Sizes and the events of a run, for allocators that work otherwise. */
struct heap_calls {
    uint64_t granule; /* all sizes are multiples */
    uint64_t *bytes;  /* [buffers] rounded up */
    uint64_t sum;     /* of bytes */
    uint64_t base;    /* where free buffers may begin: a multiple of granule above all fixed ones */
    bool fits;        /* false: something is not below 2^63, and nothing else holds */
};
enum status heap_calls_create(const struct problem *problem, uint64_t granule,
                              struct heap_calls *calls, struct scratch *scratch,
                              struct error *error);

/* Members of struct planner that all rows of this folder have in common, and those that know holes
   have too. */
#define ALLOCATOR(name_, title_, source_) ALLOCATOR_WITH(name_, title_, source_, PLANNER_NO_HOLES)
#define ALLOCATOR_WITH(name_, title_, source_, flags_)                                             \
    .name = name_, .family = "allocators", .title = title_, .source = source_,                     \
    .flags = PLANNER_NO_WINDOWS | PLANNER_POOLED | (flags_)

#endif
