#include "solvers/exact/model/pieces.h"

#include "core/memory.h"
#include "solvers/exact/model/model.h"

/* The piece that a buffer's next section may continue; end 0 for none. */
struct open_piece {
    uint64_t lower, width;
    uint32_t end, piece;
};

struct builder {
    const struct exact_model *model;
    struct exact_pieces *pieces;
    struct open_piece *open; /* [buffers] */
};

static struct open_piece see_member(const struct exact_model *model, uint64_t member)
{
    uint64_t size = model->size[model->member[member]];
    return (struct open_piece){.lower = model->whole ? 0 : model->window[member],
                               .width = model->whole ? size : model->width[member]};
}

/* True where the member is not more of the buffer's last piece. */
static bool opens_piece(struct builder *builder, uint32_t section, uint64_t member)
{
    struct open_piece *open = &builder->open[builder->model->member[member]];
    struct open_piece seen = see_member(builder->model, member);
    bool continues =
        open->end && open->end == section && open->lower == seen.lower && open->width == seen.width;
    open->end = section + 1;
    open->lower = seen.lower;
    open->width = seen.width;
    return !continues;
}

static void count_pieces(struct builder *builder)
{
    const struct exact_model *model = builder->model;
    uint32_t *first = builder->pieces->first;
    for (uint32_t s = 0; s < model->sections; s++)
        for (uint64_t i = model->first[s]; i < model->first[s + 1]; i++)
            first[model->member[i] + 1] += opens_piece(builder, s, i);
    for (uint32_t b = 0; b < model->buffers; b++) {
        first[b + 1] += first[b];
        builder->open[b] = (struct open_piece){.piece = first[b]};
    }
    builder->pieces->count = first[model->buffers];
}

static void add_member(struct builder *builder, uint32_t section, uint64_t member)
{
    struct exact_pieces *pieces = builder->pieces;
    uint32_t buffer = builder->model->member[member];
    struct open_piece *open = &builder->open[buffer];
    if (opens_piece(builder, section, member)) {
        uint32_t piece = open->piece++;
        pieces->buffer[piece] = buffer;
        pieces->begin[piece] = section;
        pieces->lower[piece] = open->lower;
        pieces->width[piece] = open->width;
    }
    pieces->end[open->piece - 1] = section + 1;
}

static enum status fill_pieces(struct builder *builder, struct error *error)
{
    const struct exact_model *model = builder->model;
    struct exact_pieces *pieces = builder->pieces;
    TRY(memory_create(&pieces->first, (size_t)model->buffers + 1, sizeof(uint32_t), error));
    count_pieces(builder);
    TRY(memory_create(&pieces->buffer, pieces->count, sizeof(uint32_t), error));
    TRY(memory_create(&pieces->begin, pieces->count, sizeof(uint32_t), error));
    TRY(memory_create(&pieces->end, pieces->count, sizeof(uint32_t), error));
    TRY(memory_create(&pieces->lower, pieces->count, sizeof(uint64_t), error));
    TRY(memory_create(&pieces->width, pieces->count, sizeof(uint64_t), error));
    for (uint32_t s = 0; s < model->sections; s++)
        for (uint64_t i = model->first[s]; i < model->first[s + 1]; i++)
            add_member(builder, s, i);
    return STATUS_OK;
}

enum status exact_pieces_fill(const struct exact_model *model, struct exact_pieces *pieces,
                              struct error *error)
{
    struct builder builder = {.model = model, .pieces = pieces};
    TRY(memory_create(&builder.open, model->buffers, sizeof *builder.open, error));
    enum status status = fill_pieces(&builder, error);
    memory_free(builder.open);
    return status;
}

void exact_pieces_clear(struct exact_pieces *pieces)
{
    memory_free(pieces->first);
    memory_free(pieces->buffer);
    memory_free(pieces->begin);
    memory_free(pieces->end);
    memory_free(pieces->lower);
    memory_free(pieces->width);
    *pieces = (struct exact_pieces){0};
}
