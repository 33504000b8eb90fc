#include "solvers/exact/component.h"

#include <assert.h>

#include "core/clock.h"
#include "core/memory.h"
#include "solvers/exact/learn/state.h"
#include "solvers/exact/race/state.h"

enum {
    MOST_LEARNED = 64,      /* buffers of an orderable component in which clauses are learned */
    MOST_ENTRIES = 1 << 22, /* of the lists of pairs in sections */
    /* The first round in which clauses are learned. The race comes first, and is left alone for
       longer in plain problems, where its rules say most. */
    LEARN_FROM = 1,
    LEARN_PLAIN_FROM = 5,
    FIRST_HALVES = 3, /* how often round 0 halves the interval where a plan may be */
};

struct exact_component_options exact_component_defaults(uint32_t threads)
{
    return (struct exact_component_options){.race = {.rules = EXACT_RULES_ALL,
                                                     .strategies = UINT32_MAX,
                                                     .threads = threads > 1 ? threads : 1,
                                                     .beam = true},
                                            .learn = {.rules = EXACT_LEARN_RULES_ALL},
                                            .learning = EXACT_LEARN_RARELY};
}

/* True where all buffers are whole, free and without alignment or holes, as in nearly all
   problems. */
static bool is_plain(const struct exact_model *model, const struct problem *problem)
{
    if (!model->whole || model->has_fixed || problem->segments > problem->buffers)
        return false;
    for (uint32_t b = 0; b < model->buffers; b++)
        if (model->alignment[b] > 1)
            return false;
    return true;
}

/* The lists of the search that learns hold each pair once for every section that both are in. */
static bool can_learn(const struct exact_model *model, const struct problem *problem)
{
    assert(model->buffers == problem->buffers);
    uint64_t entries = 0;
    for (uint32_t s = 0; s < model->sections && entries <= MOST_ENTRIES; s++)
        entries +=
            (model->first[s + 1] - model->first[s]) * (model->first[s + 1] - model->first[s]);
    return entries <= MOST_ENTRIES && exact_learn_can(problem);
}

/* Creates the race, the search that learns, or both. The race finds plans of large components far
   sooner; of small ones the clauses prove more. */
static enum status create_searches(struct exact_component *component, const struct problem *problem,
                                   const struct exact_component_options *options,
                                   struct error *error)
{
    const struct exact_model *model = component->model;
    bool can = can_learn(model, problem);
    bool learns = can && options->learning != EXACT_LEARN_RARELY &&
                  (options->learning == EXACT_LEARN_ALONE || model->buffers <= MOST_LEARNED);
    if (model->orderable && (!learns || options->learning != EXACT_LEARN_ALONE))
        TRY(exact_race_create(model, &options->race, &component->race, error));
    if (component->race)
        component->learn_from = is_plain(model, problem) ? LEARN_PLAIN_FROM : LEARN_FROM;
    if (learns || (can && !model->orderable))
        TRY(exact_learn_create(model, &options->learn, &component->learn, error));
    return STATUS_OK;
}

/* Raises the bound to the greatest load of a section. Where buffers have holes, that may be more
   than the live bytes of any step, since a section then holds buffers that conflict pairwise,
   though not all at one step. */
static void raise_bound(struct exact_component *component)
{
    const struct exact_model *model = component->model;
    for (uint32_t s = 0; model->whole && s < model->sections; s++)
        if (model->load[s] > component->bound)
            component->bound = model->load[s];
}

enum status exact_component_create(const struct problem *problem, uint64_t bound_bytes,
                                   const struct exact_component_options *options,
                                   struct exact_component **created, struct error *error)
{
    struct exact_component *component;
    enum status status;
    TRY(memory_create(&component, 1, sizeof *component, error));
    TRY_OR_DONE(status, exact_model_create(problem, &component->model, error));
    TRY_OR_DONE(status,
                memory_create(&component->offset, problem->buffers, sizeof(uint64_t), error));
    TRY_OR_DONE(status,
                memory_create(&component->trial, problem->buffers, sizeof(uint64_t), error));
    TRY_OR_DONE(status, create_searches(component, problem, options, error));
    component->peak = UINT64_MAX;
    component->bound = bound_bytes / component->model->unit_bytes;
    raise_bound(component);
    *created = component;
done:
    if (status)
        exact_component_free(component);
    return status;
}

