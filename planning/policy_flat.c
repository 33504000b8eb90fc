#include "planning/policy_level.h"

static enum status place_flat(const struct graph *graph, const struct level_planner *planner,
                              struct placement *placement, struct error *error)
{
    struct liveness *liveness = NULL;
    struct level *level = NULL;
    enum status status;
    TRY_OR_DONE(status, liveness_create_shared(graph, placement, &liveness, error));
    TRY_OR_DONE(status,
                level_create_flat(graph, liveness, planner->alignment_bytes, &level, error));
    TRY_OR_DONE(status, policy_level_place(level, NULL, planner, placement, error));
done:
    level_free(level);
    liveness_free(liveness);
    return status;
}

const struct policy policy_flat = {
    .name = "flat",
    .title = "branches one after another on one line; what a branch yields stays live to the last "
             "use of the operator's result",
    .source = "Wang et al., J. NUDT 47(6), 2025: the baseline of Table 1",
    .place = place_flat,
};
