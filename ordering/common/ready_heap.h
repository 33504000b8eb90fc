#ifndef MEMPLAN_ORDERING_COMMON_READY_HEAP_H
#define MEMPLAN_ORDERING_COMMON_READY_HEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "core/scratch.h"

/* A heap of the operators that may run; the one that comes first by a rule is on top. When the rule
   would rank a waiting operator differently, ready_heap_move has to be called. */
struct ready_heap {
    bool (*comes_first)(const void *context, uint32_t a,
                        uint32_t b); /* whether a comes before b: a total order */
    const void *context;
    uint32_t *item;     /* [count] a binary heap */
    uint32_t *position; /* [operators] in item; UINT32_MAX: not there */
    uint32_t count;
};

/* Makes an empty heap for numbers below `operators`; comes_first and context are set by the
   caller, the rest is in the scratch. */
enum status ready_heap_create(struct ready_heap *heap, uint32_t operators, struct scratch *scratch,
                              struct error *error);

/* Whether the operator waits in the heap. O(1). */
bool ready_heap_has(const struct ready_heap *heap, uint32_t op);
/* O(log count) comparisons each. */
void ready_heap_push(struct ready_heap *heap, uint32_t op);
void ready_heap_move(struct ready_heap *heap, uint32_t op); /* after its rank changed */
uint32_t ready_heap_pop(struct ready_heap *heap);

#endif
