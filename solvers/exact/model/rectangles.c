#include "solvers/exact/model/rectangles.h"

#include <assert.h>

#include "core/memory.h"

/* The last rectangle of a buffer so far. The buffer's next section continues it if that is section
   `end` and uses the same bytes; end is 0 where there is no rectangle yet. */
struct open_rectangle {
    uint64_t lower, width;
    uint32_t end, rectangle;
};

struct builder {
    const struct exact_model *model;
    struct exact_rectangles *rectangles;
    struct open_rectangle *open; /* [buffers] */
};

/* True where the member does not continue its buffer's last rectangle. */
static bool opens_rectangle(struct builder *builder, uint32_t section, uint64_t member)
{
    assert(section < builder->model->sections);
    struct open_rectangle *open = &builder->open[builder->model->member[member]];
    uint64_t lower = exact_member_lower(builder->model, member);
    uint64_t width = exact_member_width(builder->model, member);
    bool continues =
        open->end && open->end == section && open->lower == lower && open->width == width;
    open->end = section + 1;
    open->lower = lower;
    open->width = width;
    return !continues;
}

static void count_rectangles(struct builder *builder)
{
    const struct exact_model *model = builder->model;
    uint32_t *first = builder->rectangles->first;
    for (uint32_t s = 0; s < model->sections; s++)
        for (uint64_t i = model->first[s]; i < model->first[s + 1]; i++)
            first[model->member[i] + 1] += opens_rectangle(builder, s, i);
    for (uint32_t b = 0; b < model->buffers; b++) {
        first[b + 1] += first[b];
        builder->open[b] = (struct open_rectangle){.rectangle = first[b]};
    }
    builder->rectangles->count = first[model->buffers];
    assert(builder->rectangles->count >= model->buffers);
}

static void add_member(struct builder *builder, uint32_t section, uint64_t member)
{
    struct exact_rectangles *rectangles = builder->rectangles;
    uint32_t buffer = builder->model->member[member];
    struct open_rectangle *open = &builder->open[buffer];
    if (opens_rectangle(builder, section, member)) {
        uint32_t rectangle = open->rectangle++;
        rectangles->buffer[rectangle] = buffer;
        rectangles->begin[rectangle] = section;
        rectangles->lower[rectangle] = open->lower;
        rectangles->width[rectangle] = open->width;
    }
    assert(open->rectangle <= rectangles->first[buffer + 1]);
    assert(open->rectangle > rectangles->first[buffer]);
    rectangles->end[open->rectangle - 1] = section + 1;
}

static enum status fill_rectangles(struct builder *builder, struct error *error)
{
    const struct exact_model *model = builder->model;
    struct exact_rectangles *rectangles = builder->rectangles;
    struct scratch *memory = &rectangles->memory;
    TRY(scratch_take(memory, &rectangles->first, (size_t)model->buffers + 1, sizeof(uint32_t),
                     error));
    count_rectangles(builder);
    TRY(scratch_take(memory, &rectangles->buffer, rectangles->count, sizeof(uint32_t), error));
    TRY(scratch_take(memory, &rectangles->begin, rectangles->count, sizeof(uint32_t), error));
    TRY(scratch_take(memory, &rectangles->end, rectangles->count, sizeof(uint32_t), error));
    TRY(scratch_take(memory, &rectangles->lower, rectangles->count, sizeof(uint64_t), error));
    TRY(scratch_take(memory, &rectangles->width, rectangles->count, sizeof(uint64_t), error));
    for (uint32_t s = 0; s < model->sections; s++)
        for (uint64_t i = model->first[s]; i < model->first[s + 1]; i++)
            add_member(builder, s, i);
    return STATUS_OK;
}

enum status exact_rectangles_fill(const struct exact_model *model,
                                  struct exact_rectangles *rectangles, struct error *error)
{
    struct builder builder = {.model = model, .rectangles = rectangles};
    rectangles->sections = model->sections;
    TRY(memory_create(&builder.open, model->buffers, sizeof *builder.open, error));
    enum status status = fill_rectangles(&builder, error);
    memory_free(builder.open);
    return status;
}
