#include "solvers/mip/formulations/pair_rows.h"
#include "solvers/mip/mip.h"
#include "solvers/mip/model/order_plan.h"

/* The formulation `pairs`, and two rows without any M for each member of each section: it lies
   above all the bytes below it, and the peak is above all the bytes above it. */

const struct mip_formulation mip_formulation_cliques = {
    MIP_BY_PAIRS, .name = "cliques", .legend = MIP_LEGEND_OF_PAIRS, .standard = MIP_ALL,
    .build = mip_build_pairs};

const struct planner planner_ilp_cliques = {
    ILP_PLANNER(cliques),
    .options = mip_options,
    .title = "integer program: pairs, and clique rows without M",
    .source = "ours: docs/integer-programs.md",
};
