#include "solvers/mip/model/plan.h"

#include <assert.h>

#include "core/checked.h"
#include "solvers/mip/model/model.h"

/* Values of a start are whole numbers held exactly, so no tolerance is needed. */
static bool values_hold(const struct mip_model *model, const double *values)
{
    assert(model->row_first[0] == 0);
    for (uint32_t c = 0; c < model->columns; c++)
        if (values[c] < model->column_lower[c] || values[c] > model->column_upper[c])
            return false;
    for (uint32_t r = 0; r < model->rows; r++) {
        double sum = 0;
        for (uint64_t i = model->row_first[r]; i < model->row_first[r + 1]; i++)
            sum += model->row_value[i] * values[model->row_column[i]];
        if (sum < model->row_bound[r])
            return false;
    }
    return true;
}

static void set_pair_values(const struct mip_model *model, double *values)
{
    for (uint32_t p = 0; p < model->pairs.count; p++) {
        const struct mip_pair *pair = &model->pairs.pair[p];
        double first_end = values[1 + pair->first] + (double)pair->first_upper;
        double second_begin = values[1 + pair->second] + (double)pair->second_lower;
        values[model->first_pair + p] = first_end <= second_begin;
    }
}

/* Turns the plan upside down, which is a plan, too. */
static void mirror_values(const struct mip_model *model, double *values)
{
    const uint64_t *size = model->problem->size;
    for (uint32_t b = 0; b < model->problem->buffers; b++)
        values[1 + b] = values[0] - values[1 + b] - (double)(size[b] / model->scale);
    set_pair_values(model, values);
}

static void set_alignment_values(const struct mip_model *model, double *values)
{
    uint32_t column = model->first_pair + model->pairs.count;
    for (uint32_t b = 0; b < model->problem->buffers; b++) {
        uint64_t factor = mip_model_factor(model, b);
        if (factor > 1)
            values[column++] = (double)((uint64_t)values[1 + b] / factor);
    }
}

bool mip_model_from_plan(const struct mip_model *model, const struct plan *plan, double *values)
{
    assert(plan_found(plan) && plan->buffers == model->problem->buffers);
    values[0] = (double)(plan->measures.peak_bytes / model->scale);
    if (values[0] < (double)model->bound)
        return false;
    for (uint32_t b = 0; b < plan->buffers; b++)
        values[1 + b] = (double)(plan->offset[b] / model->scale);
    set_pair_values(model, values);
    if (model->mirror_pair != UINT32_MAX && values[model->first_pair + model->mirror_pair] < 0.5)
        mirror_values(model, values);
    set_alignment_values(model, values);
    return values_hold(model, values);
}

/* A window of a buffer in the plan, scaled bytes from its offset on. */
struct window {
    uint32_t buffer;
    uint64_t lower, upper;
};

/* Moves the upper window's buffer up where the windows overlap. False where it cannot go there. */
static bool place_above(const struct mip_model *model, struct plan *plan, struct window lower,
                        struct window upper, bool *moved)
{
    const struct problem *problem = model->problem;
    uint64_t end = plan->offset[lower.buffer] + lower.upper * model->scale;
    uint64_t begin = plan->offset[upper.buffer] + upper.lower * model->scale;
    uint64_t offset;
    assert(lower.buffer != upper.buffer);
    if (begin >= end)
        return true;
    if (problem_fixed_offset(problem, upper.buffer) != PROBLEM_FREE)
        return false;
    if (!checked_align(plan->offset[upper.buffer] + (end - begin),
                       problem_alignment(problem, upper.buffer), &offset))
        return false;
    assert(offset > plan->offset[upper.buffer]);
    plan->offset[upper.buffer] = offset;
    *moved = true;
    return offset <= model->upper * model->scale;
}

/* One round over all pairs. An order without a cycle settles in as many rounds as there are
   buffers. */
static bool push_pairs(const struct mip_model *model, const double *values, struct plan *plan,
                       bool *moved)
{
    for (uint32_t p = 0; p < model->pairs.count; p++) {
        const struct mip_pair *pair = &model->pairs.pair[p];
        const struct window first = {pair->first, pair->first_lower, pair->first_upper};
        const struct window second = {pair->second, pair->second_lower, pair->second_upper};
        bool first_is_lower = values[model->first_pair + p] > 0.5;
        if (!place_above(model, plan, first_is_lower ? first : second,
                         first_is_lower ? second : first, moved))
            return false;
    }
    return true;
}

bool mip_model_to_plan(const struct mip_model *model, const double *values, struct plan *plan)
{
    assert(plan->buffers == model->problem->buffers);
    const struct problem *problem = model->problem;
    bool moved = true;
    uint32_t rounds = 0;
    for (uint32_t b = 0; b < plan->buffers; b++)
        plan->offset[b] =
            problem_fixed_offset(problem, b) == PROBLEM_FREE ? 0 : problem_fixed_offset(problem, b);
    while (moved) {
        moved = false;
        if (rounds++ > plan->buffers || !push_pairs(model, values, plan, &moved))
            return false;
    }
    return true;
}
