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

/* A strategy in the race. */
struct racer {
    const struct exact_strategy *strategy;
    uint32_t *rank;
    struct exact_search *search;
    enum exact_outcome outcome;
    bool ran;       /* in this round */
    bool cancelled; /* an earlier one has the answer */
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
    uint32_t answered; /* the first one with an answer, or racers */
};

/* When it is first run, since most problems are solved by one of the first. */
static enum status create_racer(const struct exact_model *model, struct racer *racer,
                                struct error *error)
{
    if (racer->search)
        return STATUS_OK;
    if (!racer->rank)
        TRY(memory_create(&racer->rank, model->buffers, sizeof *racer->rank, error));
    TRY(exact_strategy_rank(racer->strategy, model, racer->rank, error));
    return exact_search_create(model, &racer->search, error);
}

static enum status fill_race(struct exact_race *race, struct error *error)
{
    uint32_t racers = exact_strategy_count();
    racers = race->options.strategies < racers ? race->options.strategies : racers;
    assert(racers > 0);
    TRY(exact_rectangles_fill(race->model, &race->rectangles, error));
    TRY(memory_create(&race->racer, racers, sizeof *race->racer, error));
    for (uint32_t i = 0; i < racers; i++)
        if (!exact_strategy_at(i)->learns || race->model->buffers > FEW_BUFFERS)
            race->racer[race->racers++].strategy = exact_strategy_at(i);
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
        exact_search_free(race->racer[i].search);
    }
    for (uint32_t i = 0; i < GRIDS; i++)
        exact_grid_free(race->grid[i]);
    exact_rectangles_clear(&race->rectangles);
    memory_free(race->racer);
    memory_free(race);
}

static void note_answer(struct exact_race *race, uint32_t index)
{
    assert(index < race->racers);
#pragma omp critical(exact_race_answered)
    {
        if (index < race->answered) {
#pragma omp atomic write
            race->answered = index;
        }
        for (uint32_t i = index + 1; i < race->racers; i++) {
#pragma omp atomic write
            race->racer[i].cancelled = true;
        }
    }
}

static void run_racer(struct exact_race *race, uint32_t index, const struct exact_round *round,
                      const struct exact_grid *grid)
{
    assert(round->number >= race->racer[index].strategy->from);
    struct racer *racer = &race->racer[index];
    uint64_t placements = ((uint64_t)race->model->buffers * 3 / 2 + 8) * racer->strategy->effort;
    placements = exact_round_double(placements, round->number - racer->strategy->from);
    racer->status = create_racer(race->model, racer, &racer->error);
    if (racer->status) {
        note_answer(race, index);
        return;
    }
    exact_search_keep(racer->search);
    racer->ran = true;
    const struct exact_run run = {.strategy = racer->strategy,
                                  .rank = racer->rank,
                                  .rules = race->options.rules,
                                  .grid = grid,
                                  .capacity = round->capacity,
                                  .placements = placements,
                                  .deadline_ns = round->deadline_ns,
                                  .cancelled = &racer->cancelled};
    racer->status = exact_search_run(racer->search, &run, &racer->outcome, &racer->error);
    if (racer->status || racer->outcome != EXACT_STOPPED)
        note_answer(race, index);
}

static void run_racers(struct exact_race *race, const struct exact_round *round,
                       const struct exact_grid *grid)
{
    uint32_t threads = race->options.threads;
    race->answered = race->racers;
    for (uint32_t i = 0; i < race->racers; i++) {
        race->racer[i].cancelled = false;
        race->racer[i].ran = false;
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
    for (uint32_t i = 0; i < race->racers; i++) {
        uint32_t answered;
#pragma omp atomic read
        answered = race->answered;
        if (i < answered && round->number >= race->racer[i].strategy->from &&
            clock_left_ns(round->deadline_ns))
            run_racer(race, i, round, grid);
    }
    assert(race->answered <= race->racers);
    for (uint32_t i = race->answered + 1; i < race->racers; i++)
        if (race->racer[i].ran)
            exact_search_forget(race->racer[i].search);
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
    if (race->answered == race->racers)
        return STATUS_OK;
    const struct racer *racer = &race->racer[race->answered];
    if (racer->status) {
        *error = racer->error;
        return racer->status;
    }
    const struct exact_state *state = exact_search_state(racer->search);
    answer->outcome = racer->outcome;
    if (answer->outcome == EXACT_FOUND)
        memcpy(answer->offset, state->lowest, race->model->buffers * sizeof *answer->offset);
    else
        answer->next_capacity = state->next_capacity;
    assert(answer->outcome != EXACT_REFUTED || answer->next_capacity > round->capacity);
    return STATUS_OK;
}

void exact_race_count(const struct exact_race *race, uint64_t counter[SEARCH_COUNTERS])
{
    for (uint32_t i = 0; i < race->racers; i++)
        for (uint32_t c = 0; race->racer[i].search && c < SEARCH_COUNTERS; c++)
            counter[c] += exact_search_state(race->racer[i].search)->counter[c];
}
