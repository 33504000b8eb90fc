#include "solvers/mip/model/order_plan.h"

#include <assert.h>

#include "core/checked.h"

/* Whether the first buffer of pair p is to lie below the second, or does. */
typedef bool lies_below(const struct mip_model *model, uint32_t p, const void *context);

static bool is_below_in_plan(const struct mip_model *model, uint32_t p, const void *plan)
{
    const struct mip_pair *pair = &model->pairs.pair[p];
    const uint64_t *offset = ((const struct plan *)plan)->offset;
    return offset[pair->first] / model->scale + pair->first_upper <=
           offset[pair->second] / model->scale + pair->second_lower;
}

void mip_order_from_plan(const struct mip_model *model, const struct plan *plan, double *values)
{
    uint32_t factor_column = model->first_pair + model->pairs.count;
    assert(plan_found(plan) && plan->buffers == model->problem->buffers);
    values[0] = (double)(plan->measures.peak_bytes / model->scale);
    for (uint32_t b = 0; b < plan->buffers && model->first_offset != MIP_NO_COLUMN; b++) {
        uint64_t units = plan->offset[b] / model->scale, factor = mip_model_factor(model, b);
        values[model->first_offset + b] = (double)units;
        assert(plan->offset[b] % model->scale == 0);
        if (factor > 1)
            values[factor_column++] = (double)(units / factor);
    }
    for (uint32_t p = 0; p < model->pairs.count; p++)
        values[model->first_pair + p] = is_below_in_plan(model, p, plan);
}

static void sort_twins(const struct mip_pairs *pairs, uint64_t *offset)
{
    for (uint32_t a = 0; a < pairs->problem->buffers; a++)
        for (uint32_t b = a + 1; b < pairs->problem->buffers; b++)
            if (pairs->twin[a] == pairs->twin[b] && offset[a] > offset[b]) {
                uint64_t lower = offset[b];
                offset[b] = offset[a];
                offset[a] = lower;
            }
}

void mip_arrange(const struct mip_model *model, struct plan *plan)
{
    const struct mip_pairs *pairs = &model->pairs;
    uint32_t p = pairs->mirror_pair;
    assert(plan_found(plan));
    if (p != UINT32_MAX && plan->offset[pairs->pair[p].first] > plan->offset[pairs->pair[p].second])
        for (uint32_t b = 0; b < plan->buffers; b++) {
            assert(plan->measures.peak_bytes - plan->offset[b] >= model->problem->size[b]);
            plan->offset[b] = plan->measures.peak_bytes - plan->offset[b] - model->problem->size[b];
        }
    sort_twins(pairs, plan->offset);
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

static bool settle(const struct mip_model *model, lies_below *first_is_below, const void *context,
                   struct plan *plan)
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
            if (!(first_is_below(model, p, context)
                      ? place_above(model, plan, pair->second, pair->second_lower * scale,
                                    pair->first, pair->first_upper * scale, &moved)
                      : place_above(model, plan, pair->first, pair->first_lower * scale,
                                    pair->second, pair->second_upper * scale, &moved)))
                return false;
        }
    }
    return true;
}

static bool is_below_by_values(const struct mip_model *model, uint32_t p, const void *values)
{
    return ((const double *)values)[model->first_pair + p] > 0.5;
}

bool mip_order_to_plan(const struct mip_model *model, const double *values, struct plan *plan)
{
    return settle(model, is_below_by_values, values, plan);
}

bool mip_lower_plan(const struct mip_model *model, const struct plan *from, struct plan *to)
{
    return settle(model, is_below_in_plan, from, to);
}
