#include "solvers/exact/race/blame.h"

#include <assert.h>

#include "core/memory.h"
#include "core/sort.h"

void exact_blame_add(struct exact_state *state, uint32_t section)
{
    assert(section < state->model->sections);
    const struct exact_model *model = state->model;
    for (uint64_t i = model->first[section]; i < model->first[section + 1]; i++)
        state->experience->blame[model->member[i]] += !state->placed[model->member[i]];
}

/* Gives all buffers of a chain of equal ones the greatest blame in the chain. */
static void share_blame(struct exact_state *state)
{
    const uint32_t *before = state->model->before;
    uint64_t *blame = state->experience->blame;
    for (uint32_t b = state->model->buffers; b-- > 0;)
        if (before[b] != EXACT_NONE && blame[before[b]] < blame[b])
            blame[before[b]] = blame[b];
    for (uint32_t b = 0; b < state->model->buffers; b++)
        if (before[b] != EXACT_NONE) {
            assert(before[b] < b);
            blame[b] = blame[before[b]];
        }
}

static enum status sort_by_blame(const struct exact_state *state, const uint32_t *base,
                                 uint32_t *sorted, struct error *error)
{
    uint32_t buffers = state->model->buffers;
    uint64_t *key;
    TRY(memory_create(&key, buffers, sizeof *key, error));
    for (uint32_t b = 0; b < buffers; b++) {
        sorted[base[b]] = b;
        key[base[b]] = UINT64_MAX - state->experience->blame[b];
    }
    enum status status = sort_items(key, sorted, buffers, error);
    memory_free(key);
    return status;
}

enum status exact_blame_rank(struct exact_state *state, const uint32_t *base, uint32_t *rank,
                             struct error *error)
{
    uint32_t buffers = state->model->buffers, *sorted;
    share_blame(state);
    TRY(memory_create(&sorted, buffers, sizeof *sorted, error));
    enum status status = sort_by_blame(state, base, sorted, error);
    for (uint32_t i = 0; !status && i < buffers; i++)
        rank[sorted[i]] = i;
    memory_free(sorted);
    return status;
}

uint64_t exact_blame_luby(uint64_t index)
{
    assert(index > 0);
    for (;;) {
        uint64_t term = 1;
        while (2 * term - 1 < index)
            term *= 2;
        if (2 * term - 1 == index)
            return term;
        index -= term - 1;
    }
}
