#include "solvers/mip/formulations/position_rows.h"
#include "solvers/mip/mip.h"

/* A binary for each buffer and position. At each section each unit is covered at most once. */

static void cover_once(struct mip_model *model, uint64_t unit)
{
    (void)unit;
    mip_close_row(model, -1);
}

static void build(struct mip_model *model)
{
    if (mip_add_position_columns(model))
        mip_visit_units(model, false, cover_once);
}

const struct mip_formulation mip_formulation_positions = {.name = "positions",
                                                          .legend =
                                                              "at_A~~5 where A lies at unit 5",
                                                          .standard = MIP_ALL,
                                                          .build = build,
                                                          .to_plan = mip_positions_to_plan,
                                                          .from_plan = mip_positions_from_plan};

const struct planner planner_ilp_positions = {
    ILP_PLANNER(positions),
    .options = mip_options,
    .title = "integer program: a binary for each buffer and position",
    .source = "Beasley 1985, of two-dimensional cutting",
};
