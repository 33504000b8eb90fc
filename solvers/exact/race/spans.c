#include "solvers/exact/race/spans.h"

#include <assert.h>
#include <string.h>

#include "core/clones.h"
#include "solvers/exact/race/blame.h"
#include "solvers/exact/race/raise.h"

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

static bool refresh_batch(struct exact_state *state, uint32_t batch)
{
    assert(batch < state->batches.grid->batches);
    return EXACT_FOR_WIDTH(state->batches.grid, refresh, state, batch);
}

/* The batch that refused a node last comes first, since that refuses again more often than any
   other. */
bool exact_spans_refresh(struct exact_state *state)
{
    assert(state->batches.touched_count <= 2 * state->batches.grid->batches);
    struct exact_batches *batches = &state->batches;
    if (batches->is_touched[batches->refused_last] && !refresh_batch(state, batches->refused_last))
        return false;
    while (batches->touched_count) {
        uint32_t batch = batches->touched[--batches->touched_count];
        if (batches->is_touched[batch] && !refresh_batch(state, batch))
            return false;
    }
    return true;
}
