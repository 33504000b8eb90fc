#include "solvers/exact/race/strategy.h"

#include <assert.h>
#include <math.h>

#include "core/memory.h"
#include "core/rows.h"

/* The load of the fullest section that the buffer is in. */
static uint64_t get_load(const void *context, uint32_t buffer)
{
    const struct exact_model *model = context;
    uint64_t most = 0;
    assert(model->first_section[buffer] < model->first_section[buffer + 1]);
    for (uint64_t i = model->first_section[buffer]; i < model->first_section[buffer + 1]; i++) {
        uint64_t load = model->load[model->section[i]];
        most = load > most ? load : most;
    }
    return most;
}

static uint64_t get_duration(const void *context, uint32_t buffer)
{
    const struct exact_model *model = context;
    return model->duration[buffer];
}

static uint64_t get_size(const void *context, uint32_t buffer)
{
    const struct exact_model *model = context;
    return model->size[buffer];
}

static uint64_t get_area(const void *context, uint32_t buffer)
{
    const struct exact_model *model = context;
    return model->duration[buffer] * model->size[buffer];
}

static uint64_t get_sections(const void *context, uint32_t buffer)
{
    const struct exact_model *model = context;
    return model->first_section[buffer + 1] - model->first_section[buffer];
}

/* A rank by the first key, the greatest first, and where that is equal by the next. */
#define KEY(name)                                                                                  \
    {                                                                                              \
        .value = get_##name, .descending = true                                                    \
    }
#define RANK(first, second, third)                                                                 \
    {                                                                                              \
        KEY(first), KEY(second), KEY(third)                                                        \
    }

/* The fields are those of struct exact_strategy. Nearly every problem that has a plan is solved
   almost without going back by some strategy, and not in a million steps by another. So it matters
   most that strategies differ, and more of them join when the first ones fail. Where there is no
   plan, all need about as long, so the last one, which is there for proofs, gets more time than all
   others that do not learn. Those that learn find most of the plans that the others do not. */
static const struct exact_strategy strategies[] = {
    {EXACT_BY_CANDIDATES, true, RANK(load, duration, area), 0, 1, false, false},
    {EXACT_BY_CANDIDATES_PER_WEIGHT, true, RANK(sections, size, load), 0, 1, false, false},
    {EXACT_BY_BUFFER, false, RANK(sections, size, load), 0, 1, false, false},
    {EXACT_BY_BYTES_LEFT, false, RANK(sections, size, load), 0, 1, false, false},
    {EXACT_BY_CANDIDATES, true, RANK(load, size, duration), 0, 1, false, false},
    {EXACT_BY_BYTES_LEFT, true, RANK(load, duration, area), 0, 1, false, false},
    {EXACT_BY_WEIGHT, true, RANK(load, duration, area), 0, 1, false, false},
    {EXACT_BY_BUFFER, false, RANK(load, duration, area), 0, 1, false, false},
    {EXACT_BY_CANDIDATES, false, RANK(load, area, duration), 0, 1, false, false},
    {EXACT_BY_SLACK, true, RANK(sections, load, duration), 0, 1, false, false},
    {EXACT_BY_CANDIDATES_PER_WEIGHT, true, RANK(load, duration, area), 1, 30, true, false},
    {EXACT_BY_CANDIDATES_PER_WEIGHT, true, RANK(sections, size, load), 1, 30, true, false},
    {EXACT_BY_CANDIDATES, true, RANK(load, duration, area), 1, 15, true, false},
    {EXACT_BY_WEIGHT, true, RANK(load, duration, area), 1, 15, true, false},
    {EXACT_BY_CANDIDATES_PER_WEIGHT, true, RANK(load, duration, area), 1, 100, true, true},
    {EXACT_BY_CANDIDATES, true, RANK(sections, size, load), 1, 1, false, false},
    {EXACT_BY_CANDIDATES_PER_WEIGHT, true, RANK(duration, area, load), 1, 1, false, false},
    {EXACT_BY_FLOOR, true, RANK(area, duration, load), 1, 1, false, false},
    {EXACT_BY_BYTES_LEFT, true, RANK(sections, size, load), 1, 1, false, false},
    {EXACT_BY_BUFFER, false, RANK(sections, load, duration), 1, 1, false, false},
    {EXACT_BY_CANDIDATES_PER_WEIGHT, false, RANK(load, area, duration), 1, 1, false, false},
    {EXACT_BY_CANDIDATES, false, RANK(size, duration, load), 1, 1, false, false},
    {EXACT_BY_WEIGHT, false, RANK(load, duration, area), 1, 1, false, false},
    {EXACT_BY_SLACK, false, RANK(load, duration, area), 1, 1, false, false},
    {EXACT_BY_WEIGHT, true, RANK(load, size, duration), 1, 1, false, false},
    {EXACT_BY_CANDIDATES_PER_WEIGHT, true, RANK(area, duration, load), 1, 40, false, false},
};

