#include "solvers/exact/learn/learn.h"

#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "solvers/exact/learn/state.h"

enum { RESTART_CONFLICTS = 256 };

bool exact_learn_can(const struct problem *problem)
{
    return problem_ample_bytes(problem) <= EXACT_LEARN_MOST;
}

static enum status create_arrays(struct exact_learn *learn, struct error *error)
{
    const struct exact_model *model = learn->model;
    size_t variables = learn->variables, bounds = 2 * (size_t)model->buffers;
    TRY(memory_create(&learn->truth, 2 * variables, sizeof *learn->truth, error));
    TRY(memory_create(&learn->phase, variables, sizeof *learn->phase, error));
    TRY(memory_create(&learn->activity, variables, sizeof *learn->activity, error));
    TRY(memory_create(&learn->event_of, variables, sizeof *learn->event_of, error));
    TRY(memory_create(&learn->watched, 2 * variables, sizeof *learn->watched, error));
    TRY(memory_create(&learn->seen, variables, sizeof *learn->seen, error));
    TRY(memory_create(&learn->learned, variables + 1, sizeof *learn->learned, error));
    TRY(memory_create(&learn->level_begin, variables + 1, sizeof *learn->level_begin, error));
    TRY(memory_create(&learn->value, bounds, sizeof *learn->value, error));
    TRY(memory_create(&learn->latest, bounds, sizeof *learn->latest, error));
    TRY(memory_create(&learn->needed, bounds, sizeof *learn->needed, error));
    TRY(memory_create(&learn->dirty, model->sections, sizeof *learn->dirty, error));
    TRY(memory_create(&learn->is_dirty, model->sections, sizeof *learn->is_dirty, error));
    return memory_create(&learn->job, model->buffers, sizeof *learn->job, error);
}

static void fill_arrays(struct exact_learn *learn)
{
    learn->increment = 1;
    for (uint32_t v = 0; v < learn->variables; v++)
        learn->phase[v] = -1;
    for (uint32_t i = 0; i < 2 * learn->model->buffers; i++)
        learn->needed[i] = EXACT_NO_NEED;
}

enum status exact_learn_create(const struct exact_model *model, unsigned rules,
                               struct exact_learn **created, struct error *error)
{
    struct exact_learn *learn;
    TRY(memory_create(&learn, 1, sizeof *learn, error));
    learn->model = model;
    learn->rules = rules;
    enum status status = exact_learn_list_literals(learn, error);
    if (!status)
        status = create_arrays(learn, error);
    if (status) {
        exact_learn_free(learn);
        return status;
    }
    fill_arrays(learn);
    *created = learn;
    return STATUS_OK;
}

void exact_learn_free(struct exact_learn *learn)
{
    if (!learn)
        return;
    void *const arrays[] = {
        learn->literal, learn->first,   learn->variable,       learn->pairs,       learn->below,
        learn->truth,   learn->phase,   learn->activity,       learn->event_of,    learn->watched,
        learn->seen,    learn->learned, learn->value,          learn->level_begin, learn->latest,
        learn->needed,  learn->dirty,   learn->is_dirty,       learn->job,         learn->event,
        learn->atom,    learn->clause,  learn->clause_literal, learn->watch};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        memory_free(arrays[i]);
    memory_free(learn);
}

/* 1 1 2 1 1 2 4 ... (Luby, Sinclair and Zuckerman, Information Processing Letters 47, 1993). */
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

