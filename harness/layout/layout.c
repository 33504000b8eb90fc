#include "harness/layout/layout.h"

#include "core/memory.h"

enum status layout_add(struct layout *layout, struct layout_rectangle rectangle,
                       struct error *error)
{
    TRY(memory_reserve(&layout->rectangle, &layout->capacity, (size_t)layout->count + 1,
                       sizeof *layout->rectangle, error));
    layout->rectangle[layout->count++] = rectangle;
    return STATUS_OK;
}

enum status layout_add_extents(struct layout *layout, struct layout_rectangle rectangle,
                               struct extents_walk walk, struct error *error)
{
    struct extent extent;
    while (extents_next(&walk, &extent)) {
        rectangle.offset = extent.offset;
        rectangle.size = extent.bytes;
        TRY(layout_add(layout, rectangle, error));
    }
    return STATUS_OK;
}

uint32_t layout_region(const struct graph *graph, uint32_t tensor)
{
    uint32_t producer = graph->tensor[tensor].producer;
    return producer == GRAPH_NONE ? 0 : graph->op[producer].region;
}

void layout_free(struct layout *layout)
{
    memory_free(layout->rectangle);
    *layout = (struct layout){0};
}
