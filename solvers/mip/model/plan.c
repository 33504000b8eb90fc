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

bool mip_model_from_plan(const struct mip_model *model, const struct plan *plan, double *values)
{
    const uint64_t *size = model->problem->size;
    uint32_t column = model->first_pair + model->pairs.count;
    assert(plan_found(plan) && plan->buffers == model->problem->buffers);
    values[0] = (double)(plan->measures.peak_bytes / model->scale);
    if (values[0] < (double)model->bound)
        return false;
    for (uint32_t b = 0; b < plan->buffers; b++)
        values[1 + b] = (double)(plan->offset[b] / model->scale);
    set_pair_values(model, values);
    if (model->mirror_pair != UINT32_MAX && values[model->first_pair + model->mirror_pair] < 0.5) {
        /* Upside down it is a plan, too. */
        for (uint32_t b = 0; b < plan->buffers; b++)
            values[1 + b] = values[0] - values[1 + b] - (double)(size[b] / model->scale);
        set_pair_values(model, values);
    }
    for (uint32_t b = 0; b < plan->buffers; b++) {
        uint64_t factor = mip_model_factor(model, b);
        if (factor > 1)
            values[column++] = (double)((uint64_t)values[1 + b] / factor);
    }
    assert(column == model->columns);
    return values_hold(model, values);
}

/* Moves the upper one of two buffers up where the windows of a pair overlap: upper_begin and
   lower_end are their edges, in bytes from the offsets. False where it cannot go there. */
static bool place_above(const struct mip_model *model, struct plan *plan, uint32_t upper,
                        uint64_t upper_begin, uint32_t lower, uint64_t lower_end, bool *moved)
{
    uint64_t end = plan->offset[lower] + lower_end, begin = plan->offset[upper] + upper_begin;
    uint64_t offset;
    assert(lower != upper);
    if (begin >= end)
        return true;
    if (problem_fixed_offset(model->problem, upper) != PROBLEM_FREE ||
        !checked_align(plan->offset[upper] + (end - begin),
                       problem_alignment(model->problem, upper), &offset))
        return false;
    assert(offset > plan->offset[upper]);
    plan->offset[upper] = offset;
    *moved = true;
    return offset <= model->upper * model->scale;
}

bool mip_model_to_plan(const struct mip_model *model, const double *values, struct plan *plan)
{
    const struct problem *problem = model->problem;
    uint64_t scale = model->scale;
    bool moved = true;
    assert(plan->buffers == problem->buffers);
    for (uint32_t b = 0; b < plan->buffers; b++)
        plan->offset[b] =
            problem_fixed_offset(problem, b) == PROBLEM_FREE ? 0 : problem_fixed_offset(problem, b);
    /* An order without a cycle settles in as many rounds over all pairs as there are buffers. */
    for (uint32_t rounds = 0; moved; rounds++) {
        moved = false;
        if (rounds > plan->buffers)
            return false;
        for (uint32_t p = 0; p < model->pairs.count; p++) {
            const struct mip_pair *pair = &model->pairs.pair[p];
            bool first_is_lower = values[model->first_pair + p] > 0.5;
            if (!(first_is_lower
                      ? place_above(model, plan, pair->second, pair->second_lower * scale,
                                    pair->first, pair->first_upper * scale, &moved)
                      : place_above(model, plan, pair->first, pair->first_lower * scale,
                                    pair->second, pair->second_upper * scale, &moved)))
                return false;
        }
    }
    return true;
}
