#include "core/heap.h"

#include <assert.h>
#include <stdbool.h>

#include "core/memory.h"

static bool is_before(struct heap_item a, struct heap_item b)
{
    return a.key != b.key ? a.key < b.key : a.value < b.value;
}

enum status heap_reserve(struct heap *heap, size_t items, struct error *error)
{
    return memory_reserve(&heap->item, &heap->capacity, items, sizeof *heap->item, error);
}

enum status heap_push(struct heap *heap, uint64_t key, uint32_t value, struct error *error)
{
    const struct heap_item item = {key, value};
    TRY(heap_reserve(heap, (size_t)heap->count + 1, error));
    assert(heap->count < heap->capacity);
    uint32_t at = heap->count++;
    while (at > 0 && is_before(item, heap->item[(at - 1) / 2])) {
        heap->item[at] = heap->item[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap->item[at] = item;
    return STATUS_OK;
}

struct heap_item heap_pop(struct heap *heap)
{
    assert(heap->count);
    struct heap_item least = heap->item[0], last = heap->item[--heap->count];
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

void heap_free(struct heap *heap)
{
    memory_free(heap->item);
    *heap = (struct heap){0};
}
