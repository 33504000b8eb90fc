#ifndef MEMPLAN_SOLVERS_MIP_FORMULATIONS_PAIR_ROWS_H
#define MEMPLAN_SOLVERS_MIP_FORMULATIONS_PAIR_ROWS_H

#include "solvers/mip/model/formulation.h"

/* The columns and rows that the formulations with a binary for each pair share. */

/* Adds for each buffer its offset (offset_A); for each pair its binary, 1 where the first lies
   below the second (below_A~~B, and below_A~~B~~1 and so on for further windows of the two); for
   each buffer whose alignment is above one unit, its offset divided by that alignment (factor_A), a
   whole number, and the row that says so. */
void mip_add_order_columns(struct mip_model *model);
/* The binaries alone. */
void mip_add_pair_columns(struct mip_model *model);

/* Adds the rows that keep the windows of a pair apart: one that counts where its binary is 1 and
   one that counts where it is 0, each with the M of the pair. Where the direction is known, adds
   only the row that counts, without any M. */
void mip_add_pair_rows(struct mip_model *model, uint32_t pair);
/* Adds for each buffer the row: peak >= offset + size. */
void mip_add_peak_rows(struct mip_model *model);

/* Adds for each section and member i of it, without any M,
     offset i + l_i >= sum over the others of their bytes where they lie below i
     peak >= offset i + h_i + sum over the others of their bytes where they lie above i */
void mip_add_clique_rows(struct mip_model *model);
/* Adds all of these columns and rows; the clique rows only with their switch. */
void mip_build_pairs(struct mip_model *model);

/* One member of a section, and the side of it on which the others count. */
struct mip_side {
    uint32_t section;
    uint64_t member;
    bool below;
};
/* Adds to the open row, times sign, the bytes of those that lie on that side of the member; returns
   the constant that the entries lack: bytes = entries + constant. */
double mip_add_side_entries(struct mip_model *model, const struct mip_side *side, double sign);
/* The bytes that lie there by the values of the binaries. */
double mip_side_bytes(const struct mip_model *model, const struct mip_side *side,
                      const double *values);

#endif
