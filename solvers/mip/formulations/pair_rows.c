#include "solvers/mip/formulations/pair_rows.h"

#include <assert.h>

void mip_add_pair_columns(struct mip_model *model)
{
    const struct mip_pairs *pairs = &model->pairs;
    model->first_pair = model->columns;
    assert(model->columns > 0); /* the peak */
    for (uint32_t p = 0; p < pairs->count; p++) {
        const struct mip_pair *pair = &pairs->pair[p];
        assert(pair->second_lower < pair->second_upper);
        assert(pair->first_lower < pair->first_upper);
        uint32_t column = mip_add_column(model, pairs->direction[p] == MIP_FIRST_BELOW,
                                         pairs->direction[p] != MIP_SECOND_BELOW, true);
        if (model->switches & MIP_BRANCH && !model->error.status)
            model->branch_weight[column] = (double)(pair->first_upper - pair->first_lower +
                                                    pair->second_upper - pair->second_lower);
        mip_name_pair_column(model, "below", p);
    }
}

void mip_add_order_columns(struct mip_model *model)
{
    const struct mip_pairs *pairs = &model->pairs;
    char label[MIP_LABEL_BYTES];
    model->first_offset = model->columns;
    for (uint32_t b = 0; b < model->problem->buffers; b++) {
        assert(pairs->lowest[b] <= pairs->highest[b]);
        mip_add_column(model, (double)pairs->lowest[b], (double)pairs->highest[b], false);
        mip_name_column(model, "offset_%s", model->names ? mip_label(model, b, label) : "");
    }
    mip_add_pair_columns(model);
    for (uint32_t b = 0; b < model->problem->buffers; b++) {
        double factor = (double)mip_model_factor(model, b);
        if (factor == 1)
            continue;
        assert(factor > 1);
        uint32_t column = mip_add_column(model, 0, (double)(model->upper / (uint64_t)factor), true);
        mip_name_column(model, "factor_%s", model->names ? mip_label(model, b, label) : "");
        mip_add_entry(model, model->first_offset + b, 1);
        mip_add_entry(model, column, -factor);
        mip_close_equation(model, 0);
    }
}

/* The row offset[upper] - offset[lower] >= apart where the binary of the pair has the value `at`.
   Where the binary has the other value, the row says no more than the boxes do; without MIP_TIGHT,
   no more than that both lie below the upper end. */
static void add_apart_row(struct mip_model *model, uint32_t p, uint32_t upper, uint32_t lower,
                          int64_t apart, bool at)
{
    const struct mip_pairs *pairs = &model->pairs;
    double least = model->switches & MIP_TIGHT
                       ? (double)(pairs->lowest[upper] - pairs->highest[lower])
                       : -(double)model->upper;
    bool is_fixed = pairs->direction[p] != MIP_OPEN;
    assert(upper != lower && model->first_offset != MIP_NO_COLUMN);
    double slope = is_fixed ? 0 : (double)apart - least;
    if (is_fixed && (pairs->direction[p] == MIP_FIRST_BELOW) != at)
        return;
    mip_add_entry(model, model->first_offset + upper, 1);
    mip_add_entry(model, model->first_offset + lower, -1);
    if (slope != 0)
        mip_add_entry(model, model->first_pair + p, at ? -slope : slope);
    mip_close_row(model, at && !is_fixed ? least : (double)apart);
}

void mip_add_pair_rows(struct mip_model *model, uint32_t p)
{
    assert(p < model->pairs.count);
    const struct mip_pair *pair = &model->pairs.pair[p];
    add_apart_row(model, p, pair->second, pair->first, mip_first_below(pair), true);
    add_apart_row(model, p, pair->first, pair->second, mip_second_below(pair), false);
}

void mip_add_peak_rows(struct mip_model *model)
{
    assert(model->first_offset != MIP_NO_COLUMN);
    for (uint32_t b = 0; b < model->problem->buffers; b++) {
        assert(model->problem->size[b] % model->scale == 0);
        mip_add_entry(model, 0, 1);
        mip_add_entry(model, model->first_offset + b, -1);
        mip_close_row(model, (double)(model->problem->size[b] / model->scale));
    }
}

/* What member j adds to a side of another member of its section. */
struct side_entry {
    uint32_t column;     /* of the binary of the two */
    double bytes;        /* of the window of j */
    bool counted_at_one; /* whether it lies on that side where the binary is 1; else it does where
                            the binary is 0 */
};

static struct side_entry get_side_entry(const struct mip_model *model, const struct mip_side *side,
                                        uint64_t j)
{
    struct mip_window window = mip_section_window(&model->pairs, j);
    assert(side->member != j && model->first_pair != MIP_NO_COLUMN);
    return (struct side_entry){model->first_pair + mip_pairs_at(&model->pairs, side->member, j),
                               (double)(window.upper - window.lower),
                               side->below != (side->member < j)};
}

double mip_add_side_entries(struct mip_model *model, const struct mip_side *side, double sign)
{
    const uint64_t *first = &model->sections->first[side->section];
    double constant = 0;
    assert(first[0] <= side->member && side->member < first[1]);
    for (uint64_t j = first[0]; j < first[1]; j++) {
        if (j == side->member)
            continue;
        struct side_entry entry = get_side_entry(model, side, j);
        /* Where a binary is 0 for what lies on this side, the constant counts its bytes and the
           coefficient takes them back where it is 1. */
        constant += entry.counted_at_one ? 0 : entry.bytes;
        mip_add_entry(model, entry.column,
                      sign * (entry.counted_at_one ? entry.bytes : -entry.bytes));
    }
    return constant;
}

double mip_side_bytes(const struct mip_model *model, const struct mip_side *side,
                      const double *values)
{
    const uint64_t *first = &model->sections->first[side->section];
    double sum = 0;
    assert(first[0] <= side->member && side->member < first[1]);
    for (uint64_t j = first[0]; j < first[1]; j++) {
        if (j == side->member)
            continue;
        struct side_entry entry = get_side_entry(model, side, j);
        double value = values[entry.column];
        sum += entry.bytes * (entry.counted_at_one ? value : 1 - value);
    }
    return sum;
}

/* Adds the row that sums up the bytes of all other members that lie below one, or above it. */
static void add_clique_row(struct mip_model *model, const struct mip_side *side)
{
    assert(model->first_offset != MIP_NO_COLUMN && side->section < model->sections->count);
    struct mip_window window = mip_section_window(&model->pairs, side->member);
    double edge = (double)(side->below ? window.lower : window.upper);
    if (!side->below)
        mip_add_entry(model, 0, 1);
    mip_add_entry(model, model->first_offset + window.buffer, side->below ? 1 : -1);
    double constant = mip_add_side_entries(model, side, -1);
    mip_close_row(model, constant + (side->below ? -edge : edge));
}

void mip_add_clique_rows(struct mip_model *model)
{
    const struct sections *sections = model->sections;
    for (uint32_t s = 0; s < sections->count; s++)
        for (uint64_t i = sections->first[s]; i < sections->first[s + 1]; i++)
            for (int above = 0; above < 2; above++)
                add_clique_row(model, &(struct mip_side){s, i, !above});
}

void mip_build_pairs(struct mip_model *model)
{
    mip_add_order_columns(model);
    for (uint32_t p = 0; p < model->pairs.count; p++)
        mip_add_pair_rows(model, p);
    mip_add_peak_rows(model);
    if (model->switches & MIP_CLIQUES)
        mip_add_clique_rows(model);
}
