#include "solvers/exact/race/order.h"

#include "core/memory.h"
#include "core/sort.h"

/* Nearly every problem that has a plan is solved almost without going back by some member, and not
   in a million steps by another; what matters is that they differ, so more of them join when the
   first ones fail. Where there is no plan, all need about as long, so that one of them gets about
   as much time as the others together. */
static const struct exact_order orders[] = {
    {"any_candidates_twa", EXACT_BY_CANDIDATES, true, "TWA", 0, 1},
    {"any_candidates_per_weight_szt", EXACT_BY_CANDIDATES_PER_WEIGHT, true, "SZT", 0, 1},
    {"level_szt", EXACT_BY_BUFFER, false, "SZT", 0, 1},
    {"bytes_left_szt", EXACT_BY_BYTES_LEFT, false, "SZT", 0, 1},
    {"any_candidates_tzw", EXACT_BY_CANDIDATES, true, "TZW", 0, 1},
    {"any_bytes_left_twa", EXACT_BY_BYTES_LEFT, true, "TWA", 0, 1},
    {"any_weight_twa", EXACT_BY_WEIGHT, true, "TWA", 0, 1},
    {"level_twa", EXACT_BY_BUFFER, false, "TWA", 0, 1},
    {"candidates_taw", EXACT_BY_CANDIDATES, false, "TAW", 0, 1},
    {"any_slack_stw", EXACT_BY_SLACK, true, "STW", 0, 1},
    {"any_candidates_szt", EXACT_BY_CANDIDATES, true, "SZT", 1, 1},
    {"any_candidates_per_weight_wat", EXACT_BY_CANDIDATES_PER_WEIGHT, true, "WAT", 1, 1},
    {"any_floor_awt", EXACT_BY_FLOOR, true, "AWT", 1, 1},
    {"any_bytes_left_szt", EXACT_BY_BYTES_LEFT, true, "SZT", 1, 1},
    {"level_stw", EXACT_BY_BUFFER, false, "STW", 1, 1},
    {"candidates_per_weight_taw", EXACT_BY_CANDIDATES_PER_WEIGHT, false, "TAW", 1, 1},
    {"candidates_zwt", EXACT_BY_CANDIDATES, false, "ZWT", 1, 1},
    {"weight_twa", EXACT_BY_WEIGHT, false, "TWA", 1, 1},
    {"slack_twa", EXACT_BY_SLACK, false, "TWA", 1, 1},
    {"any_weight_tzw", EXACT_BY_WEIGHT, true, "TZW", 1, 1},
    {"proof_awt", EXACT_BY_CANDIDATES_PER_WEIGHT, true, "AWT", 1, 40},
};

uint32_t exact_order_count(void)
{
    return sizeof orders / sizeof *orders;
}

const struct exact_order *exact_order_at(uint32_t index)
{
    return &orders[index];
}

static uint64_t find_fullest(const struct exact_model *model, uint32_t buffer)
{
    uint64_t most = 0;
    for (uint64_t i = model->first_section[buffer]; i < model->first_section[buffer + 1]; i++) {
        uint64_t load = model->load[model->section[i]];
        most = load > most ? load : most;
    }
    return most;
}

static uint64_t get_value(const struct exact_model *model, uint32_t buffer, char letter)
{
    switch (letter) {
    case 'T':
        return find_fullest(model, buffer);
    case 'W':
        return model->duration[buffer];
    case 'A':
        return model->duration[buffer] * model->size[buffer];
    case 'Z':
        return model->size[buffer];
    default:
        return model->first_section[buffer + 1] - model->first_section[buffer];
    }
}

static enum status sort_buffers(const struct exact_order *order, const struct exact_model *model,
                                uint64_t *key, uint32_t *sorted, struct error *error)
{
    uint32_t letters = 0;
    while (order->rank[letters])
        letters++;
    for (uint32_t b = 0; b < model->buffers; b++)
        sorted[b] = b;
    while (letters-- > 0) {
        for (uint32_t i = 0; i < model->buffers; i++)
            key[i] = UINT64_MAX - get_value(model, sorted[i], order->rank[letters]);
        TRY(sort_items(key, sorted, model->buffers, error));
    }
    return STATUS_OK;
}

enum status exact_order_rank(const struct exact_order *order, const struct exact_model *model,
                             uint32_t *rank, struct error *error)
{
    uint64_t *key = NULL;
    uint32_t *sorted = NULL;
    enum status status;
    TRY_OR_DONE(status, memory_create(&key, model->buffers, sizeof *key, error));
    TRY_OR_DONE(status, memory_create(&sorted, model->buffers, sizeof *sorted, error));
    TRY_OR_DONE(status, sort_buffers(order, model, key, sorted, error));
    for (uint32_t i = 0; i < model->buffers; i++)
        rank[sorted[i]] = i;
done:
    memory_free(key);
    memory_free(sorted);
    return status;
}

/* What the rule looks at; the least is the best. */
static void read_sections(const struct exact_order *order, const struct exact_state *state,
                          uint32_t begin, uint32_t end)
{
    const struct exact_blocks *blocks = &state->blocks;
    exact_blocks_read(blocks, EXACT_CANDIDATES, begin, end, state->candidates);
    if (order->key == EXACT_BY_SLACK)
        exact_blocks_read(blocks, EXACT_SPAN, begin, end, state->compared);
    if (order->key == EXACT_BY_BYTES_LEFT)
        exact_blocks_read(blocks, EXACT_BYTES_LEFT, begin, end, state->compared);
}

