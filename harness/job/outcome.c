#include "harness/job/outcome.h"

#include <assert.h>

void outcome_clear(struct outcome *outcome)
{
    plan_free(outcome->plan);
    placement_free(outcome->placement);
    search_record_free(outcome->search);
    outcome->plan = NULL;
    outcome->placement = NULL;
    outcome->search = NULL;
}

const char *proof_state_name(enum proof_state state)
{
    static const char *const names[] = {
        [PROOF_NOT_ASKED] = "",      [PROOF_NONE] = "none",         [PROOF_LOGGED] = "logged",
        [PROOF_CHECKED] = "checked", [PROOF_VERIFIED] = "verified", [PROOF_REFUSED] = "refused"};
    assert(state < sizeof names / sizeof *names);
    return names[state];
}

struct outcome_places outcome_places(const struct outcome *outcome)
{
    struct plan *plan = outcome->plan;
    struct placement *placement = outcome->placement;
    assert(!plan != !placement);
    if (plan)
        return (struct outcome_places){.status = &plan->status,
                                       .measures = &plan->measures,
                                       .items = plan->buffers,
                                       .offset = plan->offset,
                                       .storage_id = &plan->storage_id,
                                       .extents = &plan->extents};
    return (struct outcome_places){.status = &placement->status,
                                   .measures = &placement->measures,
                                   .items = placement->tensors,
                                   .operators = placement->operators,
                                   .offset = placement->offset,
                                   .storage_id = &placement->storage_id,
                                   .extents = &placement->extents,
                                   .block_offset = placement->block_offset,
                                   .block_bytes = placement->block_bytes};
}

bool outcome_found(const struct outcome *outcome)
{
    return plan_status_is_found(outcome->status);
}

bool outcome_is_good(const struct outcome *outcome)
{
    return outcome_found(outcome) && outcome->verdict.fault == VERIFY_VALID &&
           (outcome->plan || outcome->execution.intact);
}

uint64_t outcome_median_ns(const struct outcome *outcome)
{
    assert(outcome->samples <= OUTCOME_MOST_SAMPLES);
    return outcome->samples ? outcome->wall_ns[outcome->samples / 2] : 0;
}
