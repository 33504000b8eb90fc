#ifndef MEMPLAN_SOLVERS_MIP_MODEL_PLAN_H
#define MEMPLAN_SOLVERS_MIP_MODEL_PLAN_H

#include "planning/plan/plan.h"
#include "solvers/mip/model/model.h"

/* Column values [columns] of a plan, mirrored where the model asks for it. False when they break a
   bound or a row of the model, so that a solver must not be given them. */
bool mip_model_from_plan(const struct mip_model *model, const struct plan *plan, double *values);

/* The lowest plan in which everything lies above and below each other as the binaries say; the
   offsets a solver computed in floating point are not looked at. False when there is none. The
   caller verifies the plan. O(buffers * pairs) at worst. */
bool mip_model_to_plan(const struct mip_model *model, const double *values, struct plan *plan);

#endif
