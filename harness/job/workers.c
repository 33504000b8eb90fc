#include "harness/job/workers.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/process/descendants.h"
#include "core/process/ending.h"
#include "core/process/subprocess.h"
#include "harness/job/child_message.h"
#include "harness/job/run.h"

static int run_planner(const void *context, int answer)
{
    struct error error = ERROR_NONE;
    struct outcome outcome;
    enum status status = job_plan(context, &outcome, &error);
    return child_message_write(answer, status, &error, &outcome) ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Makes an outcome without a plan. */
static enum status make_failure(const struct job *job, uint64_t began_ns, enum plan_status status,
                                const char *reason, struct outcome *outcome, struct error *error)
{
    const struct instance *instance = job->instance;
    *outcome = (struct outcome){.status = status, .samples = 1};
    outcome->wall_ns[0] = clock_monotonic_ns() - began_ns;
    snprintf(outcome->stop_reason, sizeof outcome->stop_reason, "%s", reason);
    if (instance->graph) {
        TRY(placement_create(instance->graph, &outcome->placement, error));
        outcome->placement->status = status;
    } else {
        TRY(plan_create(instance->problem, &outcome->plan, error));
        outcome->plan->status = status;
    }
    return STATUS_OK;
}

/* Does what job_run does, but plans the job in a process of its own and checks the plan in this
   one, so that a planner that crashes, hangs or takes all memory costs one result. The process is a
   copy of this one (fork), which must not have started threads. What planners print there goes to
   standard error.

   Over its limits a job ends with a status: PLAN_TIMEOUT where it does not stop by itself within
   5 s and a quarter of its time limit after that limit, PLAN_MEMOUT where it has more than
   job->memory_limit_bytes on top of what the program holds already or the system runs out of
   memory, PLAN_CRASH where it ends without an answer. Where somebody else kills the process it is
   started again, twice at most. memory_kills is ending_memory_kills (core/process/ending.h) at some
   time before. */
static enum status plan_in_child(const struct job *job, uint64_t memory_kills,
                                 struct outcome *outcome, struct error *error)
{
    enum { MOST_RUNS = 3 };
    static const enum plan_status statuses[] = {[ENDING_TIME] = PLAN_TIMEOUT,
                                                [ENDING_MEMORY] = PLAN_MEMOUT,
                                                [ENDING_CRASH] = PLAN_CRASH,
                                                [ENDING_SOMEBODY] = PLAN_CRASH};
    uint64_t grace_ns = UINT64_C(5000000000) + job->time_limit_ns / 4, limit_ns = UINT64_MAX;
    if (job->time_limit_ns < UINT64_MAX - grace_ns)
        limit_ns = job->time_limit_ns + grace_ns;
    *outcome = (struct outcome){0};
    for (int run = 1;; run++) {
        const struct subprocess_task subtask = {.function = run_planner,
                                                .context = job,
                                                .output = STDERR_FILENO,
                                                .errors = STDERR_FILENO,
                                                .deadline_ns = clock_deadline_ns(limit_ns),
                                                .memory_limit_bytes = job->memory_limit_bytes};
        struct subprocess_result result;
        struct child_message message;
        uint64_t began_ns = clock_monotonic_ns();
        TRY(subprocess_run(&subtask, &result, error));
        enum status status = child_message_read(&result.answer, job, &message, outcome, error);
        text_free(&result.answer);
        TRY(status);
        if (message.whole && !message.status)
            return STATUS_OK;
        if (message.whole) {
            /* A planner that runs out of memory and reports that sends an answer. */
            if (job->memory_limit_bytes && error_is_no_memory(&message.error))
                return make_failure(job, began_ns, PLAN_MEMOUT, "memory limit", outcome, error);
            *error = message.error;
            return message.status;
        }
        const struct ending ending = ending_judge(&result, memory_kills);
        if (ending.kind != ENDING_SOMEBODY || run == MOST_RUNS)
            return make_failure(job, began_ns, statuses[ending.kind], ending.reason, outcome,
                                error);
    }
}

/* A worker whose last job took less than QUICK_NS gets its next job before it has finished the
   present one. */
enum { MOST_ORDERS = 2, MOST_DEATHS = 3, QUICK_NS = 20000000 };

struct order {
    uint32_t job;
    uint32_t deaths; /* number of workers that died while they had this job */
};

struct worker {
    struct subprocess process;
    int orders;                      /* descriptor through which the worker is told its jobs */
    struct order order[MOST_ORDERS]; /* [ordered] the worker runs the first job, the others wait */
    uint32_t ordered;
    uint64_t began_ns; /* when the first job was ordered, or became the first */
    bool is_quick;     /* its last job took less than QUICK_NS */
};

struct workers {
    const struct job *job;
    struct worker *worker;       /* [started] */
    struct subprocess **process; /* [started] their processes */
    uint32_t started, most;
};

/* What the process of a worker has to know. */
struct service {
    const struct job *job;
    int orders;
};

static int serve(const void *context, int answer)
{
    const struct service *service = context;
    uint64_t memory_kills = ending_memory_kills();
    SCOPED(memory_release) struct outcome *outcome = NULL;
    bool sent = true;
    struct error error;
    if (memory_create(&outcome, 1, sizeof *outcome, &error))
        return EXIT_FAILURE;
    while (sent) {
        uint32_t number;
        ssize_t length;
        do
            length = recv(service->orders, &number, sizeof number, MSG_WAITALL);
        while (length < 0 && errno == EINTR);
        if (length != sizeof number)
            return EXIT_SUCCESS; /* no more will come */
        const struct job *job = &service->job[number];
        error = ERROR_NONE;
        enum status status = plan_in_child(job, memory_kills, outcome, &error);
        if (!status)
            status = job_check(job, outcome, &error);
        descendants_end();
        sent = child_message_write(answer, status, &error, outcome);
        outcome_clear(outcome);
    }
    return EXIT_FAILURE;
}

static enum status start_worker(struct workers *workers, struct error *error)
{
    int ends[2];
    struct worker *worker = &workers->worker[workers->started];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return error_set(error, STATUS_INTERNAL, "cannot make a pair of sockets: %s",
                         strerror(errno));
    const struct service service = {.job = workers->job, .orders = ends[1]};
    const struct subprocess_task task = {.function = serve,
                                         .context = &service,
                                         .output = STDERR_FILENO,
                                         .errors = STDERR_FILENO,
                                         .deadline_ns = UINT64_MAX,
                                         .kept = ends[1],
                                         .watches = true};
    *worker = (struct worker){.orders = ends[0]};
    enum status status = subprocess_start(&task, &worker->process, error);
    close(ends[1]);
    if (status)
        close(ends[0]);
    else
        workers->started++;
    return status;
}

enum status workers_create(const struct job *jobs, uint32_t most, struct workers **created,
                           struct error *error)
{
    SCOPED(workers_release) struct workers *workers = NULL;
    assert(most);
    TRY(memory_create(&workers, 1, sizeof *workers, error));
    workers->job = jobs;
    workers->most = most;
    TRY(memory_create_all(most, error, &workers->worker, &workers->process));
    HAND_OVER(workers, created);
}

/* Whether a worker should get another job. A worker that runs alone never gets one in advance, so
   that nothing goes on beside its job. */
static bool wants_order(const struct workers *workers, const struct worker *worker)
{
    return !worker->ordered ||
           (workers->most > 1 && worker->is_quick && worker->ordered < MOST_ORDERS);
}

bool workers_want(const struct workers *workers)
{
    for (uint32_t i = 0; i < workers->started; i++)
        if (wants_order(workers, &workers->worker[i]))
            return true;
    return workers->started < workers->most;
}

/* Sends a job to a worker. A worker that has died is noticed only when its answer is to be
   taken. */
static void give_order(struct worker *worker, struct order order)
{
    assert(worker->ordered < MOST_ORDERS);
    if (!worker->ordered)
        worker->began_ns = clock_monotonic_ns();
    worker->order[worker->ordered++] = order;
    send(worker->orders, &order.job, sizeof order.job, MSG_NOSIGNAL);
}

enum status workers_order(struct workers *workers, uint32_t job, struct error *error)
{
    struct worker *idlest = NULL;
    assert(workers_want(workers));
    for (uint32_t i = 0; i < workers->started; i++) {
        struct worker *worker = &workers->worker[i];
        if (wants_order(workers, worker) && (!idlest || worker->ordered < idlest->ordered))
            idlest = worker;
    }
    /* Rather than that the job waits behind another one, a new worker is started. */
    if (!idlest || (idlest->ordered && workers->started < workers->most)) {
        idlest = &workers->worker[workers->started];
        TRY(start_worker(workers, error));
    }
    give_order(idlest, (struct order){.job = job});
    return STATUS_OK;
}

enum status workers_wait(struct workers *workers, uint64_t deadline_ns, struct error *error)
{
    for (uint32_t i = 0; i < workers->started; i++)
        workers->process[i] = &workers->worker[i].process;
    return subprocess_wait_for_news(workers->process, workers->started, deadline_ns, error);
}

static struct order remove_order(struct worker *worker)
{
    assert(worker->ordered);
    struct order order = worker->order[0];
    uint64_t now_ns = clock_monotonic_ns();
    worker->ordered--;
    memmove(worker->order, worker->order + 1, worker->ordered * sizeof *worker->order);
    worker->is_quick = now_ns - worker->began_ns < QUICK_NS;
    worker->began_ns = now_ns;
    return order;
}

/* Takes the answer to a worker's first job if it has come whole. */
static enum status find_message(struct workers *workers, struct worker *worker, bool *found,
                                struct workers_answer *answer, struct outcome *outcome,
                                struct error *error)
{
    struct text *received = &worker->process.received;
    TRY(text_check(received, error));
    size_t length = worker->ordered ? child_message_length(received) : 0;
    *found = length && length <= received->length;
    if (!*found)
        return STATUS_OK;
    const struct text first = {.bytes = received->bytes, .length = length};
    struct child_message message;
    *answer = (struct workers_answer){.job = remove_order(worker).job};
    TRY(child_message_read(&first, &workers->job[answer->job], &message, outcome, error));
    received->length -= length;
    memmove(received->bytes, received->bytes + length, received->length);
    if (!message.whole)
        return error_set(error, STATUS_INTERNAL, "a worker's answer makes no sense");
    answer->status = message.status;
    answer->error = message.error;
    return STATUS_OK;
}

/* Replaces a worker that has died. The new one gets its jobs, except for a job whose workers have
   died too often; that job gets an answer. */
static enum status replace_worker(struct workers *workers, uint32_t index, bool *found,
                                  struct workers_answer *answer, struct error *error)
{
    struct worker dead = workers->worker[index];
    struct subprocess_result result;
    workers->worker[index] = workers->worker[--workers->started];
    close(dead.orders);
    TRY(subprocess_finish(&dead.process, &result, error));
    text_free(&result.answer);
    if (dead.ordered && ++dead.order[0].deaths == MOST_DEATHS) {
        *found = true;
        *answer = (struct workers_answer){.job = remove_order(&dead).job};
        answer->status =
            result.signal ? error_set(&answer->error, STATUS_INTERNAL,
                                      "who checks the plan died: signal %d (%s)", result.signal,
                                      strsignal(result.signal))
                          : error_set(&answer->error, STATUS_INTERNAL,
                                      "who checks the plan died: exit code %d", result.exit_code);
    }
    if (dead.ordered)
        TRY(start_worker(workers, error));
    for (uint32_t i = 0; i < dead.ordered; i++)
        give_order(&workers->worker[workers->started - 1], dead.order[i]);
    return STATUS_OK;
}

enum status workers_take(struct workers *workers, bool *found, struct workers_answer *answer,
                         struct outcome *outcome, struct error *error)
{
    *found = false;
    for (uint32_t i = 0; i < workers->started && !*found; i++)
        TRY(find_message(workers, &workers->worker[i], found, answer, outcome, error));
    for (uint32_t i = workers->started; i-- && !*found;)
        if (workers->worker[i].process.ended)
            TRY(replace_worker(workers, i, found, answer, error));
    return STATUS_OK;
}

void workers_free(struct workers *workers)
{
    if (!workers)
        return;
    while (workers->started) {
        struct worker *worker = &workers->worker[--workers->started];
        struct subprocess_result result;
        struct error ignored;
        /* A worker without a job ends by itself when its descriptor is closed; one with a job is
           killed. */
        shutdown(worker->orders, SHUT_RDWR);
        if (worker->ordered)
            subprocess_cancel(&worker->process);
        else if (!subprocess_finish(&worker->process, &result, &ignored))
            text_free(&result.answer);
        close(worker->orders);
    }
    memory_free_all(workers->worker, workers->process, workers);
}

enum status workers_run(const struct job *job, struct outcome *outcome, struct error *error)
{
    SCOPED(workers_release) struct workers *workers = NULL;
    TRY(workers_create(job, 1, &workers, error));
    struct workers_answer answer;
    bool found = false;
    TRY(workers_order(workers, 0, error));
    while (!found) {
        TRY(workers_wait(workers, UINT64_MAX, error));
        TRY(workers_take(workers, &found, &answer, outcome, error));
    }
    if (answer.status)
        *error = answer.error;
    return answer.status;
}
