#ifndef MEMPLAN_SOLVERS_MIP_ROUND_H
#define MEMPLAN_SOLVERS_MIP_ROUND_H

#include "solvers/mip/model/model.h"

/* Finds the values of a plan: of the lowest one of its order, or of another order where the model
   leaves that one out. *holds: they keep every row, which GLPK does not check of a start. */
enum status mip_values_of_plan(const struct mip_model *model, const struct plan *plan,
                               double *values, bool *holds, struct error *error);

/* Makes plans buffer by buffer, in the order of the offsets of a relaxation, or of the best plan,
   and in orders near that. */
struct mip_rounder;

/* Whether the relaxations of the model say where buffers lie. */
bool mip_rounder_suits(const struct mip_model *model);
/* For such a model. Where `plan` has offsets, only plans with a lower peak count. */
enum status mip_rounder_create(const struct mip_model *model, const struct plan *plan,
                               struct mip_rounder **rounder, struct error *error);
void mip_rounder_free(struct mip_rounder *rounder); /* NULL is fine */
SCOPED_POINTER(struct mip_rounder, mip_rounder_release, mip_rounder_free);

/* Makes plans buffer by buffer before there is a relaxation. *work, in the unit of mip_meter, is
   the most that this may take, and then what it took. *found is a plan that counts, or NULL. */
enum status mip_rounder_begin(struct mip_rounder *rounder, uint64_t deadline_ns, uint64_t *work,
                              const struct plan **found);
/* As struct mip_rounding says, of a rounder. */
bool mip_rounder_round(void *rounder, const double *values, uint64_t work, double *found);
/* The lowest plan so far, even where it is above the model's upper end; a plan without offsets
   where there is none. Fails where a call of mip_rounder_round did. */
enum status mip_rounder_best(const struct mip_rounder *rounder, const struct plan **best);

#endif
