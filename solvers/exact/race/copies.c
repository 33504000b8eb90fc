#include "solvers/exact/race/copies.h"

#include <assert.h>
#include <string.h>

/* What a copy begins with; the arrays follow. */
struct head {
    uint64_t placed;
    uint64_t rejected_count;
};

/* Bytes of each section of a batch, see lanes.h. */
enum { FOUND_BYTES = 4 * EXACT_BATCH_BYTES };

struct exact_copies exact_copies_of(struct exact_state *state)
{
    const struct exact_grid *grid = state->batches.grid;
    assert(grid);
    size_t buffers = state->model->buffers, sections = state->model->sections;
    struct exact_copies copies = {
        .state = state,
        .array = {{state->lowest, buffers * sizeof *state->lowest},
                  {state->refused, buffers * sizeof *state->refused},
                  {state->support, buffers * sizeof *state->support},
                  {state->filler, buffers * sizeof *state->filler},
                  {state->batches.found, (size_t)grid->batches * FOUND_BYTES},
                  {state->rejected, buffers * sizeof *state->rejected},
                  {state->rejected_at, buffers * sizeof *state->rejected_at},
                  {state->placement, buffers * sizeof *state->placement},
                  {state->across, (sections + 1) * sizeof *state->across},
                  {state->batches.order, grid->entries * sizeof *state->batches.order},
                  {state->batches.left, grid->batches * sizeof *state->batches.left},
                  {state->placed, buffers * sizeof *state->placed},
                  {state->needs, buffers * sizeof *state->needs}},
        .bytes = sizeof(struct head)};
    for (uint32_t i = 0; i < EXACT_COPIED_ARRAYS; i++)
        copies.bytes += copies.array[i].bytes;
    copies.bytes = (copies.bytes + 7) / 8 * 8;
    return copies;
}

void exact_copies_save(const struct exact_copies *copies, void *copy)
{
    const struct exact_state *state = copies->state;
    assert(!state->batches.touched_count);
    const struct head head = {.placed = state->top.placed, .rejected_count = state->rejected_count};
    unsigned char *to = copy;
    memcpy(to, &head, sizeof head);
    to += sizeof head;
    for (uint32_t i = 0; i < EXACT_COPIED_ARRAYS; to += copies->array[i++].bytes)
        memcpy(to, copies->array[i].at, copies->array[i].bytes);
    assert((size_t)(to - (unsigned char *)copy) <= copies->bytes);
}

void exact_copies_load(const struct exact_copies *copies, const void *copy)
{
    struct exact_state *state = copies->state;
    struct head head;
    const unsigned char *from = copy;
    memcpy(&head, from, sizeof head);
    assert(head.rejected_count <= state->model->buffers);
    from += sizeof head;
    for (uint32_t i = 0; i < EXACT_COPIED_ARRAYS; from += copies->array[i++].bytes)
        memcpy(copies->array[i].at, from, copies->array[i].bytes);
    exact_batches_forget_touches(&state->batches);
    state->rejected_count = (uint32_t)head.rejected_count;
    /* A new serial number, so that what changes from here on is saved on the trail. */
    state->top = (struct exact_mark){.placed = head.placed, .serial = ++state->last_serial};
    assert(state->top.placed <= state->model->buffers);
}
