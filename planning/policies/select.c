#include "planning/policies/choices.h"

/* Like planning/policies/path.c, but what a branch yields keeps a place of its own, and whoever
   reads the result of an If reads where the taken branch left it. A yield is needed as long as the
   result is, on the paths that took its branch. Two tensors conflict exactly when some path has
   both live at once; where that is no matter of time, steps behind the end of the line say so.

       if -> r, then: relu -> t, else: pool -> e; dense reads r

       step   0 enters  1 relu  2 pool  3 leaves  4 dense | 5 dense
       t                [     ]         [               ] |            where then was taken
       e                        [     ]                   | [     ]    where else was: never with t
       dense                                      [     ]   [     ]

   A result may also have a place, into which all branches bring what they yield: sometimes that
   frees a gap which nothing could use. planning/policies/choices.h says which results do. */

static enum status make_select(const struct policy *policy, const struct policy_input *input,
                               struct policy_level *made, struct error *error)
{
    (void)policy;
    return choices_make_level(input, CHOICES_EITHER, made, error);
}

static enum status place_select(const struct policy *policy, const struct graph *graph,
                                const struct level_planner *planner, struct placement *placement,
                                struct error *error)
{
    (void)policy;
    return choices_place(graph, CHOICES_EITHER, planner, placement, error);
}

const struct policy policy_select = {
    .name = "select",
    .title = "like path, but what each branch yields keeps a place of its own and readers choose "
             "the address at run time",
    .source = "ours",
    .flags = POLICY_PATHS,
    .make_level = make_select,
    .place = place_select,
};
