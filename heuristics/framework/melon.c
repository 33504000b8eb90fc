/* The lifetime-first pool of Wang et al., "Melon: breaking the memory wall for resource-efficient
   on-device machine learning", MobiSys 2022, ExecutionPlanGenerator.cpp: longest life first, then
   largest, allocated first, freed first; each in the smallest gap in which it fits between the
   merged ranges of those that are live with it, the lowest of equals, else above the last range.

   Departures: the order is the intended one, where the source's sort compares pointers; there is no
   recomputation. Fixed buffers are placed before all others.

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

static enum status round_sizes(const struct problem *problem, uint64_t multiple,
                               struct problem *rounded, struct error *error)
{
    for (uint32_t b = 0; b < problem->buffers; b++) {
        struct problem_buffer copy = {.name = names_get(&problem->names, b),
                                      .alignment = problem_alignment(problem, b),
                                      .fixed_offset = problem_fixed_offset(problem, b),
                                      .hint = -1};
        if (!checked_align(problem->size[b], multiple, &copy.size))
            return error_set(error, STATUS_BAD_INPUT,
                             "the size of buffer '%s' cannot be rounded up", copy.name);
        TRY(problem_add_buffer(rounded, &copy, error));
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++) {
            const struct problem_segment segment = {problem->lower[s], problem->upper[s], 0,
                                                    copy.size};
            TRY(problem_add_segment(rounded, segment, error));
        }
    }
    return problem_finish(rounded, error);
}

SCOPED_POINTER(struct occupancy, release_occupancy, occupancy_free);

static enum status plan_melon(const struct planner *planner, const struct planner_task *task,
                              struct plan *plan, struct error *error)
{
    uint64_t multiple = planner_option_value(planner, 0);
    const struct problem *problem = task->problem;
    SCOPED(problem_release) struct problem *rounded = NULL;
    SCOPED(release_occupancy) struct occupancy *occupancy = NULL;
    uint32_t *sorted;
    if (multiple > 1) {
        TRY(problem_create(&rounded, "rounded", error));
        TRY(round_sizes(problem, multiple, rounded, error));
        problem = rounded;
    }
    TRY(scratch_take(task->scratch, &sorted, problem->buffers, sizeof *sorted, error));
    TRY(order_sort(&longest_first, problem, 0, sorted, error));
    TRY(occupancy_create(problem, &occupancy, error));
    const struct occupancy_rule rule = {
        .fit = fit_find("best"), .sorted = sorted, .most_bytes = UINT64_MAX};
    TRY(occupancy_place_all(occupancy, &rule, plan->offset, &plan->measures.peak_bytes, error));
    return plan_set_feasible(plan, task->problem, error);
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
