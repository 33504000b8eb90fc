#include <assert.h>

#include "solvers/mip/formulations/pair_rows.h"
#include "solvers/mip/mip.h"
#include "solvers/mip/model/order_plan.h"

/* For each pair of windows, the convex hull of its two sides, in the extended form of Balas 1985:
   the offsets of its two buffers a and b are split into a part (low, high) that counts where a lies
   below b and one that counts where it does not, and each part keeps the boxes and the distance of
   its side, times the binary. There is no M; the boxes of the offsets take its place. */

/* Adds the rows of one of the two buffers, whose offset has the box [lowest, highest]: one part is
   in the box where the binary is 1, and 0 where the binary is 0; the other part is 0 where the
   binary is 1, and in the box where it is 0. */
static void add_box_rows(struct mip_model *model, uint32_t buffer, uint32_t part, uint32_t binary)
{
    double lowest = (double)model->pairs.lowest[buffer];
    double highest = (double)model->pairs.highest[buffer];
    uint32_t offset = model->first_offset + buffer;
    assert(lowest <= highest && offset < part);
    for (int sign = 1; sign >= -1; sign -= 2) {
        double edge = sign > 0 ? lowest : highest;
        mip_add_entry(model, part, sign);
        mip_add_entry(model, binary, -sign * edge);
        mip_close_row(model, 0);
        mip_add_entry(model, offset, sign);
        mip_add_entry(model, part, -sign);
        mip_add_entry(model, binary, sign * edge);
        mip_close_row(model, sign * edge);
    }
}

static void add_hull(struct mip_model *model, uint32_t p)
{
    const struct mip_pair *pair = &model->pairs.pair[p];
    assert(pair->first != pair->second);
    assert(model->pairs.direction[p] == MIP_OPEN);
    uint32_t a = model->first_offset + pair->first, b = model->first_offset + pair->second;
    uint32_t binary = model->first_pair + p;
    uint32_t low = mip_add_column(model, 0, (double)model->pairs.highest[pair->first], false);
    mip_name_pair_column(model, "low", p);
    uint32_t high = mip_add_column(model, 0, (double)model->pairs.highest[pair->second], false);
    mip_name_pair_column(model, "high", p);
    double first_below = (double)mip_first_below(pair),
           second_below = (double)mip_second_below(pair);
    add_box_rows(model, pair->first, low, binary);
    add_box_rows(model, pair->second, high, binary);
    mip_add_entry(model, high, 1);
    mip_add_entry(model, low, -1);
    mip_add_entry(model, binary, -first_below);
    mip_close_row(model, 0);
    mip_add_entry(model, a, 1);
    mip_add_entry(model, low, -1);
    mip_add_entry(model, b, -1);
    mip_add_entry(model, high, 1);
    mip_add_entry(model, binary, second_below);
    mip_close_row(model, second_below);
}

static void build(struct mip_model *model)
{
    mip_add_order_columns(model);
    for (uint32_t p = 0; p < model->pairs.count; p++)
        if (model->pairs.direction[p] == MIP_OPEN)
            add_hull(model, p);
        else
            mip_add_pair_rows(model, p);
    mip_add_peak_rows(model);
    if (model->switches & MIP_CLIQUES)
        mip_add_clique_rows(model);
}

/* The parts follow behind all other columns, two for each open pair. */
static void from_plan(const struct mip_model *model, const struct plan *plan, double *values)
{
    uint32_t part = model->columns;
    mip_order_from_plan(model, plan, values);
    for (uint32_t p = model->pairs.count; p-- > 0;) {
        const struct mip_pair *pair = &model->pairs.pair[p];
        double binary = values[model->first_pair + p];
        if (model->pairs.direction[p] != MIP_OPEN)
            continue;
        values[--part] = binary * values[model->first_offset + pair->second];
        values[--part] = binary * values[model->first_offset + pair->first];
    }
    assert(part > model->first_pair + model->pairs.count - 1);
}

const struct mip_formulation mip_formulation_hull = {
    .name = "hull",
    .legend = MIP_LEGEND_OF_PAIRS
    ", low_A~~B and high_A~~B the offsets of A and B where A lies below B, else 0",
    .standard = MIP_ALL,
    .build = build,
    .to_plan = mip_order_to_plan,
    .from_plan = from_plan};

const struct planner planner_ilp_hull = {
    ILP_PLANNER(hull),
    .options = mip_options,
    .title = "integer program: the convex hull of the two sides of each pair",
    .source = "Balas 1985, of disjunctive programs",
};