ROWS_DEFINE(exact_strategy, struct exact_strategy, strategies);

enum status exact_strategy_rank(const struct exact_strategy *strategy,
                                const struct exact_model *model, uint32_t *rank,
                                struct error *error)
{
    SCOPED(memory_release) uint32_t *sorted = NULL;
    TRY(memory_create(&sorted, model->buffers, sizeof *sorted, error));
    TRY(sort_by_keys(strategy->rank, model, model->buffers, sorted, error));
    for (uint32_t i = 0; i < model->buffers; i++)
        rank[sorted[i]] = i;
    return STATUS_OK;
}

/* The least key is the best. */
static double get_section_key(const struct exact_state *state, enum exact_section_rule rule,
                              uint32_t section)
{
    switch (rule) {
    case EXACT_BY_CANDIDATES:
        return (double)state->candidates[section];
    case EXACT_BY_CANDIDATES_PER_WEIGHT:
        return (double)state->candidates[section] / state->experience->weight[section];
    case EXACT_BY_SLACK:
    case EXACT_BY_BYTES_LEFT:
        return -(double)state->compared[section];
    case EXACT_BY_WEIGHT:
        return -state->experience->weight[section];
    default:
        return (double)state->floor[section];
    }
}

static bool is_forced(const struct exact_state *state, uint32_t section)
{
    return state->rules & EXACT_RULE_FORCED && state->candidates[section] == 1;
}

/* The section with the least key of those whose floor is not above `highest`: of equal ones that
   with the lower floor, then the earlier one. A forced section comes before all others. */
static uint32_t choose_section(enum exact_section_rule rule, const struct exact_state *state,
                               struct exact_range sections, uint64_t highest)
{
    uint32_t chosen = EXACT_NONE;
    double best = 0;
    for (uint32_t s = sections.begin; s < sections.end; s++) {
        if (state->floor[s] == UINT64_MAX || state->floor[s] > highest)
            continue;
        if (is_forced(state, s))
            return s;
        assert(state->candidates[s] > 0);
        double key = get_section_key(state, rule, s);
        if (chosen != EXACT_NONE &&
            (key > best || (key == best && state->floor[s] >= state->floor[chosen])))
            continue;
        chosen = s;
        best = key;
    }
    return chosen;
}

static uint32_t find_better(const struct exact_state *state, uint32_t chosen, uint32_t buffer)
{
    assert(buffer != EXACT_NONE && !state->placed[buffer]);
    bool better = chosen == EXACT_NONE || state->rank[buffer] < state->rank[chosen];
    return better ? buffer : chosen;
}

/* The best of the buffers left at the offset in some of the sections, all of which are in one
   batch; EXACT_NONE for none. */
static uint32_t choose_in_batch(const struct exact_state *state, struct exact_range sections,
                                uint64_t offset)
{
    assert(sections.begin < sections.end);
    const struct exact_grid *grid = state->batches.grid;
    const struct exact_rectangles *rectangles = grid->rectangles;
    uint32_t batch = sections.begin / grid->lanes, chosen = EXACT_NONE;
    const uint32_t *order = state->batches.order + grid->first[batch];
    assert((sections.end - 1) / grid->lanes == batch);
    for (uint32_t i = 0; i < state->batches.left[batch]; i++) {
        const struct exact_entry *entry = &grid->entry[order[i]];
        assert(!state->placed[entry->buffer]);
        if (state->lowest[entry->buffer] == offset &&
            rectangles->begin[entry->rectangle] < sections.end &&
            rectangles->end[entry->rectangle] > sections.begin)
            chosen = find_better(state, chosen, entry->buffer);
    }
    return chosen;
}

