#include <assert.h>
#include <inttypes.h>

#include "solvers/mip/formulations/position_rows.h"
#include "solvers/mip/mip.h"

/* Interval colouring: units are colours, of which a buffer takes as many as it has, one next to the
   other. In each section each colour has at most one buffer, and none unless the colour is in use;
   the colours in use are the lowest ones, and the peak is their number. For problems of few units.
 */

enum { MOST_COLOURS = 512 };

static uint32_t get_first_colour(const struct mip_model *model)
{
    assert(model->first_position);
    return model->first_position[model->problem->buffers];
}

static void cover_if_used(struct mip_model *model, uint64_t unit)
{
    assert(unit < model->upper);
    mip_add_entry(model, get_first_colour(model) + (uint32_t)unit, 1);
    mip_close_row(model, 0);
}

static void build(struct mip_model *model)
{
    if (model->upper > MOST_COLOURS)
        mip_refuse(model, "%" PRIu64 " units are too many colours, and the limit is %d",
                   model->upper, MOST_COLOURS);
    if (*model->refusal || !mip_add_position_columns(model))
        return;
    uint32_t first = model->columns;
    for (uint64_t unit = 0; unit < model->upper; unit++) {
        mip_add_column(model, unit < model->bound, 1, true);
        mip_name_column(model, "used_%" PRIu64, unit);
        if (unit == 0)
            continue;
        mip_add_entry(model, model->columns - 2, 1);
        mip_add_entry(model, model->columns - 1, -1);
        mip_close_row(model, 0);
    }
    mip_add_entry(model, 0, 1);
    for (uint32_t c = first; c < model->columns; c++)
        mip_add_entry(model, c, -1);
    mip_close_equation(model, 0);
    mip_visit_units(model, true, cover_if_used);
}

static void from_plan(const struct mip_model *model, const struct plan *plan, double *values)
{
    assert(get_first_colour(model) + model->upper == model->columns);
    mip_positions_from_plan(model, plan, values);
    for (uint32_t unit = 0; unit < model->upper; unit++)
        values[get_first_colour(model) + unit] = unit < (uint32_t)values[0];
}

const struct mip_formulation mip_formulation_colours = {
    .name = "colours",
    .legend = "at_A~~5 where the first colour of A is 5, used_5 where somebody has colour 5",
    .standard = MIP_ALL,
    .build = build,
    .to_plan = mip_positions_to_plan,
    .from_plan = from_plan};

const struct planner planner_ilp_colours = {
    ILP_PLANNER(colours),
    .options = mip_options,
    .title = "integer program: colours of intervals, for few units",
    .source = "Kierstead 1991, of interval colouring; the program is ours",
};
