#include "ordering/common/ready_heap.h"

#include <assert.h>

enum status ready_heap_create(struct ready_heap *heap, uint32_t operators, struct scratch *scratch,
                              struct error *error)
{
    TRY(scratch_take_all(scratch, operators, error, &heap->item, &heap->position));
    for (uint32_t v = 0; v < operators; v++)
        heap->position[v] = UINT32_MAX;
    heap->count = 0;
    return STATUS_OK;
}

bool ready_heap_has(const struct ready_heap *heap, uint32_t op)
{
    return heap->position[op] != UINT32_MAX;
}

static void set_item(struct ready_heap *heap, uint32_t position, uint32_t op)
{
    heap->item[position] = op;
    heap->position[op] = position;
}

static uint32_t move_up(struct ready_heap *heap, uint32_t position)
{
    uint32_t op = heap->item[position];
    while (position > 0) {
        uint32_t parent = (position - 1) / 2;
        if (!heap->comes_first(heap->context, op, heap->item[parent]))
            break;
        set_item(heap, position, heap->item[parent]);
        position = parent;
    }
    set_item(heap, position, op);
    return position;
}

static void move_down(struct ready_heap *heap, uint32_t position)
{
    uint32_t op = heap->item[position];
    for (uint32_t child = 2 * position + 1; child < heap->count; child = 2 * position + 1) {
        if (child + 1 < heap->count &&
            heap->comes_first(heap->context, heap->item[child + 1], heap->item[child]))
            child++;
        if (!heap->comes_first(heap->context, heap->item[child], op))
            break;
        set_item(heap, position, heap->item[child]);
        position = child;
    }
    set_item(heap, position, op);
}

void ready_heap_push(struct ready_heap *heap, uint32_t op)
{
    assert(!ready_heap_has(heap, op));
    set_item(heap, heap->count++, op);
    move_up(heap, heap->count - 1);
}

void ready_heap_move(struct ready_heap *heap, uint32_t op)
{
    assert(ready_heap_has(heap, op));
    move_down(heap, move_up(heap, heap->position[op]));
}

uint32_t ready_heap_pop(struct ready_heap *heap)
{
    assert(heap->count > 0);
    uint32_t top = heap->item[0], last = heap->item[--heap->count];
    heap->position[top] = UINT32_MAX;
    if (heap->count) {
        set_item(heap, 0, last);
        move_down(heap, 0);
    }
    return top;
}
