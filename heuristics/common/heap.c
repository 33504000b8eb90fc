#include "heuristics/common/heap.h"

#include <assert.h>
#include <stdbool.h>

#include "core/memory.h"

static bool is_before(struct min_heap_item a, struct min_heap_item b)
{
    return a.key != b.key ? a.key < b.key : a.value < b.value;
}

enum status min_heap_reserve(struct min_heap *heap, size_t items, struct error *error)
{
    return memory_reserve(&heap->item, &heap->capacity, items, sizeof *heap->item, error);
}

enum status min_heap_push(struct min_heap *heap, uint64_t key, uint32_t value, struct error *error)
{
    const struct min_heap_item item = {key, value};
    TRY(min_heap_reserve(heap, (size_t)heap->count + 1, error));
    assert(heap->count < heap->capacity);
    uint32_t at = heap->count++;
    while (at > 0 && is_before(item, heap->item[(at - 1) / 2])) {
        heap->item[at] = heap->item[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap->item[at] = item;
    return STATUS_OK;
}

struct min_heap_item min_heap_pop(struct min_heap *heap)
{
    assert(heap->count > 0);
    struct min_heap_item least = heap->item[0], last = heap->item[--heap->count];
    uint32_t at = 0, child;
    while ((child = 2 * at + 1) < heap->count) {
        if (child + 1 < heap->count && is_before(heap->item[child + 1], heap->item[child]))
            child++;
        if (!is_before(heap->item[child], last))
            break;
        heap->item[at] = heap->item[child];
        at = child;
    }
    heap->item[at] = last;
    return least;
}

void min_heap_free(struct min_heap *heap)
{
    memory_free(heap->item);
    *heap = (struct min_heap){0};
}
