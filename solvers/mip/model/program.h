#ifndef MEMPLAN_SOLVERS_MIP_MODEL_PROGRAM_H
#define MEMPLAN_SOLVERS_MIP_MODEL_PROGRAM_H

#include "core/names.h"
#include "core/text.h"
#include "solvers/mip/model/model.h"

/* A model with the names of its columns, as files need it.

   The columns are called peak; offset_A for buffer A; below_A~~B for the binary that says whether A
   lies below B, and below_A~~B~~1 and so on for further windows of the two; factor_A for the factor
   of A's alignment. A buffer's name is kept if it has at most 40 characters, all letters, digits,
   '_' or '.', and no buffer before has the same name. Else other characters become '_' and the
   buffer's position in the problem is appended, as in name~17. So all names differ, and every
   reader of LP and MPS files takes them (CBC's allows 100 characters). O(columns). */
struct mip_program {
    struct mip_model *model;
    struct names names; /* [model->columns] */
};

/* The caller clears it, also after an error. STATUS_BAD_INPUT where the model is too large or its
   numbers are no longer whole in floating point. */
enum status mip_program_create(const struct problem *problem, uint64_t upper_bytes,
                               struct mip_program *program, struct error *error);
void mip_program_clear(struct mip_program *program);

/* Comment lines, each with the prefix, that say what is in the file. */
void mip_program_describe(const struct mip_program *program, const char *prefix, struct text *text);

/* Whether this is an integer column that may have other values than 0 and 1. */
bool mip_program_is_general(const struct mip_program *program, uint32_t column);

#endif
