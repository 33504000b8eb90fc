#include "solvers/exact/ask_helper.h"

#include <assert.h>

#include "planning/verify/plan.h"

static enum status offer_valid(struct exact_incumbent *incumbent, const struct plan *plan,
                               struct error *error)
{
    struct verdict verdict = {.fault = VERIFY_VALID};
    if (!plan_found(plan))
        return STATUS_OK;
    TRY(verify_plan(incumbent->task->problem, plan, &verdict, error));
    return verdict.fault == VERIFY_VALID ? exact_incumbent_offer(incumbent, plan, error)
                                         : STATUS_OK;
}

enum status exact_ask_helper(struct exact_incumbent *incumbent,
                             const struct exact_question *question, struct error *error)
{
    struct planner_task task = *incumbent->task;
    struct plan *plan;
    enum status status;
    assert(question->helper);
    task.seed = question->seed;
    task.time_limit_ns = question->limit_ns;
    TRY(plan_create(task.problem, &plan, error));
    TRY_OR_DONE(status, planner_plan(question->helper, &task, plan, error));
    status = offer_valid(incumbent, plan, error);
done:
    plan_free(plan);
    return status;
}
