#include "solvers/exact/model/rectangles.h"

#include <assert.h>

#include "core/memory.h"

/* The last rectangle of a buffer so far. The buffer's next section continues it if that is section
   `end` and uses the same bytes; end is 0 where there is no rectangle yet. */
struct open_rectangle {
    uint64_t lower, width;
    uint32_t end, rectangle;
};

/* Makes the member the last one of its buffer. True where it does not continue the buffer's last
   rectangle. */
static bool opens_rectangle(const struct exact_model *model, struct open_rectangle *open,
                            uint32_t section, uint64_t member)
{
    uint64_t lower = exact_member_lower(model, member), width = exact_member_width(model, member);
    bool continues =
        section && open->end == section && open->lower == lower && open->width == width;
    assert(section < model->sections && open->end <= section && width > 0);
    open->end = section + 1;
    open->lower = lower;
    open->width = width;
    return !continues;
}

enum status exact_rectangles_fill(const struct exact_model *model,
                                  struct exact_rectangles *rectangles, struct error *error)
{
    struct scratch *memory = &rectangles->memory;
    SCOPED(memory_release) struct open_rectangle *open = NULL;
    rectangles->sections = model->sections;
    TRY(memory_create(&open, model->buffers, sizeof *open, error));
    TRY(scratch_take(memory, &rectangles->first, (size_t)model->buffers + 1, sizeof(uint32_t),
                     error));
    uint32_t *first = rectangles->first;
    for (uint32_t s = 0; s < model->sections; s++)
        for (uint64_t i = model->first[s]; i < model->first[s + 1]; i++) {
            uint32_t b = model->member[i];
            first[b + 1] += opens_rectangle(model, &open[b], s, i);
        }
    for (uint32_t b = 0; b < model->buffers; b++) {
        first[b + 1] += first[b];
        open[b] = (struct open_rectangle){.rectangle = first[b]};
    }
    uint32_t count = rectangles->count = first[model->buffers];
    assert(count >= model->buffers);
    TRY(scratch_take(memory, &rectangles->buffer, count, sizeof(uint32_t), error));
    TRY(scratch_take(memory, &rectangles->begin, count, sizeof(uint32_t), error));
    TRY(scratch_take(memory, &rectangles->end, count, sizeof(uint32_t), error));
    TRY(scratch_take(memory, &rectangles->lower, count, sizeof(uint64_t), error));
    TRY(scratch_take(memory, &rectangles->width, count, sizeof(uint64_t), error));
    for (uint32_t s = 0; s < model->sections; s++)
        for (uint64_t i = model->first[s]; i < model->first[s + 1]; i++) {
            uint32_t b = model->member[i];
            if (opens_rectangle(model, &open[b], s, i)) {
                uint32_t rectangle = open[b].rectangle++;
                rectangles->buffer[rectangle] = b;
                rectangles->begin[rectangle] = s;
                rectangles->lower[rectangle] = open[b].lower;
                rectangles->width[rectangle] = open[b].width;
            }
            assert(open[b].rectangle > first[b] && open[b].rectangle <= first[b + 1]);
            rectangles->end[open[b].rectangle - 1] = s + 1;
        }
    return STATUS_OK;
}