void exact_component_free(struct exact_component *component)
{
    if (!component)
        return;
    exact_race_free(component->race);
    exact_learn_free(component->learn);
    exact_model_free(component->model);
    memory_free(component->offset);
    memory_free(component->trial);
    memory_free(component);
}

void exact_component_count(const struct exact_component *component,
                           uint64_t counter[SEARCH_COUNTERS])
{
    if (component->race)
        exact_race_count(component->race, counter);
    if (component->learn)
        exact_learn_count(component->learn, counter);
}

static uint64_t to_bytes(const struct exact_component *component, uint64_t units)
{
    uint64_t unit = component->model->unit_bytes;
    return units > UINT64_MAX / unit ? UINT64_MAX : units * unit;
}

uint64_t exact_component_bound_bytes(const struct exact_component *component)
{
    return to_bytes(component, component->bound);
}

uint64_t exact_component_peak_bytes(const struct exact_component *component)
{
    return to_bytes(component, component->peak);
}

bool exact_component_can_search(const struct exact_component *component)
{
    return component->race || component->learn;
}

bool exact_component_is_done(const struct exact_component *component, const struct exact_goal *goal)
{
    assert(goal->minimise || goal->capacity_bytes < UINT64_MAX);
    uint64_t peak_bytes = exact_component_peak_bytes(component);
    uint64_t bound_bytes = exact_component_bound_bytes(component);
    if (!goal->minimise)
        return peak_bytes <= goal->capacity_bytes || bound_bytes > goal->capacity_bytes;
    return peak_bytes <= goal->enough_bytes || component->peak <= component->bound ||
           bound_bytes >= goal->ceiling_bytes;
}

static void take_trial(struct exact_component *component)
{
    assert(component->trial != component->offset);
    const struct exact_model *model = component->model;
    uint64_t *offset = component->offset, peak = 0;
    component->offset = component->trial;
    component->trial = offset;
    for (uint32_t b = 0; b < model->buffers; b++) {
        uint64_t end = component->offset[b] + model->size[b];
        peak = end > peak ? end : peak;
    }
    component->peak = peak;
}

/* Asks the race, and where that has no answer the search that learns. */
static enum status run_searches(struct exact_component *component, const struct exact_round *round,
                                struct exact_answer *answer, struct error *error)
{
    assert(component->race || component->learn);
    answer->outcome = EXACT_STOPPED;
    if (component->race)
        TRY(exact_race_run(component->race, round, answer, error));
    if (component->learn && answer->outcome == EXACT_STOPPED && !answer->paused &&
        round->number >= component->learn_from)
        TRY(exact_learn_run(component->learn, round, answer, error));
    return STATUS_OK;
}

/* Searches one capacity, and takes what comes of it. */
static enum status decide(struct exact_component *component, const struct exact_goal *goal,
                          const struct exact_round *round, enum exact_outcome *outcome,
                          struct error *error)
{
    struct exact_answer answer = {.offset = component->trial};
    TRY(run_searches(component, round, &answer, error));
    *outcome = answer.outcome;
    component->asks = answer.paused;
    component->capacity = round->capacity;
    component->paused = answer.paused || !clock_left_ns(goal->pause_ns);
    bool first_plan = answer.outcome == EXACT_FOUND && component->peak == UINT64_MAX;
    if (answer.outcome == EXACT_FOUND)
        take_trial(component);
    if (answer.outcome == EXACT_REFUTED)
        component->bound = answer.next_capacity;
    assert(answer.outcome != EXACT_REFUTED || component->bound > round->capacity);
    assert(answer.outcome != EXACT_FOUND || component->peak <= round->capacity);
    return answer.outcome == EXACT_STOPPED
               ? STATUS_OK
               : goal->note(goal->context, component, first_plan, error);
}

/* The greatest capacity that is worth a search: less than the best plan and the ceiling. */
static uint64_t find_upper(const struct exact_component *component, const struct exact_goal *goal)
{
    assert(component->peak > 0 && goal->ceiling_bytes > 0);
    uint64_t upper = (goal->ceiling_bytes - 1) / component->model->unit_bytes;
    return component->peak <= upper ? component->peak - 1 : upper;
}

/* The capacity to be tried at the bound, or that of a question that a pause interrupted, if it is
   still open. */
static uint64_t choose_at_bound(const struct exact_component *component, uint64_t upper)
{
    assert(component->bound <= upper);
    uint64_t most = (upper - component->bound) / 2;
    if (component->asks && component->capacity >= component->bound && component->capacity <= upper)
        return component->capacity;
    return component->bound + (component->step < most ? component->step : most);
}

