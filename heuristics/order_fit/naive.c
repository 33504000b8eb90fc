/* No reuse: buffers end to end in their order, above the fixed ones. O(n). */

#include "core/checked.h"
#include "heuristics/common/rows.h"

static enum status plan_naive(const struct planner *planner, const struct planner_task *task,
                              struct plan *plan, struct error *error)
{
    const struct problem *problem = task->problem;
    uint64_t end = problem_fixed_end(problem);
    (void)planner;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint64_t *offset = &plan->offset[b];
        *offset = problem_fixed_offset(problem, b);
        if (*offset == PROBLEM_FREE &&
            (!checked_align(end, problem_alignment(problem, b), offset) ||
             !checked_add(*offset, problem->size[b], &end) || end == PROBLEM_FREE))
            return error_set(error, STATUS_BAD_INPUT, "no place below 2^64 bytes for buffer '%s'",
                             names_get(&problem->names, b));
    }
    return plan_set_feasible(plan, problem, error);
}

static const struct planner rows[] = {
    {.name = "naive",
     .family = "baseline",
     .title = "no reuse: all buffers end to end",
     .source = "Wang et al., J. NUDT 47(6), 2025, Table 1",
     .flags = PLANNER_NO_WINDOWS | PLANNER_NO_HOLES | PLANNER_CLOCKS,
     .plan = plan_naive},
};

HEURISTICS_ROWS(naive, rows);
