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

/* Creates the race, the search that learns, or both. The race finds plans of large components far
   sooner; of small ones the clauses prove more. The lists of the search that learns hold each pair
   once for every section that both are in. */
static enum status create_searches(struct exact_component *component, const struct problem *problem,
                                   const struct exact_component_options *options,
                                   struct error *error)
{
    const struct exact_model *model = component->model;
    uint64_t entries = 0;
    assert(model->buffers == problem->buffers && model->sections > 0);
    for (uint32_t s = 0; s < model->sections && entries <= MOST_ENTRIES; s++) {
        uint64_t members = model->first[s + 1] - model->first[s];
        assert(model->first[s] < model->first[s + 1]);
        entries += members * members;
    }
    bool can = entries <= MOST_ENTRIES && exact_learn_can(problem);
    bool learns = can && options->learning != EXACT_LEARN_RARELY &&
                  (options->learning == EXACT_LEARN_ALONE || model->buffers <= MOST_LEARNED);
    if (model->orderable && (!learns || options->learning != EXACT_LEARN_ALONE))
        TRY(exact_race_create(model, &options->race, &component->race, error));

    /* Plain are nearly all problems: all buffers are whole, free and without alignment or holes. */
    bool is_plain = model->whole && !model->has_fixed && problem->segments <= problem->buffers;
    for (uint32_t b = 0; b < model->buffers; b++)
        is_plain = is_plain && model->alignment[b] == 1;
    if (component->race)
        component->learn_from = is_plain ? LEARN_PLAIN_FROM : LEARN_FROM;
    if (learns || (can && !model->orderable))
        TRY(exact_learn_create(model, &options->learn, &component->learn, error));
    return STATUS_OK;
}

enum status exact_component_create(const struct problem *problem, uint64_t bound_bytes,
                                   const struct exact_component_options *options,
                                   struct exact_component **created, struct error *error)
{
    SCOPED(exact_component_release) struct exact_component *component = NULL;
    TRY(memory_create(&component, 1, sizeof *component, error));
    TRY(exact_model_create(problem, &component->model, error));
    TRY(memory_create_all(problem->buffers, error, &component->offset, &component->trial));
    TRY(create_searches(component, problem, options, error));
    const struct exact_model *model = component->model;
    component->peak = UINT64_MAX;
    component->bound = bound_bytes / model->unit_bytes;
    assert(model->unit_bytes > 0);

    /* No plan is below the load of a section. Where buffers have holes, that may be more than the
       live bytes of any step, since a section then holds buffers that conflict pairwise, though not
       all at one step. */
    for (uint32_t s = 0; model->whole && s < model->sections; s++)
        if (model->load[s] > component->bound)
            component->bound = model->load[s];
    HAND_OVER(component, created);
}