static double get_key(const struct exact_state *state, enum exact_key key, uint32_t section)
{
    switch (key) {
    case EXACT_BY_CANDIDATES:
        return (double)state->candidates[section];
    case EXACT_BY_CANDIDATES_PER_WEIGHT:
        return (double)state->candidates[section] / state->weight[section];
    case EXACT_BY_SLACK:
    case EXACT_BY_BYTES_LEFT:
        return -(double)state->compared[section];
    case EXACT_BY_WEIGHT:
        return -state->weight[section];
    default:
        return (double)state->floor[section];
    }
}

static uint64_t find_level(const struct exact_state *state, uint32_t begin, uint32_t end)
{
    uint64_t level = UINT64_MAX;
    exact_blocks_read(&state->blocks, EXACT_FLOOR, begin, end, state->floor);
    for (uint32_t s = begin; s < end; s++)
        level = state->floor[s] < level ? state->floor[s] : level;
    return level;
}

static bool is_forced(const struct exact_state *state, uint32_t section)
{
    return state->rules & EXACT_RULE_FORCED && state->candidates[section] == 1;
}

static uint32_t choose_section(const struct exact_order *order, const struct exact_state *state,
                               uint32_t begin, uint32_t end, uint64_t level)
{
    uint32_t chosen = EXACT_NONE;
    double best = 0;
    for (uint32_t s = begin; s < end; s++) {
        if (state->floor[s] == UINT64_MAX || (!order->anywhere && state->floor[s] > level))
            continue;
        if (is_forced(state, s))
            return s;
        double key = get_key(state, order->key, s);
        if (chosen != EXACT_NONE &&
            (key > best || (key == best && state->floor[s] >= state->floor[chosen])))
            continue;
        chosen = s;
        best = key;
    }
    return chosen;
}

/* Of the buffers at the offset that begin before the end of some sections and end behind their
   begin, and what is chosen so far, the best one. They are all in the block. */
static uint32_t choose_in_block(const struct exact_state *state, uint32_t block, uint32_t begin,
                                uint32_t end, uint64_t offset, uint32_t chosen)
{
    const struct exact_grid *grid = state->blocks.grid;
    const struct exact_pieces *pieces = &state->model->pieces;
    const uint32_t *order = state->blocks.order + grid->first[block];
    for (uint32_t i = 0; i < state->blocks.left[block]; i++) {
        const struct exact_job *job = &grid->job[order[i]];
        if (state->lowest[job->buffer] == offset && pieces->begin[job->piece] < end &&
            pieces->end[job->piece] > begin &&
            (chosen == EXACT_NONE || state->rank[job->buffer] < state->rank[chosen]))
            chosen = job->buffer;
    }
    return chosen;
}

static uint32_t choose_in_section(const struct exact_state *state, uint32_t section,
                                  uint64_t offset)
{
    uint32_t block = section / state->blocks.grid->lanes;
    return choose_in_block(state, block, section, section + 1, offset, EXACT_NONE);
}

static uint32_t choose_at_level(const struct exact_state *state, uint32_t begin, uint32_t end,
                                uint64_t level)
{
    uint32_t chosen = EXACT_NONE, lanes = state->blocks.grid->lanes;
    for (uint32_t s = begin; s < end; s++)
        if (state->floor[s] == level && is_forced(state, s))
            return choose_in_section(state, s, level);
    for (uint32_t s = begin; s < end; s++)
        if (state->floor[s] == level) {
            chosen = choose_in_block(state, s / lanes, begin, end, level, chosen);
            s = (s / lanes + 1) * lanes - 1;
        }
    return chosen;
}

/* A conflicting buffer that could lie below, the lowest first. */
static uint32_t find_below(const struct exact_state *state, uint32_t buffer)
{
    const struct conflicts *conflicts = state->model->conflicts;
    uint32_t found = EXACT_NONE;
    for (uint64_t i = conflicts->first[buffer]; i < conflicts->first[buffer + 1]; i++) {
        uint32_t other = conflicts->other[i];
        if (!state->placed[other] &&
            state->lowest[other] + exact_below(state->model, i) <= state->lowest[buffer] &&
            (found == EXACT_NONE || state->lowest[other] < state->lowest[found] ||
             (state->lowest[other] == state->lowest[found] &&
              state->rank[other] < state->rank[found])))
            found = other;
    }
    return found;
}

/* A rejected buffer always has another below it. */
static uint32_t go_down(const struct exact_state *state, uint32_t buffer)
{
    for (uint32_t below = buffer; below != EXACT_NONE; below = find_below(state, buffer))
        buffer = below;
    return buffer;
}

uint32_t exact_order_choose(const struct exact_order *order, const struct exact_state *state,
                            uint32_t begin, uint32_t end)
{
    uint64_t level = find_level(state, begin, end);
    if (level == UINT64_MAX)
        return EXACT_NONE;
    read_sections(order, state, begin, end);
    if (order->key == EXACT_BY_BUFFER)
        return choose_at_level(state, begin, end, level);
    uint32_t section = choose_section(order, state, begin, end, level);
    uint32_t buffer = choose_in_section(state, section, state->floor[section]);
    return order->anywhere ? go_down(state, buffer) : buffer;
}
