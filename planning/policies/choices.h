#ifndef MEMPLAN_PLANNING_POLICIES_CHOICES_H
#define MEMPLAN_PLANNING_POLICIES_CHOICES_H

#include "planning/policies/place_options.h"
#include "planning/policies/whole_graph.h"

/* The values that operators with regions move may be placed in several ways
   (planning/liveness/result_places.h), none of which is always the best:

   - A result or argument that always has the value of another tensor coincides with that tensor,
     even if both are needed (planning/liveness/same_values.h), or is copied into a place of its
     own. The copy needs more bytes but may fill a gap.
   - Where the policy allows it, a result is read where the taken branch left it, or has a place of
     its own.
   - What a branch makes and yields is written straight into the place of the result, or has a place
     of its own until it is copied there. The latter is never worse but harder to plan.

   Each variant is a problem of its own. The problem with the fewest demands is planned first. If
   the peak of its plan is a lower bound for all variants, it is the answer. Else other variants are
   tried; those with places of their own for what branches yield come in only once plans are proved
   to be the best ones of their problems. */

/* policy->make_level: the level that is planned first. Leaves *made fit for policy_level_free where
   it fails. */
enum status choices_make_level(const struct policy *policy, const struct policy_input *input,
                               struct policy_level *made, struct error *error);

/* policy->place: fills the placement with the best plan of all variants that were tried. Its lower
   bound holds for all variants, tried or not, so that it is optimal only where none has a lower
   peak. */
enum status choices_place(const struct policy *policy, const struct graph *graph,
                          const struct level_planner *planner, struct placement *placement,
                          struct error *error);

#endif
