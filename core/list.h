#ifndef MEMPLAN_CORE_LIST_H
#define MEMPLAN_CORE_LIST_H

#include <stdint.h>

#include "core/memory.h"

/* An array that grows, such as LIST_OF(struct event) event, zero-initialised; its owner frees the
   items. */
#define LIST_OF(type)                                                                              \
    struct {                                                                                       \
        type *item; /* [count] */                                                                  \
        uint32_t count;                                                                            \
        size_t capacity;                                                                           \
    }

/* Adds an item in O(1) amortised, or returns at once where there is no memory for it. */
#define TRY_ADD(list, error, ...)                                                                  \
    do {                                                                                           \
        TRY(memory_reserve(&(list).item, &(list).capacity, (size_t)(list).count + 1,               \
                           sizeof *(list).item, error));                                           \
        (list).item[(list).count++] = (__VA_ARGS__);                                               \
    } while (0)

#endif
