/* The lifetime-first pool of Wang et al., "Melon: breaking the memory wall for resource-efficient
   on-device machine learning", MobiSys 2022, ExecutionPlanGenerator.cpp: longest life first, then
   largest, allocated first, freed first; each in the smallest gap in which it fits between the
   merged ranges of those that are live with it, the lowest of equals, else above the last range.

   The order is the intended one: the source's sort compares pointers. Without its recomputation.
   Fixed buffers are placed before all others.

   alignment: to which sizes are rounded up; Melon's is 64. */

#include "core/checked.h"
#include "heuristics/common/order.h"
#include "heuristics/common/rows.h"
#include "planning/arena/occupancy.h"

static const struct planner_option options[] = {
    {"alignment", "bytes to a multiple of which sizes are rounded up", 1, 1, 1 << 20},
    {0},
};

static const struct order longest_first = {.key = {{ORDER_BY_SPAN, true},
                                                   {ORDER_BY_SIZE, true},
                                                   {ORDER_BY_FIRST_STEP, false},
                                                   {ORDER_BY_END_STEP, false}}};

static enum status add_rounded(struct problem *rounded, const struct problem *problem,
                               uint32_t buffer, uint64_t multiple, struct error *error)
{
    struct problem_buffer copy = {.name = names_get(&problem->names, buffer),
                                  .alignment = problem_alignment(problem, buffer),
                                  .fixed_offset = problem_fixed_offset(problem, buffer),
                                  .hint = -1};
    if (!checked_align(problem->size[buffer], multiple, &copy.size))
        return error_set(error, STATUS_BAD_INPUT, "the size of buffer '%s' cannot be rounded up",
                         copy.name);
    TRY(problem_add_buffer(rounded, &copy, error));
    for (uint32_t s = problem->first[buffer]; s < problem->first[buffer + 1]; s++)
        TRY(problem_add_segment(
            rounded, (struct problem_segment){problem->lower[s], problem->upper[s], 0, copy.size},
            error));
    return STATUS_OK;
}

static enum status round_sizes(const struct problem *problem, uint64_t multiple,
                               struct problem *rounded, struct error *error)
{
    for (uint32_t b = 0; b < problem->buffers; b++)
        TRY(add_rounded(rounded, problem, b, multiple, error));
    return problem_finish(rounded, error);
}

static enum status place_all(const struct problem *problem, const struct planner_task *task,
                             struct plan *plan, struct error *error)
{
    struct occupancy *occupancy;
    uint32_t *sorted;
    TRY(scratch_take(task->scratch, &sorted, problem->buffers, sizeof *sorted, error));
    TRY(order_sort(&longest_first, problem, 0, sorted, error));
    TRY(occupancy_create(problem, &occupancy, error));
    const struct occupancy_rule rule = {
        .fit = fit_find("best"), .sorted = sorted, .most_bytes = UINT64_MAX};
    enum status status =
        occupancy_place_all(occupancy, &rule, plan->offset, &plan->measures.peak_bytes, error);
    occupancy_free(occupancy);
    return status;
}

static enum status place_rounded(const struct planner_task *task, uint64_t multiple,
                                 struct plan *plan, struct error *error)
{
    struct problem *rounded;
    TRY(problem_create(&rounded, "rounded", error));
    enum status status = round_sizes(task->problem, multiple, rounded, error);
    if (!status)
        status = place_all(rounded, task, plan, error);
    problem_free(rounded);
    return status;
}

static enum status plan_melon(const struct planner *planner, const struct planner_task *task,
                              struct plan *plan, struct error *error)
{
    uint64_t multiple = planner_option_value(planner, 0);
    TRY(multiple > 1 ? place_rounded(task, multiple, plan, error)
                     : place_all(task->problem, task, plan, error));
    plan->status = PLAN_FEASIBLE;
    return plan_set_peak(plan, task->problem, error);
}

static const struct planner rows[] = {
    {.name = "melon",
     .family = "framework",
     .title = "longest life first, smallest gap between merged ranges",
     .source = "Wang et al., Melon, MobiSys 2022, ExecutionPlanGenerator.cpp",
     .flags = PLANNER_NO_WINDOWS,
     .options = options,
     .plan = plan_melon},
};

HEURISTICS_ROWS(melon, rows);
