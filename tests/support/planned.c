#include "support/planned.h"

#include "core/checked.h"
#include "planning/verify/problem/fixed.h"
#include "support/fail_each.h"
#include "support/testing.h"
#include "support/verify_pairwise.h"

struct planner_task planned_task(const struct problem *problem)
{
    return (struct planner_task){
        .problem = problem, .capacity_bytes = UINT64_MAX, .time_limit_ns = UINT64_MAX, .seed = 1};
}

struct plan *planned(const struct planner *planner, const struct planner_task *task)
{
    struct error error;
    struct plan *plan;
    CU_ASSERT_EQUAL_FATAL(plan_create(task->problem, &plan, &error), STATUS_OK);
    CU_ASSERT_EQUAL_FATAL(planner_plan(planner, task, plan, &error), STATUS_OK);
    return plan;
}

struct work {
    const struct planner *planner;
    const struct planner_task *task;
};

static enum status plan_and_free(const void *input, struct error *error)
{
    const struct work *work = input;
    struct plan *plan;
    TRY(plan_create(work->task->problem, &plan, error));
    enum status status = planner_plan(work->planner, work->task, plan, error);
    plan_free(plan);
    return status;
}

void planned_fail_each(const struct planner *planner, const struct planner_task *task)
{
    fail_each(plan_and_free, &(struct work){planner, task});
}

struct plan *planned_stack(const struct problem *problem)
{
    struct error error;
    struct plan *plan;
    uint64_t end = 0;
    CU_ASSERT_EQUAL_FATAL(plan_create(problem, &plan, &error), STATUS_OK);
    for (uint32_t b = 0; b < problem->buffers; b++) {
        plan->offset[b] = align_up(end, problem_alignment(problem, b));
        end = plan->offset[b] + problem->size[b];
    }
    plan->status = PLAN_FEASIBLE;
    CU_ASSERT_EQUAL_FATAL(plan_set_peak(plan, problem, &error), STATUS_OK);
    return plan;
}

bool planned_is_valid(const struct problem *problem, const struct plan *plan)
{
    struct verdict verdict;
    verify_plan_pairwise(problem, plan, &verdict);
    return verdict.fault == VERIFY_VALID;
}

bool planned_can_be(const struct problem *problem)
{
    struct verdict verdict;
    struct error error;
    CU_ASSERT_EQUAL_FATAL(verify_fixed(problem, &verdict, &error), STATUS_OK);
    return verdict.fault == VERIFY_VALID;
}
