#include "solvers/exact/race/beam.h"

#include <assert.h>
#include <math.h>

#include "core/memory.h"
#include "core/random.h"
#include "solvers/exact/race/cheapest.h"
#include "solvers/exact/race/copies.h"
#include "solvers/exact/race/node.h"

enum {
    CHILDREN = 3,        /* of a node, at most */
    LEAST_WIDTH = 8,     /* nodes of a level */
    COST = 2,            /* placements of a pass for each node of a level and each buffer, about */
    MOST_BYTES = 4 << 20 /* of all nodes that are kept at a time */
};

/* The share by which noise raises the measured waste of a node at most. */
static const double most_noise = 0.05;

struct exact_beam {
    struct exact_copies copies;
    struct exact_cheapest cheapest[2]; /* the nodes of one level and those of the next */
    uint32_t level; /* how many buffers are placed; cheapest[level % 2] has its nodes */
    uint32_t next;  /* which node of the level comes next */
    struct random_state random;
};

enum status exact_beam_create(struct exact_beam **beam, struct error *error)
{
    return memory_create(beam, 1, sizeof **beam, error);
}

void exact_beam_free(struct exact_beam *beam)
{
    if (!beam)
        return;
    exact_cheapest_clear(&beam->cheapest[0]);
    exact_cheapest_clear(&beam->cheapest[1]);
    memory_free(beam);
}

enum status exact_beam_begin(struct exact_beam *beam, struct exact_state *state,
                             uint64_t placements, uint64_t seed, struct error *error)
{
    assert(!state->top.placed && !state->batches.touched_count);
    beam->copies = exact_copies_of(state);
    uint64_t wanted = placements / COST / state->model->buffers;
    uint64_t most = MOST_BYTES / 2 / beam->copies.bytes;
    wanted = wanted < most ? wanted : most;
    uint32_t width = wanted < LEAST_WIDTH ? LEAST_WIDTH : (uint32_t)wanted;
    assert(width >= LEAST_WIDTH && beam->copies.bytes > 0);
    for (uint32_t i = 0; i < 2; i++) {
        struct exact_cheapest *cheapest = &beam->cheapest[i];
        if (cheapest->room == width && cheapest->bytes == beam->copies.bytes) {
            exact_cheapest_empty(cheapest);
            continue;
        }
        exact_cheapest_clear(cheapest);
        TRY(exact_cheapest_fill(cheapest, width, CHILDREN * width, beam->copies.bytes, error));
    }
    beam->level = beam->next = 0;
    beam->random = random_seed(seed);
    exact_copies_save(&beam->copies, exact_cheapest_add(&beam->cheapest[0], 0, 0));
    return STATUS_OK;
}

bool exact_beam_is_over(const struct exact_beam *beam)
{
    return beam->next >= beam->cheapest[beam->level % 2].count;
}

/* Keeps the node where the state is, if it is one of the best so far. Of nodes that agree in what
   matters for all that follows, which buffers are left, and their lowest offsets, one is kept. */
static void offer(struct exact_beam *beam)
{
    const struct exact_state *state = beam->copies.state;
    const struct exact_model *model = state->model;
    struct exact_cheapest *cheapest = &beam->cheapest[(beam->level + 1) % 2];
    double drawn = (double)(random_next(&beam->random) >> 11) / (double)(UINT64_C(1) << 53);
    uint64_t *span = state->compared, digest = 0;
    double waste = 0;
    assert(!state->batches.touched_count);
    exact_batches_read(&state->batches, EXACT_SPAN, 0, model->sections, span);
    for (uint32_t s = 0; s < model->sections; s++) {
        assert(span[s] <= state->capacity && model->load[s] <= state->capacity);
        if (span[s])
            waste += sqrt((double)(state->capacity - model->load[s])) -
                     sqrt((double)(state->capacity - span[s]));
    }
    waste *= 1 + most_noise * drawn;
    if (!exact_cheapest_wants(cheapest, waste))
        return;
    for (uint32_t b = 0; b < model->buffers; b++)
        if (!state->placed[b])
            digest += random_mix((state->lowest[b] << 24) ^ b);
    void *copy = exact_cheapest_add(cheapest, waste, digest);
    if (copy)
        exact_copies_save(&beam->copies, copy);
}

/* Offers the children of the next node: what the strategy chooses is placed, or rejected and what
   it chooses then is placed, and so on. */
enum status exact_beam_advance(struct exact_beam *beam, const struct exact_strategy *strategy,
                               bool *found, struct error *error)
{
    assert(!exact_beam_is_over(beam));
    struct exact_state *state = beam->copies.state;
    struct exact_cheapest *cheapest = &beam->cheapest[beam->level % 2];
    const struct exact_range all = {0, state->model->sections};
    exact_copies_load(&beam->copies, exact_cheapest_at(cheapest, beam->next++));
    for (uint32_t child = 0; child < CHILDREN; child++) {
        TRY(exact_state_reserve(state, error));
        uint32_t buffer = exact_strategy_choose(strategy, state, all);
        *found = buffer == EXACT_NONE;
        if (*found)
            return STATUS_OK;
        struct exact_mark mark = exact_node_mark(state);
        assert(!state->placed[buffer]);
        if (exact_node_place(state, buffer))
            offer(beam);
        exact_node_undo(state, &mark);
        if (!exact_node_reject(state, buffer))
            break;
    }
    if (beam->next < cheapest->count)
        return STATUS_OK;
    exact_cheapest_empty(cheapest);
    beam->next = 0;
    beam->level++;
    return STATUS_OK;
}
