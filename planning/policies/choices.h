#ifndef MEMPLAN_PLANNING_POLICIES_CHOICES_H
#define MEMPLAN_PLANNING_POLICIES_CHOICES_H

#include "planning/policies/place_options.h"
#include "planning/policies/whole_graph.h"

/* What operators with regions move may be placed in several ways,
   planning/liveness/result_places.h, and none is always the best:

   - A result or argument that always has the value of another tensor stays where that is, even if
     both are needed (planning/liveness/same_values.h), or is copied into a place of its own, which
     needs more bytes and may fill a gap.
   - Where results may be read where the taken branch left them, each is, or has a place.
   - What a branch makes and yields is written straight into the place of the result, or has a place
     apart until it is moved there. The latter is never worse but harder to plan.

   Each variant is a problem of its own. The problem that says the least is planned first; if its
   plan has as many bytes as no variant can do without, that is all. Else others are tried: what is
   moved is apart only once plans are proved to be the best ones of their problems. */

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
