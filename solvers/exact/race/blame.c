#include "solvers/exact/race/blame.h"

#include <assert.h>

#include "core/memory.h"
#include "core/sort.h"

void exact_blame_add(struct exact_state *state, uint32_t section)
{
    assert(section < state->model->sections);
    const struct exact_model *model = state->model;
    assert(state->experience->blame);
    for (uint64_t i = model->first[section]; i < model->first[section + 1]; i++)
        state->experience->blame[model->member[i]] += !state->placed[model->member[i]];
}

enum status exact_blame_rank(struct exact_state *state, const uint32_t *base, uint32_t *rank,
                             struct error *error)
{
    const uint32_t *before = state->model->before;
    uint64_t *blame = state->experience->blame;
    uint32_t buffers = state->model->buffers;
    SCOPED(memory_release) uint32_t *sorted = NULL;
    SCOPED(memory_release) uint64_t *key = NULL;
    TRY(memory_create_all(buffers, error, &sorted, &key));
    for (uint32_t b = buffers; b-- > 0;)
        if (before[b] != EXACT_NONE && blame[before[b]] < blame[b])
            blame[before[b]] = blame[b];
    for (uint32_t b = 0; b < buffers; b++) {
        assert(base[b] < buffers && (before[b] == EXACT_NONE || before[b] < b));
        if (before[b] != EXACT_NONE)
            blame[b] = blame[before[b]];
        sorted[base[b]] = b;
        key[base[b]] = UINT64_MAX - blame[b];
    }
    assert(blame && state->model->buffers > 0);
    TRY(sort_items(key, sorted, buffers, error));
    for (uint32_t i = 0; i < buffers; i++)
        rank[sorted[i]] = i;
    return STATUS_OK;
}
