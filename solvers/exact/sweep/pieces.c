#include "solvers/exact/sweep/pieces.h"

#include <assert.h>

#include "core/memory.h"

bool sweep_pieces_can(const struct exact_model *model)
{
    bool can = model->whole && !model->has_fixed && model->sections > 1;
    for (uint32_t b = 0; b < model->buffers && can; b++) {
        uint64_t first = model->first_section[b], last = model->first_section[b + 1] - 1;
        can = model->alignment[b] == 1 &&
              model->section[last] - model->section[first] == last - first;
    }
    return can;
}

static enum status reserve(struct sweep_pieces *pieces, struct error *error)
{
    size_t room[] = {pieces->room, pieces->room, pieces->room}, needed = (size_t)pieces->count + 1;
    TRY(memory_reserve(&pieces->size, &room[0], needed, sizeof *pieces->size, error));
    TRY(memory_reserve(&pieces->first, &room[1], needed, sizeof *pieces->first, error));
    TRY(memory_reserve(&pieces->last, &room[2], needed, sizeof *pieces->last, error));
    pieces->room = room[0];
    return STATUS_OK;
}

/* A piece that lasts until the last section unless it is ended sooner. */
static enum status begin_piece(struct sweep_pieces *pieces, uint64_t size, uint32_t first,
                               struct error *error)
{
    TRY(reserve(pieces, error));
    pieces->size[pieces->count] = size;
    pieces->first[pieces->count] = first;
    assert(size > 0);
    pieces->last[pieces->count++] = EXACT_NONE;
    return STATUS_OK;
}

/* Ends a filler of the size before the section, or else what is needed of the latest ones. */
static enum status end_fillers(struct sweep_pieces *pieces, uint32_t buffers, uint64_t size,
                               uint32_t section, struct error *error)
{
    uint32_t filler = pieces->count;
    assert(filler > buffers && size > 0 && section > 0);
    for (uint32_t i = buffers; i < pieces->count; i++)
        if (pieces->last[i] == EXACT_NONE && pieces->size[i] == size)
            filler = i;
    while (size > 0) {
        if (filler == pieces->count)
            while (pieces->last[--filler] != EXACT_NONE)
                assert(filler > buffers);
        if (pieces->size[filler] > size) {
            TRY(begin_piece(pieces, pieces->size[filler] - size, pieces->first[filler], error));
            pieces->size[filler] = size;
        }
        assert(pieces->size[filler] <= size && pieces->first[filler] < section);
        pieces->last[filler] = section - 1;
        size -= pieces->size[filler];
        filler = pieces->count;
    }
    return STATUS_OK;
}

static enum status add_fillers(const struct exact_model *model, uint64_t capacity,
                               struct sweep_pieces *pieces, struct error *error)
{
    uint64_t most = model->buffers + model->buffers / SWEEP_BUFFERS_PER_FILLER, free = 0;
    for (uint32_t s = 0; s < model->sections && pieces->count <= most; s++) {
        assert(model->load[s] <= capacity);
        uint64_t left = capacity - model->load[s];
        if (left > free)
            TRY(begin_piece(pieces, left - free, s, error));
        else if (left < free)
            TRY(end_fillers(pieces, model->buffers, free - left, s, error));
        free = left;
    }
    if (pieces->count > most)
        pieces->count = 0;
    return STATUS_OK;
}

enum status sweep_pieces_fill(const struct exact_model *model, uint64_t capacity,
                              struct sweep_pieces *pieces, struct error *error)
{
    assert(sweep_pieces_can(model));
    pieces->count = 0;
    for (uint32_t b = 0; b < model->buffers; b++) {
        TRY(begin_piece(pieces, model->size[b], model->section[model->first_section[b]], error));
        pieces->last[b] = model->section[model->first_section[b + 1] - 1];
        assert(pieces->first[b] <= pieces->last[b]);
    }
    TRY(add_fillers(model, capacity, pieces, error));
    for (uint32_t i = model->buffers; i < pieces->count; i++) {
        if (pieces->last[i] == EXACT_NONE)
            pieces->last[i] = model->sections - 1;
        assert(pieces->first[i] <= pieces->last[i]);
    }
    groups_free(&pieces->first_in);
    groups_free(&pieces->last_in);
    TRY(groups_create(&pieces->first_in, model->sections, pieces->first, pieces->count, error));
    return groups_create(&pieces->last_in, model->sections, pieces->last, pieces->count, error);
}

void sweep_pieces_free(struct sweep_pieces *pieces)
{
    groups_free(&pieces->first_in);
    groups_free(&pieces->last_in);
    memory_free(pieces->size);
    memory_free(pieces->first);
    memory_free(pieces->last);
    *pieces = (struct sweep_pieces){.count = 0};
}
