#include "solvers/exact/learn/learn.h"

#include <assert.h>

#include "core/clock.h"
#include "core/memory.h"
#include "solvers/exact/learn/clauses.h"
#include "solvers/exact/learn/propagate.h"
#include "solvers/exact/learn/trail.h"

enum { RESTART_CONFLICTS = 256 };

bool exact_learn_can(const struct problem *problem)
{
    return problem_ample_bytes(problem) <= EXACT_LEARN_MOST;
}

enum status exact_learn_create(const struct exact_model *model,
                               const struct exact_learn_options *options,
                               struct exact_learn **created, struct error *error)
{
    struct exact_learn *learn;
    TRY(memory_create(&learn, 1, sizeof *learn, error));
    learn->model = model;
    learn->rules = options->rules;
    learn->increment = 1;
    enum status status = exact_learn_fill(learn, error);
    if (status)
        exact_learn_free(learn);
    else
        *created = learn;
    return status;
}

void exact_learn_free(struct exact_learn *learn)
{
    if (!learn)
        return;
    scratch_free(&learn->memory);
    memory_free(learn->event);
    memory_free(learn->atom);
    memory_free(learn->clause);
    memory_free(learn->clause_literal);
    memory_free(learn->watch);
    memory_free(learn);
}

/* How long run `index` is before a restart, in multiples of the first: 1 1 2 1 1 2 4 ... (Luby,
   Sinclair and Zuckerman, Information Processing Letters 47, 1993). */
static uint64_t find_luby(uint64_t index)
{
    uint64_t size = 1, value = 1;
    for (; size < index + 1; size = 2 * size + 1)
        value *= 2;
    while (size - 1 != index) {
        size = (size - 1) / 2;
        value /= 2;
        index %= size;
    }
    return value;
}

/* True where the variable's two buffers overlap if all buffers lie at their lowest offsets. */
static bool is_violated(const struct exact_learn *learn, uint32_t variable)
{
    assert(variable < learn->variables);
    const struct exact_literal *literal = &learn->literal[2 * (size_t)variable];
    int64_t distance =
        learn->value[2 * (size_t)literal->to] - learn->value[2 * (size_t)literal->from];
    return distance < literal[0].distance && -distance < literal[1].distance;
}

static int64_t find_height(const struct exact_learn *learn, uint32_t variable)
{
    const struct exact_literal *literal = &learn->literal[2 * (size_t)variable];
    int64_t to = learn->value[2 * (size_t)literal->to];
    int64_t from = learn->value[2 * (size_t)literal->from];
    return to > from ? to : from;
}

/* The open variable to decide: of the pairs that overlap at their lowest offsets the most active
   one, and of several such the lowest. EXACT_NONE where no pair does: then the lowest offsets are a
   plan. */
static uint32_t choose_variable(const struct exact_learn *learn)
{
    uint32_t chosen = EXACT_NONE;
    for (uint32_t v = 0; v < learn->variables; v++) {
        if (learn->truth[2 * (size_t)v] || !is_violated(learn, v))
            continue;
        if (chosen == EXACT_NONE || learn->activity[v] > learn->activity[chosen] ||
            (learn->activity[v] == learn->activity[chosen] &&
             find_height(learn, v) < find_height(learn, chosen)))
            chosen = v;
    }
    return chosen;
}

/* The literal of the variable that held last time, or else the one that leaves the buffer it raises
   lower. */
static uint32_t choose_literal(const struct exact_learn *learn, uint32_t variable)
{
    assert(!learn->truth[2 * (size_t)variable]);
    const struct exact_literal *literal = &learn->literal[2 * (size_t)variable];
    int64_t to = learn->value[2 * (size_t)literal->to];
    int64_t from = learn->value[2 * (size_t)literal->from];
    if (learn->phase[variable] >= 0)
        return 2 * variable + (learn->phase[variable] > 0);
    return 2 * variable + (from + literal[0].distance > to + literal[1].distance);
}

static void decide(struct exact_learn *learn, uint32_t literal)
{
    assert(learn->levels < learn->variables && learn->handled == learn->events &&
           !learn->dirty_count);
    learn->counter[SEARCH_PLACEMENTS]++;
    assert(!learn->levels || learn->level_begin[learn->levels - 1] < learn->events);
    learn->level_begin[learn->levels++] = learn->events;
    exact_learn_assert(learn, literal, 0, (struct exact_reason){.kind = EXACT_BY_DECISION});
}

static void age_activity(struct exact_learn *learn)
{
    assert(learn->increment >= 1e-100);
    learn->increment *= 1.05;
    if (learn->increment < 1e100)
        return;
    learn->increment *= 1e-100;
    for (uint32_t v = 0; v < learn->variables; v++)
        learn->activity[v] *= 1e-100;
}

