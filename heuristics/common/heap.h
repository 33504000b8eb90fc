#ifndef MEMPLAN_HEURISTICS_COMMON_HEAP_H
#define MEMPLAN_HEURISTICS_COMMON_HEAP_H

#include "core/error.h"

#include <stddef.h>
#include <stdint.h>

/* A binary heap of values by key, ties by value; least on top. */
struct min_heap_item {
    uint64_t key;
    uint32_t value;
};

struct min_heap {
    struct min_heap_item *item; /* [count], item[0] is the least */
    uint32_t count;
    size_t capacity;
};

/* O(log count). Pushing never fails where min_heap_reserve made room. */
enum status min_heap_push(struct min_heap *heap, uint64_t key, uint32_t value, struct error *error);
enum status min_heap_reserve(struct min_heap *heap, size_t items, struct error *error);
struct min_heap_item min_heap_pop(struct min_heap *heap); /* of one that is not empty */
void min_heap_free(struct min_heap *heap);

#endif
