#include "solvers/mip/formulations/pair_rows.h"
#include "solvers/mip/mip.h"
#include "solvers/mip/model/order_plan.h"

/* Offsets, the peak, and for each two windows that are live together a binary and two rows with a
   big M. Its relaxation knows no more than the largest buffer. */

const struct mip_formulation mip_formulation_pairs = {
    MIP_BY_PAIRS, .name = "pairs", .legend = MIP_LEGEND_OF_PAIRS,
    .standard = MIP_ALL & ~(unsigned)MIP_CLIQUES, .build = mip_build_pairs};

const struct planner planner_ilp_pairs = {
    ILP_PLANNER(pairs),
    .options = mip_options_as_published,
    .title = "integer program: a binary and a big M for each pair",
    .source = "Steiner et al. 2022 (OLLA), Steiner et al. 2023 (MODeL)",
};
