#include "solvers/exact/race/race.h"

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "solvers/exact/model/grid.h"
#include "solvers/exact/model/rectangles.h"
#include "solvers/exact/race/search.h"
#include "solvers/exact/race/strategy.h"

enum { GRIDS = 3 };

/* Of components of no more buffers plans are found soon and proofs take long, so all of the time is
   for strategies that do not restart. */
enum { FEW_BUFFERS = 64 };

/* In short rounds strategies that learn make so many times fewer placements: many capacities are
   tried there, and with all placements the bound would get a quarter of the time only. */
enum { SHORT_ROUNDS_LESS = 4 };

/* A strategy in the race. */
struct racer {
    const struct exact_strategy *strategy;
    uint32_t *rank;
    struct exact_experience *experience; /* NULL before its first run */
    struct exact_experience *gained;     /* the same after the run of this round */
    enum exact_outcome outcome;
    struct exact_search *search; /* in the midst of the run, where this paused; or NULL */
    bool ran;                    /* in this round, up to the end */
    bool has_gained;             /* in this round */
    bool cancelled;              /* an earlier one has the answer */
    enum status status;
    struct error error;
};

struct exact_race {
    const struct exact_model *model;
    struct exact_race_options options;
    struct exact_rectangles rectangles;
    struct exact_grid *grid[GRIDS]; /* by the lanes of a block; NULL before they are needed */
    struct racer *racer;            /* [racers] */
    uint32_t racers;
    struct exact_search **idle; /* [idle_count, room for two a thread] used by no racer */
    uint32_t idle_count;
    uint32_t answered;      /* the first racer with an answer, or racers */
    uint64_t *lowest;       /* [buffers] its plan */
    uint64_t next_capacity; /* or where it has proved that there is none */
    bool has_begun;         /* since the last pause, so that it may pause again */
    bool paused;
    struct exact_round last; /* the question */
};

/* When it is first run, since most problems are solved by one of the first. */
static enum status create_racer(const struct exact_model *model, struct racer *racer,
                                struct error *error)
{
    if (racer->gained)
        return STATUS_OK;
    if (!racer->rank)
        TRY(memory_create(&racer->rank, model->buffers, sizeof *racer->rank, error));
    TRY(exact_strategy_rank(racer->strategy, model, racer->rank, error));
    if (!racer->experience)
        TRY(exact_experience_create(model, racer->strategy->learns, &racer->experience, error));
    return exact_experience_create(model, racer->strategy->learns, &racer->gained, error);
}

/* A racer needs a search only while it runs, or paused in the midst of that, so there are no more
   of them than two for each thread. */
static enum status borrow_search(struct exact_race *race, struct exact_search **search,
                                 struct error *error)
{
    *search = NULL;
#pragma omp critical(exact_race_idle)
    {
        if (race->idle_count)
            *search = race->idle[--race->idle_count];
    }
    return *search ? STATUS_OK : exact_search_create(race->model, search, error);
}

static void return_search(struct exact_race *race, struct exact_search *search)
{
#pragma omp critical(exact_race_idle)
    {
        assert(race->idle_count < 2 * race->options.threads);
        race->idle[race->idle_count++] = search;
    }
}

/* Of the first strategies of the table those that learn, or the others. */
static void add_racers(struct exact_race *race, uint32_t strategies, bool learns)
{
    for (uint32_t i = 0; i < strategies; i++)
        if (exact_strategy_at(i)->learns == learns)
            race->racer[race->racers++].strategy = exact_strategy_at(i);
}

/* Those that learn find most of what the others have not found in the round before, so they come
   first. */
static enum status fill_race(struct exact_race *race, struct error *error)
{
    uint32_t racers = exact_strategy_count();
    racers = race->options.strategies < racers ? race->options.strategies : racers;
    assert(racers > 0);
    TRY(exact_rectangles_fill(race->model, &race->rectangles, error));
    TRY(memory_create(&race->racer, racers, sizeof *race->racer, error));
    TRY(memory_create(&race->idle, 2 * (size_t)race->options.threads, sizeof(struct exact_search *),
                      error));
    TRY(memory_create(&race->lowest, race->model->buffers, sizeof *race->lowest, error));
    if (race->model->buffers > FEW_BUFFERS)
        add_racers(race, racers, true);
    add_racers(race, racers, false);
    return STATUS_OK;
}

