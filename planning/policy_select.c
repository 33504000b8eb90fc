#include "planning/path_level.h"
#include "planning/policy_level.h"

/* Like policy_path.c, but what a branch yields keeps a place of its own, and whoever reads the
   result of an If reads where the taken branch left it. A yield is needed as long as the result is,
   on the paths that took its branch. Two tensors conflict exactly when some path has both live at
   once; where that is no matter of time, steps behind the end of the line say so.

       if -> r, then: relu -> t, else: pool -> e; dense reads r

       step   0 enters  1 relu  2 pool  3 leaves  4 dense | 5 dense
       t                [     ]         [               ] |            where then was taken
       e                        [     ]                   | [     ]    where else was: never with t
       dense                                      [     ]   [     ] */

static enum status place_select(const struct graph *graph, const struct level_planner *planner,
                                struct placement *placement, struct error *error)
{
    struct liveness *liveness = NULL;
    struct level *level = NULL;
    enum status status;
    TRY_OR_DONE(status, liveness_create_shared(graph, placement, &liveness, error));
    TRY_OR_DONE(status,
                path_level_create(graph, liveness, NULL, planner->alignment_bytes, &level, error));
    TRY_OR_DONE(status, policy_level_place(level, NULL, planner, placement, error));
done:
    level_free(level);
    liveness_free(liveness);
    return status;
}

const struct policy policy_select = {
    .name = "select",
    .title = "like path, but what each branch yields keeps a place of its own and readers choose "
             "the address at run time",
    .source = "ours",
    .flags = POLICY_PATHS,
    .place = place_select,
};
