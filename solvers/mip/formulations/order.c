#include <assert.h>

#include "solvers/mip/formulations/pair_rows.h"
#include "solvers/mip/mip.h"
#include "solvers/mip/model/order_plan.h"

/* At each section the binaries are one order of its members, from which offsets follow. At first
   the program has clique rows only. Circle rows (the directions of three members of a section do
   not go round) are added when a relaxation breaks them, and the rows with M of a pair when its
   binary is whole and its offsets do not keep it. */

enum { MOST_CIRCLES = 100, MOST_PAIRS = 100 };

/* The value of "one lies below other", as coefficient and constant of the binary. */
struct literal {
    uint32_t column;
    double sign, constant;
};

static struct literal find_literal(const struct mip_model *model, uint64_t one, uint64_t other)
{
    bool one_is_first = one < other;
    assert(one != other && model->first_pair != MIP_NO_COLUMN);
    uint32_t p = mip_pairs_at(&model->pairs, one, other);
    return (struct literal){model->first_pair + p, one_is_first ? 1 : -1, one_is_first ? 0 : 1};
}

/* Where the values break it, adds the row that the three literals of a circle are not all true.
   Returns the number of rows added. */
static uint32_t add_circle(struct mip_model *model, const struct literal *literal,
                           const double *values)
{
    static const double least = 0.05;
    double sum = 0, constant = 0;
    for (int i = 0; i < 3; i++)
        sum += literal[i].constant + literal[i].sign * values[literal[i].column];
    if (sum <= 2 + least)
        return 0;
    for (int i = 0; i < 3; i++) {
        mip_add_entry(model, literal[i].column, -literal[i].sign);
        constant += literal[i].constant;
    }
    mip_close_row(model, constant - 2);
    return 1;
}

static uint32_t add_circles(struct mip_model *model, uint32_t section, uint32_t most,
                            const double *values)
{
    const uint64_t *first = model->sections->first;
    uint32_t added = 0;
    assert(section < model->sections->count);
    for (uint64_t i = first[section]; i < first[section + 1]; i++)
        for (uint64_t j = i + 1; j < first[section + 1]; j++) {
            struct literal below = find_literal(model, i, j), above = find_literal(model, j, i);
            for (uint64_t k = j + 1; k < first[section + 1]; k++) {
                const struct literal round[] = {below, find_literal(model, j, k),
                                                find_literal(model, k, i)};
                const struct literal back[] = {above, find_literal(model, i, k),
                                               find_literal(model, k, j)};
                if (added < most)
                    added += add_circle(model, round, values) + add_circle(model, back, values);
            }
        }
    return added;
}

/* Whether the binary of the pair is whole and the offsets do not lie apart as it says. */
static bool breaks_pair(const struct mip_model *model, uint32_t p, const double *values)
{
    static const double tolerance = 1e-6, least = 1e-5;
    const struct mip_pair *pair = &model->pairs.pair[p];
    double binary = values[model->first_pair + p];
    assert(pair->first < pair->second && model->first_offset != MIP_NO_COLUMN);
    double apart =
        values[model->first_offset + pair->second] - values[model->first_offset + pair->first];
    if (binary > 1 - tolerance)
        return apart < (double)mip_first_below(pair) - least;
    return binary < tolerance && -apart < (double)mip_second_below(pair) - least;
}

static void separate(struct mip_model *model, const double *values)
{
    assert(model->first_pair != MIP_NO_COLUMN);
    uint32_t added = 0;
    assert(!model->complete);
    for (uint32_t s = 0; s < model->sections->count && added < MOST_CIRCLES; s++)
        added += add_circles(model, s, MOST_CIRCLES - added, values);
    added = 0;
    for (uint32_t p = 0; p < model->pairs.count && added < MOST_PAIRS; p++)
        if (breaks_pair(model, p, values)) {
            mip_add_pair_rows(model, p);
            added++;
        }
}

static void build(struct mip_model *model)
{
    mip_add_order_columns(model);
    mip_add_peak_rows(model);
    if (model->switches & MIP_CLIQUES)
        mip_add_clique_rows(model);
    for (uint32_t p = 0; p < model->pairs.count && model->complete; p++)
        mip_add_pair_rows(model, p);
}

const struct mip_formulation mip_formulation_order = {
    MIP_BY_PAIRS,        .name = "order", .legend = MIP_LEGEND_OF_PAIRS,
    .standard = MIP_ALL, .build = build,  .separate = separate};

const struct planner planner_ilp_order = {
    ILP_PLANNER(order),
    .options = mip_options,
    .title = "integer program: an order at each section, its rows added when they are broken",
    .source = "Groetschel, Juenger and Reinelt 1984, of linear orders",
};
