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
    SCOPED(exact_learn_release) struct exact_learn *learn = NULL;
    TRY(memory_create(&learn, 1, sizeof *learn, error));
    learn->model = model;
    learn->rules = options->rules;
    learn->twin = options->twin;
    learn->increment = 1;
    TRY(exact_learn_fill(learn, error));
    HAND_OVER(learn, created);
}

void exact_learn_free(struct exact_learn *learn)
{
    if (!learn)
        return;
    scratch_free(&learn->memory);
    memory_free_all(learn->event, learn->atom, learn->clause, learn->clause_literal, learn->watch,
                    learn);
}

void exact_learn_keep_log(struct exact_learn *learn, struct exact_log *log)
{
    assert(!learn->clauses && !learn->events);
    learn->log = log;
}

/* The open variable to decide: of the pairs that overlap if all buffers lie at their lowest offsets
   the most active one, and of several such the lowest. EXACT_NONE where no pair does: then the
   lowest offsets are a plan. */
static uint32_t choose_variable(const struct exact_learn *learn)
{
    uint32_t chosen = EXACT_NONE;
    int64_t least_height = 0;
    for (uint32_t v = 0; v < learn->variables; v++) {
        if (learn->truth[2 * (size_t)v])
            continue;
        const struct exact_literal *literal = &learn->literal[2 * (size_t)v];
        int64_t to = learn->value[2 * (size_t)literal->to];
        int64_t from = learn->value[2 * (size_t)literal->from];
        int64_t height = to > from ? to : from;
        assert(literal->from != literal->to && literal->from < learn->model->buffers);
        assert(literal[1].from == literal->to && literal[1].to == literal->from);
        if (to - from >= literal[0].distance || from - to >= literal[1].distance)
            continue;
        if (chosen != EXACT_NONE && learn->activity[v] <= learn->activity[chosen] &&
            (learn->activity[v] != learn->activity[chosen] || height >= least_height))
            continue;
        chosen = v;
        least_height = height;
    }
    return chosen;
}

/* Notes of each buffer that lies above the one that is alike, where the two conflict. */
static bool order_twins(struct exact_learn *learn)
{
    for (uint32_t b = 0; learn->twin && b < learn->model->buffers; b++)
        for (uint64_t i = learn->first[b]; i < learn->first[b + 1]; i++) {
            uint32_t literal = 2 * learn->variable[i];
            literal += learn->literal[literal].to != b;
            assert(learn->literal[literal].to == b);
            if (learn->literal[literal].from != learn->twin[b] || learn->truth[literal] ||
                learn->literal[literal ^ 1].distance < 1)
                continue;
            assert(learn->twin[b] < b && !learn->levels);
            if (!exact_learn_assert(learn, literal, 0,
                                    (struct exact_reason){.kind = EXACT_BY_TWINS}))
                return false;
        }
    return true;
}

/* Adds a clause made of the conflict and goes back to where it says something new. False where no
   decision is to blame, so that the conflict refutes the capacity. */
static bool learn_from_conflict(struct exact_learn *learn, uint64_t *next_capacity)
{
    struct exact_learned learned;
    if (!exact_learn_explain(learn, &learned)) {
        assert(learned.limit >= learn->capacity);
        *next_capacity = learned.limit < UINT64_MAX ? learned.limit + 1 : UINT64_MAX;
        return false;
    }
    assert(learned.kept_levels < learn->levels && learned.limit >= learn->capacity);
    learn->counter[SEARCH_REJECTIONS]++;
    exact_learn_undo(learn, learned.kept_levels);
    uint32_t clause = exact_learn_add_clause(learn, &learned);
    if (clause != EXACT_NONE)
        exact_learn_assert(learn, learn->learned[0], 0,
                           (struct exact_reason){EXACT_BY_CLAUSE, clause, 0});

    /* Later conflicts make variables more active; before the numbers overflow all are made
       smaller. */
    assert(learn->increment >= 1e-100);
    learn->increment *= 1.05;
    if (learn->increment < 1e100)
        return true;
    learn->increment *= 1e-100;
    for (uint32_t v = 0; v < learn->variables; v++)
        learn->activity[v] *= 1e-100;
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
    bool possible =
        exact_learn_start(learn) && order_twins(learn) && exact_learn_watch_clauses(learn);
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
        assert(learn->levels < learn->variables && learn->handled == learn->events);
        assert(!learn->levels || learn->level_begin[learn->levels - 1] < learn->events);
        learn->counter[SEARCH_PLACEMENTS]++;
        learn->level_begin[learn->levels++] = learn->events;

        /* The literal of the variable that held last time, or else the one that leaves the buffer
           it raises lower. */
        const struct exact_literal *literal = &learn->literal[2 * (size_t)variable];
        int64_t to = learn->value[2 * (size_t)literal->to];
        int64_t from = learn->value[2 * (size_t)literal->from];
        bool second = learn->phase[variable] >= 0
                          ? learn->phase[variable] > 0
                          : from + literal[0].distance > to + literal[1].distance;
        exact_learn_assert(learn, 2 * variable + second, 0,
                           (struct exact_reason){.kind = EXACT_BY_DECISION});
    }
    return EXACT_STOPPED;
}

enum status exact_learn_run(struct exact_learn *learn, const struct exact_round *round,
                            struct exact_answer *answer, struct error *error)
{
    const struct exact_model *model = learn->model;
    assert(answer->offset && round->number <= EXACT_LAST_ROUND);
    uint64_t decisions = exact_round_double((uint64_t)model->buffers * 5 / 2 + 8, round->number);
    uint64_t end = learn->counter[SEARCH_PLACEMENTS], fixed_end = 0;
    end = decisions < UINT64_MAX - end ? end + decisions : UINT64_MAX;
    learn->deadline_ns = round->deadline_ns;
    learn->capacity = round->capacity < EXACT_LEARN_MOST ? round->capacity : EXACT_LEARN_MOST;
    learn->error = error;
    for (uint32_t b = 0; b < model->buffers; b++)
        if (model->highest[b] != UINT64_MAX && model->highest[b] + model->size[b] > fixed_end)
            fixed_end = model->highest[b] + model->size[b];
    answer->next_capacity = fixed_end;
    answer->outcome = fixed_end <= learn->capacity ? EXACT_STOPPED : EXACT_REFUTED;
    for (uint64_t i = 1; answer->outcome == EXACT_STOPPED && !is_over(learn, end); i++)
        answer->outcome = search_once(learn, end, RESTART_CONFLICTS * exact_round_luby(i),
                                      &answer->next_capacity);
    for (uint32_t b = 0; answer->outcome == EXACT_FOUND && b < model->buffers; b++)
        answer->offset[b] = (uint64_t)learn->value[2 * (size_t)b];
    assert(answer->outcome != EXACT_REFUTED || answer->next_capacity > learn->capacity);
    return learn->status;
}

void exact_learn_count(const struct exact_learn *learn, uint64_t counter[SEARCH_COUNTERS])
{
    for (uint32_t c = 0; c < SEARCH_COUNTERS; c++)
        counter[c] += learn->counter[c];
}
