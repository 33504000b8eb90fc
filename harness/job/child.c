#include "harness/job/child.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/memory.h"
#include "harness/job/child_message.h"

/* What a process is to do. */
struct work {
    const struct job *job;
    const struct outcome *found; /* whose plan is checked; NULL to plan */
};

static int run_work(const void *context, int answer)
{
    const struct work *work = context;
    struct error error = ERROR_NONE;
    struct outcome outcome;
    enum status status;
    if (work->found) {
        outcome = *work->found;
        status = job_check(work->job, &outcome, &error);
    } else {
        status = job_plan(work->job, &outcome, &error);
    }
    bool sent = child_message_write(answer, status, &error, &outcome);
    return sent ? EXIT_SUCCESS : EXIT_FAILURE;
}

static enum status start(const struct work *work, uint64_t limit_ns, uint64_t memory_limit_bytes,
                         struct child *child, struct error *error)
{
    const struct subprocess_task task = {.function = run_work,
                                         .context = work,
                                         .output = STDERR_FILENO,
                                         .errors = STDERR_FILENO,
                                         .deadline_ns = clock_deadline_ns(limit_ns),
                                         .memory_limit_bytes = memory_limit_bytes};
    *child = (struct child){.job = work->job, .checks = work->found != NULL};
    return subprocess_start(&task, &child->process, error);
}

enum status child_start(const struct job *job, struct child *child, struct error *error)
{
    const struct work work = {.job = job};
    uint64_t grace_ns = UINT64_C(5000000000) + job->time_limit_ns / 4;
    uint64_t limit_ns =
        job->time_limit_ns < UINT64_MAX - grace_ns ? job->time_limit_ns + grace_ns : UINT64_MAX;
    return start(&work, limit_ns, job->memory_limit_bytes, child, error);
}

enum status child_start_check(const struct job *job, const struct outcome *outcome,
                              struct child *child, struct error *error)
{
    const struct work work = {.job = job, .found = outcome};
    return start(&work, UINT64_MAX, 0, child, error);
}

enum status child_wait_for_one(struct child *child, uint32_t children, uint32_t *ended,
                               struct error *error)
{
    struct subprocess **process;
    TRY(memory_create(&process, children, sizeof *process, error));
    for (uint32_t i = 0; i < children; i++)
        process[i] = &child[i].process;
    enum status status = subprocess_wait_for_one(process, children, ended, error);
    memory_free(process);
    return status;
}

/* Why a process sent no answer, from how it ended. Unless we killed it, SIGKILL comes from the
   system that ran out of memory. A planner that gets no memory and
   reports it ends with an answer, which is not looked at here. */
static enum plan_status judge_end(const struct subprocess_result *result, char *reason,
                                  size_t reason_bytes)
{
    int number = result->signal;
    if (result->out_of_time) {
        snprintf(reason, reason_bytes, "killed after the time limit");
        return PLAN_TIMEOUT;
    }
    if (!number) {
        snprintf(reason, reason_bytes, "ended without an answer, exit code %d", result->exit_code);
        return PLAN_CRASH;
    }
    bool memory = number == SIGKILL;
    snprintf(reason, reason_bytes, "signal %d (%s)%s", number, strsignal(number),
             memory ? ", out of memory" : "");
    return memory ? PLAN_MEMOUT : PLAN_CRASH;
}

/* An outcome without a plan. */
static enum status make_failure(const struct child *child, enum plan_status plan_status,
                                const char *reason, struct outcome *outcome, struct error *error)
{
    const struct instance *instance = child->job->instance;
    *outcome = (struct outcome){.status = plan_status, .samples = 1};
    outcome->wall_ns[0] = clock_monotonic_ns() - child->process.began_ns;
    snprintf(outcome->stop_reason, sizeof outcome->stop_reason, "%s", reason);
    if (instance->graph) {
        TRY(placement_create(instance->graph, &outcome->placement, error));
        outcome->placement->status = plan_status;
    } else {
        TRY(plan_create(instance->problem, &outcome->plan, error));
        outcome->plan->status = plan_status;
    }
    return STATUS_OK;
}

static enum status take_answer(const struct child *child, const struct subprocess_result *result,
                               struct outcome *outcome, struct error *error)
{
    struct child_message message;
    char reason[sizeof outcome->stop_reason];
    TRY(child_message_read(&result->answer, child->job, &message, outcome, error));
    if (!message.whole) {
        enum plan_status status = judge_end(result, reason, sizeof reason);
        if (child->checks)
            return error_set(error, STATUS_INTERNAL, "checking the plan: %s", reason);
        return make_failure(child, status, reason, outcome, error);
    }
    if (message.status && child->job->memory_limit_bytes && error_is_no_memory(&message.error))
        return make_failure(child, PLAN_MEMOUT, "memory limit", outcome, error);
    if (message.status)
        *error = message.error;
    return message.status;
}

enum status child_take(struct child *child, struct outcome *outcome, struct error *error)
{
    struct subprocess_result result;
    *outcome = (struct outcome){0};
    TRY(subprocess_finish(&child->process, &result, error));
    enum status status = take_answer(child, &result, outcome, error);
    text_free(&result.answer);
    if (status)
        outcome_clear(outcome);
    return status;
}

enum status child_finish(struct child *child, struct outcome *outcome, struct error *error)
{
    TRY(child_take(child, outcome, error));
    enum status status = child->checks ? STATUS_OK : job_check(child->job, outcome, error);
    if (status)
        outcome_clear(outcome);
    return status;
}

void child_cancel(struct child *child)
{
    subprocess_cancel(&child->process);
}

enum status child_run(const struct job *job, struct outcome *outcome, struct error *error)
{
    struct child child;
    uint32_t ended;
    TRY(child_start(job, &child, error));
    enum status status = child_wait_for_one(&child, 1, &ended, error);
    if (!status)
        return child_finish(&child, outcome, error);
    child_cancel(&child);
    return status;
}