/* Tries the bound itself, which as a rule is the least peak. Where a capacity is refuted, the next
   one lies further above the bound each time: to prove the least peak, only the last capacity below
   it has to be refuted. */
static enum status try_bound(struct exact_component *component, const struct exact_goal *goal,
                             uint32_t round, struct error *error)
{
    enum exact_outcome outcome = EXACT_REFUTED;
    while (outcome == EXACT_REFUTED && !component->paused) {
        if (exact_component_is_done(component, goal))
            return STATUS_OK;
        const struct exact_round question = {
            .capacity = choose_at_bound(component, find_upper(component, goal)),
            .number = round,
            .deadline_ns = goal->deadline_ns,
            .pause_ns = goal->pause_ns};
        TRY(decide(component, goal, &question, &outcome, error));
        if (outcome == EXACT_REFUTED)
            component->step = component->step ? 2 * component->step : 1;
    }
    component->descends = outcome != EXACT_REFUTED && !component->asks;
    return STATUS_OK;
}

/* Sets how the search comes down from the best plan: in round 0 by halves of the interval down to
   an eighth of it, and later, when little is left to find, in steps that begin small and double
   with each plan. */
static void begin_descent(struct exact_component *component, const struct exact_goal *goal)
{
    uint64_t upper = find_upper(component, goal);
    component->lower = component->bound;
    component->step = 1;
    if (!component->descents && upper > component->lower)
        component->step = (upper - component->lower) / 2 + 1;
    component->least_step = component->descents ? 0 : component->step >> FIRST_HALVES;
}

static uint64_t choose_below(const struct exact_component *component, uint64_t upper)
{
    uint64_t lower = component->lower, step = component->step;
    assert(lower < upper);
    if (component->asks && component->capacity > lower && component->capacity <= upper)
        return component->capacity;
    return step <= upper - lower ? upper - step + 1 : lower + 1;
}

static void take_step_down(struct exact_component *component, enum exact_outcome outcome)
{
    uint64_t capacity = component->capacity;
    if (outcome == EXACT_FOUND) {
        component->step *= component->descents ? 2 : 1;
        return;
    }
    component->lower = component->bound > capacity ? component->bound : capacity;
    component->step /= 2;
}

/* Searches capacities below the best plan, from there down to the bound. */
static enum status descend(struct exact_component *component, const struct exact_goal *goal,
                           struct error *error)
{
    assert(goal->minimise);
    while (component->step > component->least_step && !component->paused &&
           clock_left_ns(goal->deadline_ns) && !exact_component_is_done(component, goal)) {
        uint64_t upper = find_upper(component, goal);
        enum exact_outcome outcome;
        if (component->lower >= upper)
            return STATUS_OK;
        const struct exact_round question = {.capacity = choose_below(component, upper),
                                             .number = component->descents,
                                             .deadline_ns = goal->deadline_ns,
                                             .pause_ns = goal->pause_ns,
                                             .is_short = true};
        TRY(decide(component, goal, &question, &outcome, error));
        if (!component->asks)
            take_step_down(component, outcome);
    }
    return STATUS_OK;
}

static enum status decide_capacity(struct exact_component *component, const struct exact_goal *goal,
                                   uint32_t round, struct error *error)
{
    enum exact_outcome outcome;
    const struct exact_round question = {.capacity =
                                             goal->capacity_bytes / component->model->unit_bytes,
                                         .number = round,
                                         .deadline_ns = goal->deadline_ns,
                                         .pause_ns = goal->pause_ns};
    TRY(decide(component, goal, &question, &outcome, error));
    component->paused = component->asks;
    return STATUS_OK;
}

enum status exact_component_advance(struct exact_component *component,
                                    const struct exact_goal *goal, uint32_t round,
                                    struct error *error)
{
    assert(!exact_component_is_done(component, goal));
    bool goes_on = component->paused;
    component->paused = false;
    if (!goal->minimise)
        return decide_capacity(component, goal, round, error);
    if (!goes_on) {
        component->descends = false;
        component->step = 0;
    }
    if (!component->descends) {
        TRY(try_bound(component, goal, round, error));
        if (component->descends)
            begin_descent(component, goal);
    }
    if (component->descends)
        TRY(descend(component, goal, error));
    if (!component->paused)
        component->descents += component->descents < EXACT_LAST_ROUND;
    return STATUS_OK;
}
