#include "core/process/new_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "core/process/descendants.h"
#include "core/process/descriptors.h"

/* How many bytes of addresses this process has mapped; 0 where the system does not say. */
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
    if (!limit_bytes || !subprocess_can_limit_memory() || getrlimit(RLIMIT_AS, &limit) != 0)
        return;
    uint64_t bytes = measure_addresses() + limit_bytes;
    if (bytes >= limit_bytes && bytes < (uint64_t)limit.rlim_max) {
        limit.rlim_cur = (rlim_t)bytes;
        setrlimit(RLIMIT_AS, &limit);
    }
}

static void limit_cpu(unsigned limit_s)
{
    const struct rlimit limit = {limit_s, limit_s};
    if (limit_s)
        setrlimit(RLIMIT_CPU, &limit);
}

static void die_with_parent(pid_t parent, int number)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, number);
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
#else
    (void)parent;
    (void)number;
#endif
}

static bool set_stream(int descriptor, int stream)
{
    return descriptor == stream || dup2(descriptor, stream) >= 0;
}

static bool set_streams(const struct subprocess_task *task, const struct new_process_ends *handed)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    int output = task->output == SUBPROCESS_NOTHING ? nothing : task->output;
    int errors = task->errors == SUBPROCESS_NOTHING ? nothing
                 : task->errors == SUBPROCESS_KEPT  ? handed->complaints
                                                    : task->errors;
    return nothing >= 0 &&
           set_stream(handed->input ? fileno(handed->input) : nothing, STDIN_FILENO) &&
           set_stream(output, STDOUT_FILENO) && set_stream(errors, STDERR_FILENO);
}

static noreturn void run_function(const struct subprocess_task *task,
                                  const struct new_process_ends *handed)
{
    if (!set_streams(task, handed))
        _exit(EXIT_FAILURE);
    descriptors_close_others(handed->answer, task->kept ? task->kept : -1);
    limit_memory(task->memory_limit_bytes);
    limit_cpu(task->cpu_limit_s);
    int exit_code = task->function(task->context, handed->answer);
    fflush(stdout);
    _exit(exit_code);
}

static noreturn void send_report(const struct new_process_ends *handed,
                                 struct new_process_report report)
{
    _exit(subprocess_send(handed->answer, &report, sizeof report) ? EXIT_SUCCESS : EXIT_FAILURE);
}

static noreturn void become_program(const struct subprocess_task *task,
                                    const struct new_process_ends *handed)
{
    if (set_streams(task, handed))
        execvp(task->words[0], task->words);
    send_report(handed, (struct new_process_report){.start_errno = errno});
}

/* True when the program has ended, false when it is to be killed: SIGTERM says so. */
static bool wait_for_program(pid_t program, const sigset_t *awaited, int *ended)
{
    while (waitpid(program, ended, WNOHANG) == 0) {
        int number;
        if (sigwait(awaited, &number) == 0 && number == SIGTERM)
            return false;
    }
    return true;
}

static void end_program(const struct subprocess_task *task)
{
    descendants_kill();
    if (task->clean)
        task->clean(task->context);
    kill(0, SIGKILL);
}

/* A copy of this process leads the program's group, so that all that the program has started ends
   where this process dies: the program alone would leave its own children behind. Signals wait
   until they are asked for, so that none comes too early or is lost. */
static noreturn void watch_over_program(const struct subprocess_task *task,
                                        const struct new_process_ends *handed, pid_t parent)
{
    struct new_process_report report = {0};
    sigset_t awaited, before;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGTERM);
    sigaddset(&awaited, SIGCHLD);
    sigprocmask(SIG_BLOCK, &awaited, &before);
    signal(SIGTERM, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
    die_with_parent(parent, SIGTERM);
    descendants_adopt();
    pid_t program = fork();
    if (program == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        become_program(task, handed);
    }
    if (program < 0)
        send_report(handed, (struct new_process_report){.start_errno = errno});
    if (handed->complaints >= 0)
        close(handed->complaints);
    if (!wait_for_program(program, &awaited, &report.ended))
        end_program(task);
    descendants_kill();
    send_report(handed, report);
}

static void end_with_descendants(int number)
{
    (void)number;
    descendants_end();
    kill(0, SIGKILL);
}

/* From now on SIGTERM ends this process with all descendants. A process that it forks has this
   handler, too, until it sets its own. */
static void watch_over_descendants(void)
{
    const struct sigaction action = {.sa_handler = end_with_descendants};
    sigaction(SIGTERM, &action, NULL);
    descendants_adopt();
}

noreturn void new_process_become(const struct subprocess_task *task,
                                 const struct new_process_ends *handed, pid_t parent)
{
    setpgid(0, 0);
    if (task->words)
        watch_over_program(task, handed, parent);
    if (task->watches)
        watch_over_descendants();
    else
        signal(SIGTERM, SIG_DFL);
    die_with_parent(parent, task->watches ? SIGTERM : SIGKILL);
    run_function(task, handed);
}