void exact_component_free(struct exact_component *component)
{
    if (!component)
        return;
    exact_race_free(component->race);
    exact_learn_free(component->learn);
    exact_model_free(component->model);
    memory_free_all(component->offset, component->trial, component);
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

/* Asks the race whether a plan fits the capacity, and where that has no answer the search that
   learns; and takes what comes of it. */
static enum status decide(struct exact_component *component, const struct exact_goal *goal,
                          const struct exact_round *round, enum exact_outcome *outcome,
                          struct error *error)
{
    struct exact_answer answer = {.outcome = EXACT_STOPPED, .offset = component->trial};
    assert(component->trial != component->offset && round->capacity < component->peak);
    assert(component->race || component->learn);
    if (component->race)
        TRY(exact_race_run(component->race, round, &answer, error));
    if (component->learn && answer.outcome == EXACT_STOPPED && !answer.paused &&
        round->number >= component->learn_from)
        TRY(exact_learn_run(component->learn, round, &answer, error));
    assert(!answer.paused || answer.outcome == EXACT_STOPPED);
    *outcome = answer.outcome;
    component->asks = answer.paused;
    component->capacity = round->capacity;
    component->paused = answer.paused || !clock_left_ns(goal->pause_ns);
    bool first_plan = answer.outcome == EXACT_FOUND && component->peak == UINT64_MAX;
    if (answer.outcome == EXACT_STOPPED)
        return STATUS_OK;
    if (answer.outcome == EXACT_FOUND) {
        component->trial = component->offset;
        component->offset = answer.offset;
        component->peak = 0;
        for (uint32_t b = 0; b < component->model->buffers; b++) {
            uint64_t end = component->offset[b] + component->model->size[b];
            component->peak = end > component->peak ? end : component->peak;
        }
        assert(component->trial != component->offset && component->peak <= round->capacity);
    } else {
        component->bound = answer.next_capacity;
        assert(component->bound <= component->peak);
        assert(component->bound > round->capacity);
    }
    return goal->note(goal->context, component, first_plan, error);
}

/* The greatest capacity that is worth a search: less than the best plan and the ceiling. */
static uint64_t find_upper(const struct exact_component *component, const struct exact_goal *goal)
{
    assert(component->peak > 0 && goal->ceiling_bytes > 0);
    uint64_t upper = (goal->ceiling_bytes - 1) / component->model->unit_bytes;
    return component->peak <= upper ? component->peak - 1 : upper;
}

/* Tries the bound itself, which as a rule is the least peak. Where a capacity is refuted, the next
   one lies further above the bound each time: to prove the least peak, only the last capacity below
   it has to be refuted. A question that a pause interrupted comes first where it is still open. */
static enum status try_bound(struct exact_component *component, const struct exact_goal *goal,
                             uint32_t round, struct error *error)
{
    enum exact_outcome outcome = EXACT_REFUTED;
    while (outcome == EXACT_REFUTED && !component->paused) {
        if (exact_component_is_done(component, goal))
            return STATUS_OK;
        uint64_t upper = find_upper(component, goal), capacity = component->capacity;
        assert(component->bound <= upper);
        if (!component->asks || capacity < component->bound || capacity > upper) {
            uint64_t most = (upper - component->bound) / 2;
            capacity = component->bound + (component->step < most ? component->step : most);
            assert(capacity >= component->bound && capacity <= upper);
        }
        const struct exact_round question = {.capacity = capacity,
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

/* Searches capacities below the best plan, from there down to the bound. */
static enum status descend(struct exact_component *component, const struct exact_goal *goal,
                           struct error *error)
{
    assert(goal->minimise);
    while (component->step > component->least_step && !component->paused &&
           clock_left_ns(goal->deadline_ns) && !exact_component_is_done(component, goal)) {
        uint64_t upper = find_upper(component, goal), capacity = component->capacity;
        uint64_t lower = component->lower, step = component->step;
        enum exact_outcome outcome;
        if (lower >= upper)
            return STATUS_OK;
        if (!component->asks || capacity <= lower || capacity > upper)
            capacity = step <= upper - lower ? upper - step + 1 : lower + 1;
        assert(capacity > lower && capacity <= upper);
        const struct exact_round question = {.capacity = capacity,
                                             .number = component->descents,
                                             .deadline_ns = goal->deadline_ns,
                                             .pause_ns = goal->pause_ns,
                                             .is_short = true};
        TRY(decide(component, goal, &question, &outcome, error));
        if (component->asks)
            continue;
        if (outcome == EXACT_FOUND) {
            component->step *= component->descents ? 2 : 1;
            continue;
        }
        assert(capacity > component->lower);
        component->lower = component->bound > capacity ? component->bound : capacity;
        component->step /= 2;
    }
    return STATUS_OK;
}

enum status exact_component_advance(struct exact_component *component,
                                    const struct exact_goal *goal, uint32_t round,
                                    struct error *error)
{
    assert(!exact_component_is_done(component, goal));
    bool continues = component->paused, begins = false;
    component->paused = false;
    if (!goal->minimise) {
        enum exact_outcome outcome;
        const struct exact_round question = {.capacity = goal->capacity_bytes /
                                                         component->model->unit_bytes,
                                             .number = round,
                                             .deadline_ns = goal->deadline_ns,
                                             .pause_ns = goal->pause_ns};
        TRY(decide(component, goal, &question, &outcome, error));
        component->paused = component->asks;
        return STATUS_OK;
    }
    if (!continues) {
        component->descends = false;
        component->step = 0;
    }
    if (!component->descends) {
        TRY(try_bound(component, goal, round, error));
        begins = component->descends;
    }

    /* It comes down from the best plan in round 0 by halves of the interval down to an eighth of
       it, and later, when little is left to find, in steps that begin small and double with each
       plan. */
    if (begins) {
        uint64_t upper = find_upper(component, goal);
        component->lower = component->bound;
        component->step = 1;
        if (!component->descents && upper > component->lower)
            component->step = (upper - component->lower) / 2 + 1;
        component->least_step = component->descents ? 0 : component->step >> FIRST_HALVES;
    }
    if (component->descends)
        TRY(descend(component, goal, error));
    if (!component->paused)
        component->descents += component->descents < EXACT_LAST_ROUND;
    return STATUS_OK;
}