/* The two are in each other's way when all lie at their lowest. */
static bool is_violated(const struct exact_learn *learn, uint32_t variable)
{
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

/* While the buffers at their lowest offsets are no plan, some pair is in each other's way. */
static uint32_t choose(const struct exact_learn *learn)
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

/* As last time, or else what raises the pair least. */
static uint32_t choose_literal(const struct exact_learn *learn, uint32_t variable)
{
    const struct exact_literal *literal = &learn->literal[2 * (size_t)variable];
    int64_t to = learn->value[2 * (size_t)literal->to];
    int64_t from = learn->value[2 * (size_t)literal->from];
    if (learn->phase[variable] >= 0)
        return 2 * variable + (learn->phase[variable] > 0);
    return 2 * variable + (from + literal[0].distance > to + literal[1].distance);
}

static void decide(struct exact_learn *learn, uint32_t literal)
{
    learn->counter[SEARCH_PLACEMENTS]++;
    learn->level_begin[learn->levels++] = learn->events;
    exact_learn_assert(learn, literal, EXACT_BY_DECISION, 0, 0, 0);
}

static void age_activity(struct exact_learn *learn)
{
    learn->increment *= 1.05;
    if (learn->increment < 1e100)
        return;
    learn->increment *= 1e-100;
    for (uint32_t v = 0; v < learn->variables; v++)
        learn->activity[v] *= 1e-100;
}

/* False: the conflict refutes the capacity. */
static bool learn_from_conflict(struct exact_learn *learn, uint64_t *excess)
{
    struct exact_lesson lesson;
    if (!exact_learn_explain(learn, &lesson)) {
        *excess = lesson.limit + 1;
        return false;
    }
    learn->counter[SEARCH_REJECTIONS]++;
    exact_learn_undo(learn, lesson.levels);
    uint32_t clause = exact_learn_add_clause(learn, &lesson);
    if (clause != EXACT_NONE)
        exact_learn_assert(learn, learn->learned[0], EXACT_BY_CLAUSE, clause, 0, 0);
    age_activity(learn);
    return true;
}

static bool begin_again(struct exact_learn *learn)
{
    learn->counter[SEARCH_RESTARTS]++;
    return exact_learn_start(learn) && exact_learn_watch_clauses(learn);
}

struct limits {
    uint64_t placements, deadline_ns;
};

static bool is_over(const struct exact_learn *learn, const struct limits *limits)
{
    return learn->status || learn->counter[SEARCH_PLACEMENTS] >= limits->placements ||
           (limits->deadline_ns != UINT64_MAX && clock_monotonic_ns() >= limits->deadline_ns);
}

/* From an empty plan to as many conflicts; stops there, too. */
static enum exact_outcome search_once(struct exact_learn *learn, const struct limits *limits,
                                      uint64_t conflicts, uint64_t *excess)
{
    bool possible = begin_again(learn);
    while (!is_over(learn, limits)) {
        if (!possible || !exact_learn_propagate(learn)) {
            if (!learn->status && !learn_from_conflict(learn, excess))
                return EXACT_REFUTED;
            possible = true;
            if (!conflicts--)
                return EXACT_STOPPED;
            continue;
        }
        uint32_t variable = choose(learn);
        if (variable == EXACT_NONE)
            return EXACT_FOUND;
        decide(learn, choose_literal(learn, variable));
    }
    return EXACT_STOPPED;
}

static bool fixed_fit(const struct exact_learn *learn, uint64_t *excess)
{
    const struct exact_model *model = learn->model;
    *excess = 0;
    for (uint32_t b = 0; b < model->buffers; b++)
        if (model->highest[b] != UINT64_MAX && model->highest[b] + model->size[b] > *excess)
            *excess = model->highest[b] + model->size[b];
    return *excess <= learn->capacity;
}

enum status exact_learn_run(struct exact_learn *learn, uint64_t capacity, uint64_t placements,
                            uint64_t deadline_ns, enum exact_outcome *outcome, uint64_t *offset,
                            uint64_t *excess, struct error *error)
{
    uint64_t begin = learn->counter[SEARCH_PLACEMENTS];
    const struct limits limits = {placements < UINT64_MAX - begin ? begin + placements : UINT64_MAX,
                                  deadline_ns};
    learn->capacity = capacity < EXACT_LEARN_MOST ? capacity : EXACT_LEARN_MOST;
    learn->error = error;
    *outcome = fixed_fit(learn, excess) ? EXACT_STOPPED : EXACT_REFUTED;
    for (uint64_t i = 0; *outcome == EXACT_STOPPED && !is_over(learn, &limits); i++)
        *outcome = search_once(learn, &limits, RESTART_CONFLICTS * find_luby(i), excess);
    for (uint32_t b = 0; *outcome == EXACT_FOUND && b < learn->model->buffers; b++)
        offset[b] = (uint64_t)learn->value[2 * (size_t)b];
    return learn->status;
}

void exact_learn_count(const struct exact_learn *learn, uint64_t counter[SEARCH_COUNTERS])
{
    for (uint32_t c = 0; c < SEARCH_COUNTERS; c++)
        counter[c] += learn->counter[c];
}
