#include "harness/job/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "core/clock.h"
#include "core/memory.h"
#include "harness/job/child_message.h"

bool child_can_limit_memory(void)
{
#if defined(__SANITIZE_ADDRESS__)
    return false;
#else
    return true;
#endif
}

/* Bytes of addresses that the program has; 0 where the system does not say. */
static uint64_t measure_addresses(void)
{
    unsigned long long pages = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    if (!statm)
        return 0;
    if (fscanf(statm, "%llu", &pages) != 1)
        pages = 0;
    fclose(statm);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void limit_memory(uint64_t limit_bytes)
{
    struct rlimit limit;
    if (!limit_bytes || !child_can_limit_memory() || getrlimit(RLIMIT_AS, &limit) != 0)
        return;
    uint64_t bytes = measure_addresses() + limit_bytes;
    if (bytes >= limit_bytes && bytes < (uint64_t)limit.rlim_max) {
        limit.rlim_cur = (rlim_t)bytes;
        setrlimit(RLIMIT_AS, &limit);
    }
}

/* The process ends without the endings of its parent: no exit handlers, no buffers written. */
static void run_as_child(const struct job *job, const struct outcome *found, pid_t parent,
                         int descriptor)
{
    struct error error = ERROR_NONE;
    struct outcome outcome;
    enum status status;
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
#else
    (void)parent;
#endif
    dup2(STDERR_FILENO, STDOUT_FILENO);
    if (found) {
        outcome = *found;
        status = job_check(job, &outcome, &error);
    } else {
        limit_memory(job->memory_limit_bytes);
        status = job_plan(job, &outcome, &error);
    }
    bool sent = child_message_write(descriptor, status, &error, &outcome);
    fflush(stdout);
    _exit(sent ? EXIT_SUCCESS : EXIT_FAILURE);
}

static uint64_t add_times(uint64_t a, uint64_t b)
{
    return a < UINT64_MAX - b ? a + b : UINT64_MAX;
}

static enum status report_fault(const char *what, struct error *error)
{
    return error_set(error, STATUS_INTERNAL, "cannot %s: %s", what, strerror(errno));
}

static enum status start(const struct outcome *found, struct child *child, struct error *error)
{
    int ends[2];
    pid_t parent = getpid();
    if (pipe(ends) != 0)
        return report_fault("make a pipe", error);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    fflush(NULL);
    child->process = fork();
    if (child->process == 0)
        run_as_child(child->job, found, parent, ends[1]);
    int number = errno;
    close(ends[1]);
    child->pipe = ends[0];
    if (child->process > 0)
        return STATUS_OK;
    close(ends[0]);
    errno = number;
    return report_fault("start a process", error);
}

enum status child_start(const struct job *job, struct child *child, struct error *error)
{
    uint64_t grace_ns = UINT64_C(5000000000) + job->time_limit_ns / 4;
    *child = (struct child){.job = job, .began_ns = clock_monotonic_ns()};
    child->deadline_ns = add_times(child->began_ns, add_times(job->time_limit_ns, grace_ns));
    return start(NULL, child, error);
}

enum status child_start_check(const struct job *job, const struct outcome *outcome,
                              struct child *child, struct error *error)
{
    *child = (struct child){
        .job = job, .began_ns = clock_monotonic_ns(), .deadline_ns = UINT64_MAX, .checks = true};
    return start(outcome, child, error);
}

/* False at the end of what it sends. */
static bool receive(struct child *child)
{
    char bytes[65536];
    ssize_t length = read(child->pipe, bytes, sizeof bytes);
    if (length > 0)
        text_append_bytes(&child->message, bytes, (size_t)length);
    return length > 0 || (length < 0 && errno == EINTR);
}

static void kill_child(struct child *child)
{
    child->killed = true;
    kill(-child->process, SIGKILL);
    kill(child->process, SIGKILL);
}

static int get_timeout_ms(const struct child *child, uint32_t children, uint64_t now)
{
    static const uint64_t most_ns = UINT64_C(3600000000000);
    uint64_t least_ns = most_ns;
    for (uint32_t i = 0; i < children; i++) {
        uint64_t left_ns = child[i].deadline_ns > now ? child[i].deadline_ns - now : 0;
        if (left_ns < least_ns)
            least_ns = left_ns;
    }
    return (int)(least_ns / 1000000) + 1;
}

static bool find_ended(struct child *child, uint32_t children, const struct pollfd *watched,
                       uint32_t *ended)
{
    uint64_t now = clock_monotonic_ns();
    for (uint32_t i = 0; i < children; i++) {
        bool open = !watched[i].revents || receive(&child[i]);
        if (open && now >= child[i].deadline_ns) {
            kill_child(&child[i]);
            open = false;
        }
        if (!open) {
            *ended = i;
            return true;
        }
    }
    return false;
}

enum status child_wait_for_one(struct child *child, uint32_t children, uint32_t *ended,
                               struct error *error)
{
    struct pollfd *watched = NULL;
    enum status status = memory_create(&watched, children, sizeof *watched, error);
    while (!status) {
        int timeout_ms = get_timeout_ms(child, children, clock_monotonic_ns());
        for (uint32_t i = 0; i < children; i++)
            watched[i] = (struct pollfd){.fd = child[i].pipe, .events = POLLIN};
        if (poll(watched, children, timeout_ms) < 0 && errno != EINTR)
            status = report_fault("wait for a process", error);
        else if (find_ended(child, children, watched, ended))
            break;
    }
    memory_free(watched);
    return status;
}

static int wait_for_end(struct child *child)
{
    int ended = 0;
    close(child->pipe);
    while (waitpid(child->process, &ended, 0) < 0 && errno == EINTR)
        continue;
    return ended;
}

/* It has no answer: why, from how it ended. Nobody but the system's own guard against too little
   memory kills without being asked, and libraries that get no memory abort. */
static enum plan_status judge_end(const struct child *child, int ended, char *reason,
                                  size_t reason_bytes)
{
    int number = WIFSIGNALED(ended) ? WTERMSIG(ended) : 0;
    bool limited = child->job->memory_limit_bytes != 0;
    if (child->killed) {
        snprintf(reason, reason_bytes, "killed after the time limit");
        return PLAN_TIMEOUT;
    }
    if (!number) {
        snprintf(reason, reason_bytes, "ended without an answer, exit code %d",
                 WIFEXITED(ended) ? WEXITSTATUS(ended) : 0);
        return PLAN_CRASH;
    }
    bool memory = number == SIGKILL || (number == SIGABRT && limited);
    snprintf(reason, reason_bytes, "signal %d (%s)%s", number, strsignal(number),
             memory ? ", out of memory" : "");
    return memory ? PLAN_MEMOUT : PLAN_CRASH;
}

/* An outcome of no plan. */
static enum status make_failure(const struct child *child, enum plan_status plan_status,
                                const char *reason, struct outcome *outcome, struct error *error)
{
    const struct instance *instance = child->job->instance;
    *outcome = (struct outcome){.status = plan_status, .samples = 1};
    outcome->wall_ns[0] = clock_monotonic_ns() - child->began_ns;
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

static enum status take_answer(struct child *child, int ended, struct outcome *outcome,
                               struct error *error)
{
    struct error job_error = ERROR_NONE;
    enum status job_status;
    bool whole;
    char reason[sizeof outcome->stop_reason];
    TRY(text_check(&child->message, error));
    TRY(child_message_read(&child->message, child->job, &whole, &job_status, outcome, &job_error,
                           error));
    if (!whole) {
        enum plan_status status = judge_end(child, ended, reason, sizeof reason);
        if (child->checks)
            return error_set(error, STATUS_INTERNAL, "checking the plan: %s", reason);
        return make_failure(child, status, reason, outcome, error);
    }
    if (job_status && child->job->memory_limit_bytes && error_is_no_memory(&job_error))
        return make_failure(child, PLAN_MEMOUT, "memory limit", outcome, error);
    if (job_status)
        *error = job_error;
    return job_status;
}

enum status child_take(struct child *child, struct outcome *outcome, struct error *error)
{
    *outcome = (struct outcome){0};
    int ended = wait_for_end(child);
    enum status status = take_answer(child, ended, outcome, error);
    text_free(&child->message);
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
    kill_child(child);
    wait_for_end(child);
    text_free(&child->message);
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
