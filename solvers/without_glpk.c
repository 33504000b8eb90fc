#include "solvers/glpk.h"

enum status glpk_plan(const struct planner *planner, const struct planner_task *task,
                      struct plan *plan, struct error *error)
{
    (void)planner, (void)task, (void)error;
    plan->status = PLAN_UNSUPPORTED;
    return STATUS_OK;
}
