#ifndef MEMPLAN_SOLVERS_MIP_FILES_PROGRAM_H
#define MEMPLAN_SOLVERS_MIP_FILES_PROGRAM_H

#include "core/names.h"
#include "core/text.h"
#include "solvers/mip/model/formulation.h"

/* A model with the names of its columns, as files need it. */
struct mip_program {
    struct mip_model *model;
    struct names names;    /* [model->columns] */
    const char *objective; /* the name of what is minimised: factor times column 0 */
    uint64_t factor;
};

/* Builds the program by a formulation with its standard switches, and all rows. The caller clears
   it, also after an error. STATUS_BAD_INPUT where the formulation refuses the problem or has too
   many rows to write them all down, or where numbers are no longer whole in floating point. */
enum status mip_program_create(const struct problem *problem,
                               const struct mip_formulation *formulation, uint64_t upper_bytes,
                               struct mip_program *program, struct error *error);
void mip_program_clear(struct mip_program *program);

/* Appends the integer program of a formulation as a file for any solver, in LP or MPS format.
   Columns have the names and the order of the model; the objective peak_bytes is the peak in bytes,
   offsets and the column peak are in units of problem_unit_bytes bytes. Comments at the top say so.
   No plan above upper_bytes, which is at least bound_peak, is a solution. The same problem and
   upper_bytes give the same bytes. Errors as mip_program_create. O(entries log entries). */
enum status mip_write(const struct problem *problem, const struct mip_formulation *formulation,
                      uint64_t upper_bytes, bool as_mps, struct text *text, struct error *error);

/* Appends the program in CPLEX's LP format, or in free MPS format. */
enum status mip_program_write_lp(const struct mip_program *program, struct text *text,
                                 struct error *error);
enum status mip_program_write_mps(const struct mip_program *program, struct text *text,
                                  struct error *error);

/* Whether this is an integer column that may have other values than 0 and 1. */
bool mip_program_is_general(const struct mip_program *program, uint32_t column);

#endif
