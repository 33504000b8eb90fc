#include "solvers/tiles/fillers.h"

#include <assert.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/scratch.h"
#include "planning/problem/copy.h"

/* By how much the load changes at a step where a buffer begins or ends, modulo 2^64. */
struct change {
    uint32_t step;
    uint64_t bytes;
};

COMPARE_MEMBERS(compare_changes, struct change, step)

/* A filler that has begun. */
struct filler {
    uint64_t size;
    uint32_t lower;
};

struct fillers {
    struct filler *begun; /* [count], at most one for each change */
    uint32_t count;
    struct problem *filled;
    struct error *error;
};

/* Ends a filler, or a part of it of this size. */
static enum status end_filler(struct fillers *fillers, uint32_t index, uint64_t size, uint32_t step)
{
    struct filler *filler = &fillers->begun[index];
    const struct problem_buffer buffer = {
        .name = "", .size = size, .alignment = 1, .fixed_offset = PROBLEM_FREE, .hint = -1};
    const struct problem_segment segment = {
        .lower = filler->lower, .upper = step, .window_upper = size};
    assert(size > 0 && size <= filler->size && filler->lower < step);
    TRY(problem_add_buffer(fillers->filled, &buffer, fillers->error));
    TRY(problem_add_segment(fillers->filled, segment, fillers->error));
    filler->size -= size;
    if (!filler->size)
        *filler = fillers->begun[--fillers->count];
    return STATUS_OK;
}

/* The filler that ends next, wholly or in part, where fillers of `bytes` in all have to end: one of
   that size, or one of two that have it together, else the smallest larger one, or the largest. */
static uint32_t choose_filler(const struct fillers *fillers, uint64_t bytes)
{
    enum { MOST_LOOKED = 256 };
    const struct filler *begun = fillers->begun;
    uint32_t chosen = 0;
    for (uint32_t i = 1; i < fillers->count; i++) {
        uint64_t size = begun[i].size, best = begun[chosen].size;
        if (best < bytes ? size > best : size >= bytes && size < best)
            chosen = i;
    }
    if (begun[chosen].size == bytes)
        return chosen;
    for (uint32_t i = 1; i < fillers->count && i < MOST_LOOKED; i++)
        for (uint32_t k = 0; k < i; k++)
            if (begun[i].size + begun[k].size == bytes)
                return i;
    return chosen;
}

enum status fillers_add(const struct problem *problem, struct problem **created,
                        struct error *error)
{
    SCOPED(problem_release) struct problem *filled = NULL;
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct change *change;
    uint32_t *all;
    size_t changes = 2 * (size_t)problem->buffers;
    uint64_t load = 0, most = 0, free_bytes = 0;
    TRY(scratch_take(&scratch, &all, problem->buffers, sizeof *all, error));
    TRY(scratch_take(&scratch, &change, changes, sizeof *change, error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        all[b] = b;
        change[2 * (size_t)b] = (struct change){problem->lower[b], problem->size[b]};
        change[2 * (size_t)b + 1] = (struct change){problem->upper[b], 0 - problem->size[b]};
    }
    TRY(problem_copy_part(problem, "filled", all, problem->buffers, &filled, error));
    struct fillers fillers = {.filled = filled, .error = error};
    TRY(scratch_take(&scratch, &fillers.begun, changes, sizeof *fillers.begun, error));
    qsort(change, changes, sizeof *change, compare_changes);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < changes; i++) {
            load += change[i].bytes;
            if (i + 1 < changes && change[i + 1].step == change[i].step)
                continue;
            if (!pass) {
                most = load > most ? load : most;
                continue;
            }
            uint64_t left = i + 1 < changes ? most - load : 0;
            if (left > free_bytes)
                fillers.begun[fillers.count++] = (struct filler){left - free_bytes, change[i].step};
            for (uint64_t bytes; left < free_bytes; free_bytes -= bytes) {
                uint32_t chosen = choose_filler(&fillers, free_bytes - left);
                bytes = fillers.begun[chosen].size;
                bytes = bytes < free_bytes - left ? bytes : free_bytes - left;
                TRY(end_filler(&fillers, chosen, bytes, change[i].step));
            }
            free_bytes = left;
        }
        assert(!load);
    }
    assert(!fillers.count);
    TRY(problem_finish(filled, error));
    HAND_OVER(filled, created);
}
