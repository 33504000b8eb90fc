#ifndef MEMPLAN_SOLVERS_MIP_MODEL_ORDER_PLAN_H
#define MEMPLAN_SOLVERS_MIP_MODEL_ORDER_PLAN_H

#include "solvers/mip/model/model.h"

/* Plans of programs with a binary for each pair, 1 where its first buffer lies below its second. */

/* Makes the lowest plan in which all pairs lie as the binaries say; the offsets that a solver
   computed in floating point are ignored. False when there is none. O(buffers * pairs) at worst. */
bool mip_order_to_plan(const struct mip_model *model, const double *values, struct plan *plan);

/* Sets the peak, the offsets where the program has columns for them, the binaries and the factors
   of alignments to those of a plan. */
void mip_order_from_plan(const struct mip_model *model, const struct plan *plan, double *values);

/* Finds the lowest plan in which all pairs lie as they do in the given one. False where some
   buffers of that do not lie apart. */
bool mip_lower_plan(const struct mip_model *model, const struct plan *from, struct plan *to);

/* Changes a plan into one of the same peak that the model does not leave out: of twins the first
   lies lowest, and the mirrored pair as fixed. O(buffers^2). */
void mip_arrange(const struct mip_model *model, struct plan *plan);

/* What formulations with a binary for each pair have in common. */
#define MIP_BY_PAIRS .to_plan = mip_order_to_plan, .from_plan = mip_order_from_plan

#endif
