#ifndef MEMPLAN_SOLVERS_MIP_FORMULATIONS_POSITION_ROWS_H
#define MEMPLAN_SOLVERS_MIP_FORMULATIONS_POSITION_ROWS_H

#include "solvers/mip/model/formulation.h"

/* What the formulations with a binary for each buffer and position share. Of some best plan all
   offsets are positions: in the lowest plan of an order each buffer is at 0 or rests on one below
   it, so its offset is 0 or the offset of a conflicting buffer that has one, plus how far it lies
   above that, aligned. */

/* Adds a binary for each buffer and position (at_A~~5), of which each buffer has one, and the rows:
   peak >= position + size, and for pairs whose direction is known that they lie apart. False where
   the positions are too many, which is then the refusal. */
bool mip_add_position_columns(struct mip_model *model);

/* Visits each section and, in it, each unit at which the window of some member may begin, or with
   every_unit each unit up to the upper end: adds to the open row, times -1, all binaries that put a
   window over the unit, and calls visit, which closes the row. */
typedef void mip_visit_unit(struct mip_model *model, uint64_t unit);
void mip_visit_units(struct mip_model *model, bool every_unit, mip_visit_unit *visit);

bool mip_positions_to_plan(const struct mip_model *model, const double *values, struct plan *plan);
void mip_positions_from_plan(const struct mip_model *model, const struct plan *plan,
                             double *values);

#endif
