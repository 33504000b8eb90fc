#ifndef MEMPLAN_CORE_HEAP_H
#define MEMPLAN_CORE_HEAP_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* A binary heap of values by key, ties by value; the least is on top. Zero-initialise it. A
   greatest number is on top where its complement (~) is the key. */
struct heap_item {
    uint64_t key;
    uint32_t value;
};

struct heap {
    struct heap_item *item; /* [count], item[0] is the least */
    uint32_t count;
    size_t capacity;
};

/* Makes room for `items` items in all. */
enum status heap_reserve(struct heap *heap, size_t items, struct error *error);

/* O(log count); never fails where there is room. */
enum status heap_push(struct heap *heap, uint64_t key, uint32_t value, struct error *error);

/* Takes the least out of a heap that is not empty. O(log count). */
struct heap_item heap_pop(struct heap *heap);

void heap_free(struct heap *heap);

#endif
