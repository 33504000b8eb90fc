#include "harness/brought/program_planner.h"

#include "core/memory.h"
#include "datasets/csv/problem.h"

const struct program_kind program_planner_kind = {
    .option = "--external", .in = "in.csv", .out = "out.csv", .has_capacity = true};

/* One call of a program. */
struct call {
    const struct planner_task *task;
    struct problem problem; /* the task's problem with numbers as names; owns only the names */
    struct program_call program;
};

static void release_call(struct call **held)
{
    struct call *call = *held;
    if (!call)
        return;
    program_call_end(&call->program);
    names_free(&call->problem.names);
    memory_free(call);
}

enum status program_planner_plan(const struct planner *planner, const struct planner_task *task,
                                 struct plan *plan, struct error *error)
{
    SCOPED(release_call) struct call *call = NULL;
    plan->status = PLAN_OPTIMAL;
    if (!task->problem->buffers)
        return plan_set_peak(plan, task->problem, error);
    TRY(memory_create(&call, 1, sizeof *call, error));
    call->task = task;
    call->problem = *task->problem;
    call->program = (struct program_call){.program = planner->rule,
                                          .capacity_bytes = task->capacity_bytes == UINT64_MAX
                                                                ? problem_ample_bytes(task->problem)
                                                                : task->capacity_bytes,
                                          .seed = task->seed,
                                          .time_limit_ns = task->time_limit_ns,
                                          .lock = -1};
    /* Names the buffers by numbers, since names in the file must be unique and simple, which those
       of a graph need not be. */
    char number[16];
    call->problem.names = (struct names){0};
    for (uint32_t b = 0; b < call->problem.buffers; b++) {
        snprintf(number, sizeof number, "%u", b);
        TRY(names_add(&call->problem.names, number, error));
    }
    TRY(program_call_begin(&call->program, error));
    SCOPED(text_free) struct text csv = {0};
    TRY(problem_csv_write(&call->problem, &csv, error));
    TRY(text_write_file(call->program.in.bytes, &csv, error));
    TRY(program_call_run(&call->program, error));
    const struct subprocess_result *result = &call->program.result;
    plan->status = PLAN_TIMEOUT;
    if (result->out_of_time)
        return STATUS_OK;
    if (result->signal)
        return program_call_report_end(&call->program, error);
    if (result->exit_code == 0) {
        SCOPED(text_free) struct text made = {0};
        struct error found = ERROR_NONE;
        TRY(program_call_read(&call->program, "a plan", &made, error));
        return problem_csv_read_plan(&made, program_planner_kind.out, &call->problem, plan, &found)
                   ? program_call_report_output(&call->program, &found, error)
                   : STATUS_OK;
    }
    plan->status = PLAN_GAVE_UP;
    if (result->exit_code == PROGRAM_GAVE_UP)
        return STATUS_OK;
    plan->status = PLAN_INFEASIBLE;
    if (result->exit_code == PROGRAM_INFEASIBLE && call->task->capacity_bytes != UINT64_MAX)
        return STATUS_OK;
    return program_call_report_end(&call->program, error);
}
