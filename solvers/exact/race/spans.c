#include "solvers/exact/race/spans.h"

#include <assert.h>
#include <string.h>

#include "solvers/exact/race/blame.h"
#include "solvers/exact/race/raise.h"

/* The compiler makes two variants of a function, one of them for processors with wider vectors, and
   the program chooses one when it starts. Only what is inlined into the function is compiled for
   the wider vectors, too. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CLONES __attribute__((target_clones("avx2", "default")))
#else
#define CLONES
#endif

/* Raises the weight of a section that has refused a node; later refusals raise it by more. Before
   the weights overflow all of them are made smaller. */
static void add_weight(struct exact_state *state, uint32_t section)
{
    struct exact_experience *experience = state->experience;
    assert(section < state->model->sections);
    if (experience->blame)
        exact_blame_add(state, section);
    experience->weight[section] += experience->increment;
    experience->increment *= 1.0005;
    if (experience->increment < 1e100)
        return;
    for (uint32_t s = 0; s < state->model->sections; s++)
        experience->weight[s] *= 1e-100;
    experience->increment *= 1e-100;
}

#define LANE int16_t
#define NAME(name) name##_16
#include "solvers/exact/race/spans_lanes.h"
#undef LANE
#undef NAME

#define LANE int32_t
#define NAME(name) name##_32
#include "solvers/exact/race/spans_lanes.h"
#undef LANE
#undef NAME

#define LANE int64_t
#define NAME(name) name##_64
#include "solvers/exact/race/spans_lanes.h"
#undef LANE
#undef NAME

static bool refresh_block(struct exact_state *state, uint32_t block)
{
    assert(block < state->blocks.grid->blocks);
    return EXACT_FOR_WIDTH(state->blocks.grid, refresh, state, block);
}

/* The block that refused a node last comes first, since that refuses again more often than any
   other. */
bool exact_spans_refresh(struct exact_state *state)
{
    assert(state->blocks.touched_count <= 2 * state->blocks.grid->blocks);
    struct exact_blocks *blocks = &state->blocks;
    if (blocks->is_touched[blocks->refused_last] && !refresh_block(state, blocks->refused_last))
        return false;
    while (blocks->touched_count) {
        uint32_t block = blocks->touched[--blocks->touched_count];
        if (blocks->is_touched[block] && !refresh_block(state, block))
            return false;
    }
    return true;
}
