#include "harness/job/child.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/process/ending.h"
#include "harness/job/child_message.h"

static int run_planner(const void *context, int answer)
{
    const struct child_task *task = context;
    struct error error = ERROR_NONE;
    struct outcome outcome;
    enum status status = job_plan(task->job, &outcome, &error);
    bool sent = child_message_write(answer, status, &error, &outcome);
    return sent ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* How a process ended that sent no answer or only a part of it. */
struct end {
    enum plan_status status;
    char reason[128];
    /* Killed by somebody else: not by the planner, by this program, or by the system for lack of
       memory. */
    bool by_somebody;
};

static uint64_t get_limit_ns(const struct job *job)
{
    uint64_t grace_ns = UINT64_C(5000000000) + job->time_limit_ns / 4;
    return job->time_limit_ns < UINT64_MAX - grace_ns ? job->time_limit_ns + grace_ns : UINT64_MAX;
}

/* Judges by how the process ended. A planner that runs out of memory and reports that has sent an
   answer, so that case does not occur here. */
static struct end judge_end(const struct subprocess_result *result, uint64_t memory_kills)
{
    static const enum plan_status statuses[] = {[ENDING_TIME] = PLAN_TIMEOUT,
                                                [ENDING_MEMORY] = PLAN_MEMOUT,
                                                [ENDING_CRASH] = PLAN_CRASH,
                                                [ENDING_SOMEBODY] = PLAN_CRASH};
    struct ending ending = ending_judge(result, memory_kills);
    struct end end = {.status = statuses[ending.kind],
                      .by_somebody = ending.kind == ENDING_SOMEBODY};
    snprintf(end.reason, sizeof end.reason, "%s", ending.reason);
    return end;
}

/* Makes an outcome without a plan. */
static enum status make_failure(const struct job *job, uint64_t began_ns, const struct end *end,
                                struct outcome *outcome, struct error *error)
{
    const struct instance *instance = job->instance;
    *outcome = (struct outcome){.status = end->status, .samples = 1};
    outcome->wall_ns[0] = clock_monotonic_ns() - began_ns;
    snprintf(outcome->stop_reason, sizeof outcome->stop_reason, "%s", end->reason);
    if (instance->graph) {
        TRY(placement_create(instance->graph, &outcome->placement, error));
        outcome->placement->status = end->status;
    } else {
        TRY(plan_create(instance->problem, &outcome->plan, error));
        outcome->plan->status = end->status;
    }
    return STATUS_OK;
}

/* Takes the outcome from a message that arrived whole. */
static enum status take_answer(const struct child_message *message, const struct job *job,
                               uint64_t began_ns, struct outcome *outcome, struct error *error)
{
    static const struct end memory_limit = {.status = PLAN_MEMOUT, .reason = "memory limit"};
    if (!message->status)
        return STATUS_OK;
    if (job->memory_limit_bytes && error_is_no_memory(&message->error))
        return make_failure(job, began_ns, &memory_limit, outcome, error);
    *error = message->error;
    return message->status;
}

/* Runs the job once in a process. *again is set where somebody else killed the process, unless this
   was the last try. */
static enum status run_once(const struct child_task *task, bool is_last, bool *again,
                            struct outcome *outcome, struct error *error)
{
    const struct job *job = task->job;
    const struct subprocess_task subtask = {.function = run_planner,
                                            .context = task,
                                            .output = STDERR_FILENO,
                                            .errors = STDERR_FILENO,
                                            .deadline_ns = clock_deadline_ns(get_limit_ns(job)),
                                            .memory_limit_bytes = job->memory_limit_bytes};
    struct subprocess_result result;
    struct child_message message;
    uint64_t began_ns = clock_monotonic_ns();
    *outcome = (struct outcome){0};
    *again = false;
    TRY(subprocess_run(&subtask, &result, error));
    enum status status = child_message_read(&result.answer, job, &message, outcome, error);
    text_free(&result.answer);
    if (status || message.whole)
        return status ? status : take_answer(&message, job, began_ns, outcome, error);
    struct end end = judge_end(&result, task->memory_kills);
    *again = end.by_somebody && !is_last;
    return *again ? STATUS_OK : make_failure(job, began_ns, &end, outcome, error);
}

enum status child_run(const struct child_task *task, struct outcome *outcome, struct error *error)
{
    enum { MOST_RUNS = 3 };
    bool again = true;
    enum status status = STATUS_OK;
    for (int run = 1; again && !status; run++)
        status = run_once(task, run == MOST_RUNS, &again, outcome, error);
    if (!status)
        status = job_check(task->job, outcome, error);
    if (status)
        outcome_clear(outcome);
    return status;
}
