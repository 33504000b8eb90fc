#ifndef MEMPLAN_CORE_SORT_H
#define MEMPLAN_CORE_SORT_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* Sorts the keys and moves the items along: ascending, equal keys stay in their order. Radix sort
   by bytes that leaves out bytes in which all keys agree. O(count) time, 12 bytes of scratch each.
 */
enum status sort_items(uint64_t *key, uint32_t *item, size_t count, struct error *error);

#endif
