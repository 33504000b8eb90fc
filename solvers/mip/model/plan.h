#ifndef MEMPLAN_SOLVERS_MIP_MODEL_PLAN_H
#define MEMPLAN_SOLVERS_MIP_MODEL_PLAN_H

#include "planning/plan/plan.h"
#include "solvers/mip/model/model.h"

/* Finds the column values [columns] of a plan, mirrored where the model asks for it. False when
   they break a bound or a row of the model: then they must not be given to a solver. */
bool mip_model_from_plan(const struct mip_model *model, const struct plan *plan, double *values);

/* Makes the lowest plan in which, of each pair, the buffer lies below that the binary says; the
   offsets that a solver computed in floating point are ignored. False when there is none. The
   caller verifies the plan. O(buffers * pairs) at worst. */
bool mip_model_to_plan(const struct mip_model *model, const double *values, struct plan *plan);

#endif
