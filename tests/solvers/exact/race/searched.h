#ifndef MEMPLAN_TESTS_SOLVERS_EXACT_RACE_SEARCHED_H
#define MEMPLAN_TESTS_SOLVERS_EXACT_RACE_SEARCHED_H

#include "solvers/exact/race/node.h"
#include "solvers/exact/race/search.h"
#include "support/must.h"

/* A problem with all that a search needs; anything that fails ends the test case. The struct stays
   where it is until it is cleared. */

enum { SEARCHED_MOST = 64 }; /* buffers */

struct searched {
    struct problem *problem;
    struct exact_model *model;
    struct exact_rectangles rectangles;
    struct exact_grid *grid;
    struct exact_state *state; /* with an experience of no runs */
    uint64_t load;             /* of the fullest section */
    uint32_t rank[SEARCHED_MOST];
};

/* The problem becomes its own. */
static inline void searched_create(struct problem *problem, uint32_t lanes, bool learns,
                                   struct searched *searched)
{
    *searched = (struct searched){.problem = problem};
    CU_ASSERT_FATAL(problem->buffers <= SEARCHED_MOST);
    must(exact_model_create(problem, &searched->model, &error));
    must(exact_rectangles_fill(searched->model, &searched->rectangles, &error));
    must(exact_grid_create(&searched->rectangles, lanes, &searched->grid, &error));
    must(exact_state_create(searched->model, &searched->state, &error));
    must(exact_state_fit(searched->state, searched->grid, &error));
    must(exact_experience_create(searched->model, learns, &searched->state->experience, &error));
    must(exact_state_reserve(searched->state, &error));
    for (uint32_t s = 0; s < searched->model->sections; s++)
        if (searched->model->load[s] > searched->load)
            searched->load = searched->model->load[s];
}

static inline void searched_clear(struct searched *searched)
{
    exact_experience_free(searched->state->experience);
    exact_state_free(searched->state);
    exact_grid_free(searched->grid);
    scratch_free(&searched->rectangles.memory);
    exact_model_free(searched->model);
    problem_free(searched->problem);
}

/* A run of a strategy up to its answer, with the next capacity that may fit where it is a refusal.
   Stopped at once where the model is not orderable. */
static inline enum exact_outcome searched_run(const struct searched *searched, uint32_t strategy,
                                              uint64_t capacity, uint64_t *next_capacity)
{
    const struct exact_model *model = searched->model;
    SCOPED(exact_search_release) struct exact_search *search = NULL;
    SCOPED(exact_experience_release) struct exact_experience *experience = NULL;
    uint32_t rank[SEARCHED_MOST];
    enum exact_outcome outcome = EXACT_STOPPED;
    struct exact_run run = {.strategy = exact_strategy_at(strategy),
                            .rank = rank,
                            .rules = EXACT_RULES_ALL,
                            .capacity = capacity,
                            .grid = searched->grid,
                            .placements = UINT64_MAX,
                            .pause_ns = UINT64_MAX,
                            .deadline_ns = UINT64_MAX};
    must(exact_strategy_rank(run.strategy, model, rank, &error));
    must(exact_search_create(model, &search, &error));
    must(exact_experience_create(model, run.strategy->learns, &experience, &error));
    run.experience = experience;
    if (model->orderable)
        must(exact_search_run(search, &run, &outcome, &error));
    *next_capacity = outcome == EXACT_REFUTED ? exact_search_state(search)->next_capacity : 0;
    return outcome;
}

#endif