enum status exact_race_create(const struct exact_model *model,
                              const struct exact_race_options *options, struct exact_race **created,
                              struct error *error)
{
    struct exact_race *race;
    assert(model->orderable && options->strategies > 0 && options->threads > 0);
    TRY(memory_create(&race, 1, sizeof *race, error));
    race->model = model;
    race->options = *options;
    enum status status = fill_race(race, error);
    if (status)
        exact_race_free(race);
    else
        *created = race;
    return status;
}

void exact_race_free(struct exact_race *race)
{
    if (!race)
        return;
    for (uint32_t i = 0; i < race->racers; i++) {
        memory_free(race->racer[i].rank);
        exact_experience_free(race->racer[i].experience);
        exact_experience_free(race->racer[i].gained);
        exact_search_free(race->racer[i].search);
    }
    for (uint32_t i = 0; i < race->idle_count; i++)
        exact_search_free(race->idle[i]);
    memory_free(race->idle);
    memory_free(race->lowest);
    for (uint32_t i = 0; i < GRIDS; i++)
        exact_grid_free(race->grid[i]);
    exact_rectangles_clear(&race->rectangles);
    memory_free(race->racer);
    memory_free(race);
}

/* An answer, or an error; search is NULL where there is none. */
static void note_answer(struct exact_race *race, uint32_t index, const struct exact_search *search)
{
    assert(index < race->racers);
#pragma omp critical(exact_race_answered)
    {
        if (index < race->answered) {
#pragma omp atomic write
            race->answered = index;
            if (search) {
                const struct exact_state *state = exact_search_state(search);
                memcpy(race->lowest, state->lowest, race->model->buffers * sizeof *race->lowest);
                race->next_capacity = state->next_capacity;
            }
        }
        for (uint32_t i = index + 1; i < race->racers; i++) {
#pragma omp atomic write
            race->racer[i].cancelled = true;
        }
    }
}

static uint64_t count_placements(const struct exact_race *race,
                                 const struct exact_strategy *strategy,
                                 const struct exact_round *round)
{
    assert(round->number >= strategy->from);
    uint64_t effort = strategy->effort;
    if (round->is_short && strategy->learns)
        effort /= SHORT_ROUNDS_LESS;
    uint64_t placements = ((uint64_t)race->model->buffers * 3 / 2 + 8) * effort;
    return exact_round_double(placements, round->number - strategy->from);
}

/* What takes long for proofs alone is left out where a capacity mostly has a plan. */
static bool takes_part(const struct exact_strategy *strategy, const struct exact_round *round)
{
    return round->number >= strategy->from &&
           (!round->is_short || strategy->effort == 1 || strategy->learns);
}

static void note_pause(struct exact_race *race)
{
#pragma omp atomic write
    race->paused = true;
}

/* A new run, or what is left of the one that paused. */
static enum status run_search(struct exact_race *race, struct racer *racer,
                              const struct exact_run *run, struct exact_search **search)
{
    *search = racer->search;
    if (racer->search)
        return exact_search_go_on(racer->search, run, &racer->outcome, &racer->error);
    TRY(create_racer(race->model, racer, &racer->error));
    TRY(borrow_search(race, search, &racer->error));
    exact_experience_copy(race->model, racer->experience, racer->gained);
    racer->has_gained = true;
    struct exact_run begun = *run;
    begun.rank = racer->rank;
    begun.experience = racer->gained;
    return exact_search_run(*search, &begun, &racer->outcome, &racer->error);
}

static enum status run_strategy(struct exact_race *race, uint32_t index,
                                const struct exact_round *round, const struct exact_grid *grid)
{
    struct racer *racer = &race->racer[index];
    struct exact_search *search;
    const struct exact_run run = {.strategy = racer->strategy,
                                  .rank = racer->rank,
                                  .rules = race->options.rules,
                                  .grid = grid,
                                  .capacity = round->capacity,
                                  .placements = count_placements(race, racer->strategy, round),
                                  .deadline_ns = round->deadline_ns,
                                  .pause_ns = round->pause_ns,
                                  .cancelled = &racer->cancelled,
                                  .experience = racer->gained};
    enum status status = run_search(race, racer, &run, &search);
    racer->search = NULL;
    if (!status && racer->outcome != EXACT_STOPPED)
        note_answer(race, index, search);
    racer->ran = status || racer->outcome != EXACT_STOPPED || !exact_search_can_go_on(search);
    if (racer->ran) {
        if (search)
            return_search(race, search);
        return status;
    }
    racer->search = search;
    note_pause(race);
    return STATUS_OK;
}

static void run_racer(struct exact_race *race, uint32_t index, const struct exact_round *round,
                      const struct exact_grid *grid)
{
    struct racer *racer = &race->racer[index];
    racer->status = run_strategy(race, index, round, grid);
    if (racer->status)
        note_answer(race, index, NULL);
}

