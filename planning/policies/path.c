#include "planning/policies/choices.h"

/* The branches lie one after another on the line of steps, as under planning/policies/flat.c, but a
   tensor is live in a branch only as far as the branch, or what comes after it, still reads it. The
   result of an If is one buffer with what the branches define for it
   (planning/liveness/result_places.h), so that its readers know one address: in each branch it has
   the bytes that this one yields, afterwards those of the largest. Anything else that a branch
   yields is copied there when the If is left, unless the result always has the value of another
   tensor and stays where that is (planning/policies/choices.h).

       conv -> x    if -> r, then: relu x -> t, else: pool -> e, dense x; after it: dense r

       step        0 conv  1 enters  2 relu  3 pool  4 dense  5 leaves  6 dense
       x           [                       ]         [     ]              a hole while else needs
       result r                      [ t   ] [ e     : e   ] [ r        ] it not yet; at 2 with the
                                                                          bytes of t, at 3 of e */

static enum status make_path(const struct policy *policy, const struct policy_input *input,
                             struct policy_level *made, struct error *error)
{
    (void)policy;
    return choices_make_level(input, CHOICES_PLACED, made, error);
}

static enum status place_path(const struct policy *policy, const struct graph *graph,
                              const struct level_planner *planner, struct placement *placement,
                              struct error *error)
{
    (void)policy;
    return choices_place(graph, CHOICES_PLACED, planner, placement, error);
}

const struct policy policy_path = {
    .name = "path",
    .title = "branches one after another, tensors live only on the paths that need them; a result "
             "and what the branches yield for it are one buffer",
    .source = "ours",
    .flags = POLICY_PATHS,
    .make_level = make_path,
    .place = place_path,
};
