#ifndef MEMPLAN_CORE_SORT_H
#define MEMPLAN_CORE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* Items, and the key of each. */
struct sort_columns {
    uint64_t *key;  /* [count] */
    uint32_t *item; /* [count] */
};

/* Sorts the keys and moves the items along: ascending, equal keys stay in their order. A radix sort
   that leaves out bits in which all keys agree. The scratch has room for count items. O(count). */
void sort_with_scratch(struct sort_columns items, struct sort_columns scratch, size_t count);

/* Does the same with scratch of its own, 12 bytes for each item. */
enum status sort_items(uint64_t *key, uint32_t *item, size_t count, struct error *error);

/* One of the keys by which sort_by_keys sorts the numbers 0 .. count - 1: `value` gives the key of
   a number, from the context of the call, or the keys stand in an array, as numbers of 32 or 64
   bits. With neither it is no key. */
struct sort_key {
    uint64_t (*value)(const void *context, uint32_t number);
    bool descending;
    const void *first; /* item of the array */
    size_t offset, stride, bytes;
};
#define SORT_ARRAY(keys) .first = (keys), .stride = sizeof *(keys), .bytes = sizeof *(keys)
#define SORT_MEMBER(items, type, member)                                                           \
    .first = (items), .offset = offsetof(type, member), .stride = sizeof *(items),                 \
    .bytes = sizeof((type *)NULL)->member
enum { SORT_MOST_KEYS = 4 };

/* Fills sorted[count] with the numbers 0 .. count - 1 by the first key, equal ones by the next and
   at last by themselves. O(count) time for each key, 20 bytes of scratch for each number. */
enum status sort_by_keys(const struct sort_key key[SORT_MOST_KEYS], const void *context,
                         uint32_t count, uint32_t *sorted, struct error *error);

#endif