/* What was gained after the answer is forgotten. */
static void keep_experience(struct exact_race *race)
{
    for (uint32_t i = 0; i < race->racers && i <= race->answered; i++) {
        struct racer *racer = &race->racer[i];
        struct exact_experience *gained = racer->gained;
        if (!racer->has_gained)
            continue;
        racer->gained = racer->experience;
        racer->experience = gained;
    }
}

/* Also where racers are in the midst of their runs. */
static void end_round(struct exact_race *race)
{
    keep_experience(race);
    race->paused = false;
    for (uint32_t i = 0; i < race->racers; i++) {
        struct racer *racer = &race->racer[i];
        if (racer->search)
            return_search(race, racer->search);
        racer->search = NULL;
        racer->ran = racer->has_gained = false;
    }
}

static bool is_last(const struct exact_race *race, const struct exact_round *round)
{
    return race->last.capacity == round->capacity && race->last.number == round->number &&
           race->last.is_short == round->is_short;
}

/* Those that ran before a pause do not run again. */
static void begin_round(struct exact_race *race, const struct exact_round *round)
{
    race->answered = race->racers;
    if (race->paused && !is_last(race, round))
        end_round(race);
    race->last = *round;
    race->paused = race->has_begun = false;
    for (uint32_t i = 0; i < race->racers; i++)
        race->racer[i].cancelled = false;
}

static bool is_wanted(const struct exact_race *race, uint32_t index,
                      const struct exact_round *round)
{
    const struct racer *racer = &race->racer[index];
    uint32_t answered;
#pragma omp atomic read
    answered = race->answered;
    return index < answered && takes_part(racer->strategy, round) && !racer->ran &&
           clock_left_ns(round->deadline_ns);
}

/* However little time there is before a pause, one racer takes a few steps first. */
static bool may_run(struct exact_race *race, const struct exact_round *round)
{
    bool may;
#pragma omp critical(exact_race_paused)
    {
        may = !race->has_begun || clock_left_ns(round->pause_ns);
        race->has_begun = true;
    }
    if (!may)
        note_pause(race);
    return may;
}

static void run_racers(struct exact_race *race, const struct exact_round *round,
                       const struct exact_grid *grid)
{
    uint32_t threads = race->options.threads;
    begin_round(race, round);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
    for (uint32_t i = 0; i < race->racers; i++)
        if (is_wanted(race, i, round) && may_run(race, round))
            run_racer(race, i, round, grid);
    assert(race->answered <= race->racers);
    if (race->answered < race->racers || !race->paused)
        end_round(race);
}

static enum status find_grid(struct exact_race *race, uint64_t capacity,
                             const struct exact_grid **grid, struct error *error)
{
    uint32_t lanes = exact_grid_lanes(&race->rectangles, capacity);
    assert(lanes / 8 < GRIDS);
    struct exact_grid **kept = &race->grid[lanes / 8];
    if (!*kept)
        TRY(exact_grid_create(&race->rectangles, lanes, kept, error));
    *grid = *kept;
    return STATUS_OK;
}

enum status exact_race_run(struct exact_race *race, const struct exact_round *round,
                           struct exact_answer *answer, struct error *error)
{
    assert(round->number <= 62 && answer->offset);
    const struct exact_grid *grid;
    TRY(find_grid(race, round->capacity, &grid, error));
    run_racers(race, round, grid);
    answer->outcome = EXACT_STOPPED;
    answer->paused = race->paused;
    if (race->answered == race->racers)
        return STATUS_OK;
    const struct racer *racer = &race->racer[race->answered];
    if (racer->status) {
        *error = racer->error;
        return racer->status;
    }
    answer->outcome = racer->outcome;
    if (answer->outcome == EXACT_FOUND)
        memcpy(answer->offset, race->lowest, race->model->buffers * sizeof *answer->offset);
    else
        answer->next_capacity = race->next_capacity;
    assert(answer->outcome != EXACT_REFUTED || answer->next_capacity > round->capacity);
    return STATUS_OK;
}

void exact_race_count(const struct exact_race *race, uint64_t counter[SEARCH_COUNTERS])
{
    for (uint32_t i = 0; i < race->racers; i++) {
        const struct racer *racer = &race->racer[i];
        const struct exact_experience *last = racer->has_gained ? racer->gained : racer->experience;
        for (uint32_t c = 0; last && c < SEARCH_COUNTERS; c++)
            counter[c] += last->counter[c];
    }
}
