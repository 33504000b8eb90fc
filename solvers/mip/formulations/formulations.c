#include "core/rows.h"
#include "solvers/mip/model/formulation.h"

#define MIP_FORMULATION(name) extern const struct mip_formulation mip_formulation_##name;
#include "solvers/mip/formulations/formulations.def"
#undef MIP_FORMULATION

#define MIP_FORMULATION(name) &mip_formulation_##name,
static const struct mip_formulation *const formulations[] = {
#include "solvers/mip/formulations/formulations.def"
};
#undef MIP_FORMULATION

ROWS_DEFINE_POINTERS(mip_formulation, struct mip_formulation, formulations);
ROWS_DEFINE_FIND(mip_formulation, struct mip_formulation);
ROWS_DEFINE_REFUSE(mip_formulation, "formulation", "memplan list planners");