/* Adds a clause made of the conflict and goes back to where it says something new. False where no
   decision is to blame, so that the conflict refutes the capacity. */
static bool learn_from_conflict(struct exact_learn *learn, uint64_t *next_capacity)
{
    struct exact_learned learned;
    if (!exact_learn_explain(learn, &learned)) {
        assert(learned.limit >= learn->capacity);
        *next_capacity = learned.limit + 1;
        return false;
    }
    assert(learned.kept_levels < learn->levels && learned.limit >= learn->capacity);
    learn->counter[SEARCH_REJECTIONS]++;
    exact_learn_undo(learn, learned.kept_levels);
    uint32_t clause = exact_learn_add_clause(learn, &learned);
    if (clause != EXACT_NONE)
        exact_learn_assert(learn, learn->learned[0], 0,
                           (struct exact_reason){EXACT_BY_CLAUSE, clause, 0});
    age_activity(learn);
    return true;
}

/* decisions_end: what the counter of decisions is when the run has to end. */
static bool is_over(const struct exact_learn *learn, uint64_t decisions_end)
{
    return learn->status || learn->counter[SEARCH_PLACEMENTS] >= decisions_end ||
           !clock_left_ns(learn->deadline_ns);
}

/* Searches from an empty plan until a number of conflicts was met, or the run ends. */
static enum exact_outcome search_once(struct exact_learn *learn, uint64_t decisions_end,
                                      uint64_t conflicts, uint64_t *next_capacity)
{
    assert(conflicts > 0);
    learn->counter[SEARCH_RESTARTS]++;
    bool possible = exact_learn_start(learn) && exact_learn_watch_clauses(learn);
    while (!is_over(learn, decisions_end)) {
        if (!possible || !exact_learn_propagate(learn)) {
            if (!learn->status && !learn_from_conflict(learn, next_capacity))
                return EXACT_REFUTED;
            possible = true;
            if (!conflicts--)
                return EXACT_STOPPED;
            continue;
        }
        uint32_t variable = choose_variable(learn);
        assert(variable == EXACT_NONE || !learn->truth[2 * (size_t)variable]);
        if (variable == EXACT_NONE)
            return EXACT_FOUND;
        decide(learn, choose_literal(learn, variable));
    }
    return EXACT_STOPPED;
}

/* Where the fixed buffers end at the highest. */
static uint64_t find_fixed_end(const struct exact_model *model)
{
    uint64_t end = 0;
    for (uint32_t b = 0; b < model->buffers; b++)
        if (model->highest[b] != UINT64_MAX && model->highest[b] + model->size[b] > end)
            end = model->highest[b] + model->size[b];
    return end;
}

static uint64_t find_decisions_end(const struct exact_learn *learn, uint32_t round)
{
    uint64_t decisions = exact_round_double((uint64_t)learn->model->buffers * 5 / 2 + 8, round);
    uint64_t begin = learn->counter[SEARCH_PLACEMENTS];
    return decisions < UINT64_MAX - begin ? begin + decisions : UINT64_MAX;
}

enum status exact_learn_run(struct exact_learn *learn, const struct exact_round *round,
                            struct exact_answer *answer, struct error *error)
{
    uint64_t decisions_end = find_decisions_end(learn, round->number);
    learn->deadline_ns = round->deadline_ns;
    learn->capacity = round->capacity < EXACT_LEARN_MOST ? round->capacity : EXACT_LEARN_MOST;
    learn->error = error;
    answer->next_capacity = find_fixed_end(learn->model);
    answer->outcome = answer->next_capacity <= learn->capacity ? EXACT_STOPPED : EXACT_REFUTED;
    for (uint64_t i = 0; answer->outcome == EXACT_STOPPED && !is_over(learn, decisions_end); i++)
        answer->outcome = search_once(learn, decisions_end, RESTART_CONFLICTS * find_luby(i),
                                      &answer->next_capacity);
    for (uint32_t b = 0; answer->outcome == EXACT_FOUND && b < learn->model->buffers; b++)
        answer->offset[b] = (uint64_t)learn->value[2 * (size_t)b];
    assert(answer->outcome != EXACT_REFUTED || answer->next_capacity > learn->capacity);
    return learn->status;
}

void exact_learn_count(const struct exact_learn *learn, uint64_t counter[SEARCH_COUNTERS])
{
    for (uint32_t c = 0; c < SEARCH_COUNTERS; c++)
        counter[c] += learn->counter[c];
}
