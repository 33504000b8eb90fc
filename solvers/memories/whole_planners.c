/* The whole program (whole.h), solved by GLPK or by CBC. What they say of bounds counts as it does
   for other integer programs (solvers/mip/component.h): only while numbers are small. */

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "core/memory.h"
#include "planning/verify/memories/memories.h"
#include "solvers/memories/rows.h"
#include "solvers/memories/whole.h"
#include "solvers/mip/backends/solver.h"

static const double most_believed = 100000;

/* Takes the plan over where it keeps all rules. */
static enum status take_solution(const struct whole_program *whole, const double *values,
                                 struct memory_plan *plan, struct error *error)
{
    const struct memory_model *model = whole->choice.model;
    SCOPED(memory_release) uint32_t *arena = NULL;
    SCOPED(memory_release) uint64_t *offset = NULL;
    struct memory_verdict verdict;
    assert(!memory_plan_found(plan));
    TRY(memory_create_all(model->classes.count, error, &arena, &offset));
    if (!whole_program_read(whole, values, arena, offset))
        return STATUS_OK;
    memory_model_fill(model, arena, offset, plan);
    TRY(verify_memories(model->problem, plan, &verdict, error));
    if (verdict.valid)
        plan->status = PLAN_FEASIBLE;
    else
        snprintf(plan->reason, sizeof plan->reason, "a solution was wrong: %.200s", verdict.text);
    return STATUS_OK;
}

/* Takes over what the solver says of all plans. */
static void take_claims(const struct whole_program *whole, const struct mip_answer *answer,
                        struct memory_plan *plan)
{
    double bound = ceil(answer->peak_bound - 1e-6 * fabs(answer->peak_bound) - 1e-4);
    double most = master_program_most(&whole->choice);
    plan->cost_bound = whole->choice.base;
    if (most > most_believed || (double)whole->most_units > most_believed)
        return;
    if (answer->infeasible && !memory_plan_found(plan))
        plan->status = PLAN_INFEASIBLE;
    if (bound > 0 && bound <= most)
        plan->cost_bound += (uint64_t)bound * whole->choice.unit;
    assert(!memory_plan_found(plan) || plan->cost >= plan->cost_bound);
    if (memory_plan_found(plan) && plan->cost <= plan->cost_bound)
        plan->status = PLAN_OPTIMAL;
}

static enum status plan_whole(const struct memory_task *task, struct memory_plan *plan,
                              struct error *error)
{
    const struct mip_solver *solver = task->rule;
    SCOPED(whole_program_clear) struct whole_program whole = {.unit_bytes = 1};
    SCOPED(memory_release) double *values = NULL;
    struct error refused = ERROR_NONE;
    if (!solver->solve)
        return STATUS_OK;
    if (whole_program_create(task->model, NULL, &whole, &refused)) {
        snprintf(plan->reason, sizeof plan->reason, "%.200s", refused.text);
        return error_is_no_memory(&refused) ? error_no_memory(error) : STATUS_OK;
    }
    struct mip_model *program = whole.choice.program;
    assert(program->columns > 0); /* the first of them is what is paid */
    TRY(memory_create(&values, program->columns, sizeof *values, error));
    /* GLPK adds covers and load sets itself. */
    program->formulation = &whole.choice.formulation;
    program->own_rows = program->rows;
    const struct mip_question question = {.model = program,
                                          .deadline_ns = task->deadline_ns,
                                          .cuts = solver->separates ? MIP_CUTS_NONE
                                                                    : MIP_CUTS_AS_USUAL};
    struct mip_answer answer = {.values = values};
    TRY(solver->solve(&question, &answer, error));
    if (answer.found)
        TRY(take_solution(&whole, values, plan, error));
    take_claims(&whole, &answer, plan);
    return STATUS_OK;
}

#define WHOLE_PLANNER(name_, title_)                                                               \
    const struct memory_planner memory_planner_##name_ = {                                         \
        .name = #name_,                                                                            \
        .title = "the whole question as one integer program, by " title_,                          \
        .source = "ours",                                                                          \
        .flags = MEMORY_PLANNER_EXACT | MEMORY_PLANNER_SEARCHES,                                   \
        .rule = &mip_solver_##name_,                                                               \
        .plan = plan_whole}

WHOLE_PLANNER(glpk, "GLPK");
WHOLE_PLANNER(cbc, "CBC");
