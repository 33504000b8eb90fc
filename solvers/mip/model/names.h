#ifndef MEMPLAN_SOLVERS_MIP_MODEL_NAMES_H
#define MEMPLAN_SOLVERS_MIP_MODEL_NAMES_H

#include "core/names.h"
#include "solvers/mip/model/model.h"

/* What the columns of a model are called in files: peak; offset_A for buffer A; below_A~~B for the
   binary that says whether A lies below B, and below_A~~B~~1 and so on for further windows of the
   two; factor_A for the factor of A's alignment. A buffer's name is kept where it is up to 40
   letters, digits, '_' and '.', and no buffer before has it; else what does not fit becomes '_' and
   its position in the problem follows, after_it~17, so that all names differ and every reader of LP
   and MPS files takes them (CBC's allows 100 characters). O(columns). */

/* names is empty; the caller frees it, also after an error. */
enum status mip_names_fill(const struct mip_model *model, struct names *names, struct error *error);

#endif