/* The best buffer that can lie at the offset, which is the lowest floor of the sections; where one
   of the sections with this floor is forced, its buffer. */
static uint32_t choose_at(const struct exact_state *state, struct exact_range sections,
                          uint64_t offset)
{
    uint32_t chosen = EXACT_NONE, lanes = state->batches.grid->lanes;
    for (uint32_t s = sections.begin; s < sections.end; s++)
        if (state->floor[s] == offset && is_forced(state, s))
            return choose_in_batch(state, (struct exact_range){s, s + 1}, offset);
    for (uint32_t s = sections.begin; s < sections.end; s++) {
        if (state->floor[s] != offset)
            continue;
        uint32_t next = (s / lanes + 1) * lanes;
        uint32_t end = next < sections.end ? next : sections.end;
        chosen = find_better(state, chosen,
                             choose_in_batch(state, (struct exact_range){s, end}, offset));
        s = end - 1;
    }
    assert(chosen != EXACT_NONE);
    return chosen;
}

/* The lowest of the conflicting buffers that could lie below the buffer; EXACT_NONE for none. */
static uint32_t find_below(const struct exact_state *state, uint32_t buffer)
{
    assert(!state->placed[buffer]);
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
    assert(found == EXACT_NONE || state->lowest[found] < state->lowest[buffer]);
    return found;
}

/* What a state would choose: of several the one with the least key comes first. */
struct choice {
    uint32_t buffer;
    double key;
};

static struct choice choose_in(const struct exact_strategy *strategy,
                               const struct exact_state *state, struct exact_range sections)
{
    const struct exact_batches *batches = &state->batches;
    enum exact_section_rule rule = strategy->section_rule;
    uint32_t begin = sections.begin, end = sections.end;
    uint64_t lowest = UINT64_MAX;
    double capacity = (double)state->capacity;
    assert(begin < end && end <= state->model->sections);
    exact_batches_read(batches, EXACT_FLOOR, begin, end, state->floor);
    for (uint32_t s = begin; s < end; s++)
        lowest = state->floor[s] < lowest ? state->floor[s] : lowest;
    if (lowest == UINT64_MAX)
        return (struct choice){EXACT_NONE, 0};
    exact_batches_read(batches, EXACT_CANDIDATES, begin, end, state->candidates);
    if (rule == EXACT_BY_SLACK)
        exact_batches_read(batches, EXACT_SPAN, begin, end, state->compared);
    if (rule == EXACT_BY_BYTES_LEFT)
        exact_batches_read(batches, EXACT_BYTES_LEFT, begin, end, state->compared);
    if (rule == EXACT_BY_BUFFER)
        return (struct choice){choose_at(state, sections, lowest), (double)lowest / capacity};
    uint64_t highest = strategy->anywhere ? UINT64_MAX : lowest;
    uint32_t section = choose_section(rule, state, sections, highest);
    assert(section != EXACT_NONE);
    assert(state->floor[section] >= lowest && state->floor[section] <= highest);
    struct exact_range only = {section, section + 1};
    uint32_t buffer = choose_in_batch(state, only, state->floor[section]);
    assert(buffer != EXACT_NONE && !state->placed[buffer]);

    /* Goes from the buffer down to one below which no other can lie. That is never a rejected
       buffer, since one that was rejected always has another that can lie below it. */
    for (uint32_t below = buffer; strategy->anywhere && below != EXACT_NONE;) {
        buffer = below;
        below = find_below(state, buffer);
    }
    double key = get_section_key(state, rule, section);
    bool is_bytes = rule == EXACT_BY_SLACK || rule == EXACT_BY_BYTES_LEFT || rule == EXACT_BY_FLOOR;
    return (struct choice){buffer, is_forced(state, section) ? -HUGE_VAL
                                   : is_bytes                ? key / capacity
                                                             : key};
}

uint32_t exact_strategy_choose(const struct exact_strategy *strategy,
                               const struct exact_state *state, struct exact_range sections)
{
    struct choice chosen = choose_in(strategy, state, sections);
    while ((state = state->along) && chosen.buffer != EXACT_NONE) {
        struct choice other = choose_in(strategy, state, sections);
        chosen = other.key < chosen.key ? other : chosen;
    }
    return chosen.buffer;
}
