#include "solvers/family/orient_exact.h"

#include <assert.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/problem/conflicts.h"
#include "solvers/exact/race/race.h"
#include "solvers/exact/race/state.h"

/* A model for each point, one along the other. */
static enum status create_models(const struct orient_search *search, struct exact_model **model,
                                 struct error *error)
{
    struct problem problem;
    SCOPED(memory_release) uint64_t *upper = NULL;
    TRY(size_vectors_problem(search->vectors, 0, &problem, &upper, error));
    TRY(exact_model_create(&problem, model, error));
    for (uint32_t i = 1; i < search->vectors->count; i++) {
        TRY(size_vectors_problem(search->vectors, i, &problem, &upper, error));
        TRY(exact_model_add_along(*model, &problem, search->limit[i], error));
    }
    return STATUS_OK;
}

static bool keeps_limits(const struct orient_search *search, const struct orientation *orientation)
{
    const struct size_vectors *vectors = search->vectors;
    for (uint32_t i = 0; i < vectors->count; i++)
        if (family_peak(vectors->family, orientation,
                        vectors->size + (size_t)i * orientation->buffers) > search->limit[i])
            return false;
    return true;
}

enum status orient_exact(const struct orient_search *search, struct orientation *orientation,
                         enum orient_answer *found, uint64_t *nodes, struct error *error)
{
    const struct exact_race_options options = {.rules = EXACT_RULES_ALL,
                                               .strategies = search->strategies,
                                               .threads =
                                                   search->threads > 1 ? search->threads : 1};
    SCOPED(exact_model_release) struct exact_model *model = NULL;
    SCOPED(exact_race_release) struct exact_race *race = NULL;
    SCOPED(memory_release) uint64_t *offset = NULL;
    uint64_t pairs, counter[SEARCH_COUNTERS] = {0};
    *found = ORIENT_UNKNOWN;
    *nodes = 0;
    TRY(conflicts_count_pairs(search->orienter->problem, &pairs, error));
    if (pairs > ORIENT_MOST_PAIRS)
        return STATUS_OK;
    TRY(create_models(search, &model, error));
    TRY(exact_race_create(model, &options, &race, error));
    assert(model->buffers == search->orienter->problem->buffers);
    TRY(memory_create(&offset, model->buffers, sizeof *offset, error));
    struct exact_answer answer = {.outcome = EXACT_STOPPED, .offset = offset};
    struct exact_round round = {.capacity = search->limit[0] / model->unit_bytes,
                                .deadline_ns = search->deadline_ns,
                                .pause_ns = UINT64_MAX};
    while (answer.outcome == EXACT_STOPPED && *nodes < search->most_nodes &&
           clock_left_ns(search->deadline_ns)) {
        TRY(exact_race_run(race, &round, &answer, error));
        memset(counter, 0, sizeof counter);
        exact_race_count(race, counter);
        assert(counter[SEARCH_PLACEMENTS] >= *nodes);
        *nodes = counter[SEARCH_PLACEMENTS];
        round.number += round.number < EXACT_LAST_ROUND;
    }
    if (answer.outcome == EXACT_STOPPED)
        return STATUS_OK;
    *found = answer.outcome == EXACT_FOUND ? ORIENT_FOUND : ORIENT_REFUSED;
    if (answer.outcome == EXACT_FOUND) {
        TRY(orienter_orient_by_offsets(search->orienter, offset, orientation, error));
        bool keeps = keeps_limits(search, orientation);
        assert(keeps);
        (void)keeps;
    }
    return STATUS_OK;
}
