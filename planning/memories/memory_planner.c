#include "planning/memories/memory_planner.h"

static bool is_supported(const struct memory_planner *planner, const struct memory_task *task)
{
    const struct memory_problem *problem = task->model->problem;
    bool has_chunks = false;
    for (uint32_t m = 0; m < problem->memories; m++)
        has_chunks |= problem->memory[m].chunk_bytes > 0;
    return !(planner->flags & MEMORY_PLANNER_NO_CHUNKS && has_chunks) &&
           !(planner->flags & MEMORY_PLANNER_NO_PINS &&
             (problem->pins || problem->reserved_ranges)) &&
           !(planner->flags & MEMORY_PLANNER_NEEDS_BEST && !task->best);
}

enum status memory_planner_plan(const struct memory_planner *planner,
                                const struct memory_task *task, struct memory_plan *plan,
                                struct error *error)
{
    SCOPED(scratch_free) struct scratch scratch = {0};
    struct memory_task own = *task;
    own.scratch = &scratch;
    own.rule = planner->rule;
    plan->status = is_supported(planner, task) ? PLAN_GAVE_UP : PLAN_UNSUPPORTED;
    return plan->status == PLAN_UNSUPPORTED ? STATUS_OK : planner->plan(&own, plan, error);
}
