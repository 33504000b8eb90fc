#ifndef MEMPLAN_SOLVERS_MIP_FILES_WRITE_H
#define MEMPLAN_SOLVERS_MIP_FILES_WRITE_H

#include "core/text.h"
#include "solvers/mip/model/formulation.h"

/* The integer program of a formulation as a file for any solver. Columns have the names and the
   order of the model; the objective peak_bytes is the peak in bytes, offsets and the column peak
   are in units of problem_unit_bytes bytes. Comments at the top say so. No plan above upper_bytes,
   which is at least bound_peak, is a solution. The same problem and upper_bytes give the same
   bytes. Errors as mip_program_create. O(entries log entries). */

typedef enum status mip_write(const struct problem *problem,
                              const struct mip_formulation *formulation, uint64_t upper_bytes,
                              struct text *text, struct error *error);

/* CPLEX's LP format: Minimize, Subject To, Bounds, Generals, Binaries. */
mip_write mip_write_lp;

/* Free MPS format. */
mip_write mip_write_mps;

#endif
