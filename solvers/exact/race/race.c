#include "solvers/exact/race/race.h"

#include <string.h>

#include "core/memory.h"

enum { GRIDS = 3 };

struct member {
    const struct exact_order *order;
    uint32_t *rank;
    struct exact_search *search;
    enum exact_outcome outcome;
    bool ran;       /* in this heat */
    bool cancelled; /* an earlier one has the answer */
    enum status status;
    struct error error;
};

struct exact_race {
    const struct exact_model *model;
    struct exact_race_options options;
    struct exact_grid *grid[GRIDS]; /* by the lanes of a block; NULL before they are needed */
    struct member *member;          /* [members] */
    uint32_t members;
    uint32_t answered; /* the first member with an answer, or members */
};

/* Most problems are solved by one of the first. */
static enum status create_member(const struct exact_model *model, struct member *member,
                                 struct error *error)
{
    if (member->search)
        return STATUS_OK;
    if (!member->rank)
        TRY(memory_create(&member->rank, model->buffers, sizeof *member->rank, error));
    TRY(exact_order_rank(member->order, model, member->rank, error));
    return exact_search_create(model, &member->search, error);
}

enum status exact_race_create(const struct exact_model *model,
                              const struct exact_race_options *options, struct exact_race **created,
                              struct error *error)
{
    struct exact_race *race;
    uint32_t members = exact_order_count();
    members = options->members < members ? options->members : members;
    TRY(memory_create(&race, 1, sizeof *race, error));
    enum status status = memory_create(&race->member, members, sizeof *race->member, error);
    if (status) {
        memory_free(race);
        return status;
    }
    race->model = model;
    race->options = *options;
    for (; race->members < members; race->members++)
        race->member[race->members].order = exact_order_at(race->members);
    *created = race;
    return STATUS_OK;
}

void exact_race_free(struct exact_race *race)
{
    if (!race)
        return;
    for (uint32_t i = 0; i < race->members; i++) {
        memory_free(race->member[i].rank);
        exact_search_free(race->member[i].search);
    }
    for (uint32_t i = 0; i < GRIDS; i++)
        exact_grid_free(race->grid[i]);
    memory_free(race->member);
    memory_free(race);
}

static void note_answer(struct exact_race *race, uint32_t index)
{
#pragma omp critical(exact_race_answered)
    {
        if (index < race->answered) {
#pragma omp atomic write
            race->answered = index;
        }
        for (uint32_t i = index + 1; i < race->members; i++) {
#pragma omp atomic write
            race->member[i].cancelled = true;
        }
    }
}

static void run_member(struct exact_race *race, uint32_t index, const struct exact_heat *heat,
                       const struct exact_grid *grid)
{
    struct member *member = &race->member[index];
    uint64_t placements = heat->placements * member->order->effort;
    placements = exact_search_double(placements, heat->level - member->order->from);
    member->status = create_member(race->model, member, &member->error);
    if (member->status) {
        note_answer(race, index);
        return;
    }
    exact_search_keep(member->search);
    member->ran = true;
    const struct exact_run run = {.order = member->order,
                                  .rank = member->rank,
                                  .rules = race->options.rules,
                                  .grid = grid,
                                  .capacity = heat->capacity,
                                  .placements = placements,
                                  .deadline_ns = race->options.deadline_ns,
                                  .cancelled = &member->cancelled};
    member->status = exact_search_run(member->search, &run, &member->outcome, &member->error);
    if (member->status || member->outcome != EXACT_STOPPED)
        note_answer(race, index);
}

static void run_members(struct exact_race *race, const struct exact_heat *heat,
                        const struct exact_grid *grid)
{
    uint32_t threads = race->options.threads;
    race->answered = race->members;
    for (uint32_t i = 0; i < race->members; i++) {
        race->member[i].cancelled = false;
        race->member[i].ran = false;
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
    for (uint32_t i = 0; i < race->members; i++) {
        uint32_t answered;
#pragma omp atomic read
        answered = race->answered;
        if (i < answered && heat->level >= race->member[i].order->from)
            run_member(race, i, heat, grid);
    }
    for (uint32_t i = race->answered + 1; i < race->members; i++)
        if (race->member[i].ran)
            exact_search_forget(race->member[i].search);
}

static enum status find_grid(struct exact_race *race, uint64_t capacity,
                             const struct exact_grid **grid, struct error *error)
{
    uint32_t lanes = exact_grid_lanes(race->model, capacity);
    struct exact_grid **kept = &race->grid[lanes / 8];
    if (!*kept)
        TRY(exact_grid_create(race->model, lanes, kept, error));
    *grid = *kept;
    return STATUS_OK;
}

enum status exact_race_run(struct exact_race *race, const struct exact_heat *heat,
                           enum exact_outcome *outcome, uint64_t *offset, uint64_t *excess,
                           struct error *error)
{
    const struct exact_grid *grid;
    TRY(find_grid(race, heat->capacity, &grid, error));
    run_members(race, heat, grid);
    *outcome = EXACT_STOPPED;
    if (race->answered == race->members)
        return STATUS_OK;
    const struct member *member = &race->member[race->answered];
    if (member->status) {
        *error = member->error;
        return member->status;
    }
    const struct exact_state *state = exact_search_state(member->search);
    *outcome = member->outcome;
    if (*outcome == EXACT_FOUND)
        memcpy(offset, state->lowest, race->model->buffers * sizeof *offset);
    else
        *excess = state->excess;
    return STATUS_OK;
}

void exact_race_count(const struct exact_race *race, uint64_t counter[SEARCH_COUNTERS])
{
    for (uint32_t i = 0; i < race->members; i++)
        for (uint32_t c = 0; race->member[i].search && c < SEARCH_COUNTERS; c++)
            counter[c] += exact_search_state(race->member[i].search)->counter[c];
}
