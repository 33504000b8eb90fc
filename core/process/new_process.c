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

/* Limits the address space to what this process has mapped plus limit_bytes; where the system does
   not say how much is mapped, to limit_bytes alone. */
static void limit_memory(uint64_t limit_bytes)
{
    unsigned long long pages = 0;
    struct rlimit limit;
    if (!limit_bytes || !subprocess_can_limit_memory() || getrlimit(RLIMIT_AS, &limit) != 0)
        return;
    FILE *statm = fopen("/proc/self/statm", "r");
    if (statm && fscanf(statm, "%llu", &pages) != 1)
        pages = 0;
    if (statm)
        fclose(statm);
    uint64_t bytes = (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) + limit_bytes;
    if (bytes >= limit_bytes && bytes < (uint64_t)limit.rlim_max) {
        limit.rlim_cur = (rlim_t)bytes;
        setrlimit(RLIMIT_AS, &limit);
    }
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

static bool set_streams(const struct subprocess_task *task, const struct new_process_ends *handed)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    const int descriptors[] = {
        [STDIN_FILENO] = handed->input ? fileno(handed->input) : nothing,
        [STDOUT_FILENO] = task->output == SUBPROCESS_NOTHING ? nothing : task->output,
        [STDERR_FILENO] = task->errors == SUBPROCESS_NOTHING ? nothing
                          : task->errors == SUBPROCESS_KEPT  ? handed->complaints
                                                             : task->errors};
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (nothing < 0 || (descriptors[stream] != stream && dup2(descriptors[stream], stream) < 0))
            return false;
    return true;
}

static noreturn void run_function(const struct subprocess_task *task,
                                  const struct new_process_ends *handed)
{
    const struct rlimit cpu_limit = {task->cpu_limit_s, task->cpu_limit_s};
    if (!set_streams(task, handed))
        _exit(EXIT_FAILURE);
    descriptors_close_others(handed->answer, task->kept ? task->kept : -1);
    limit_memory(task->memory_limit_bytes);
    if (task->cpu_limit_s)
        setrlimit(RLIMIT_CPU, &cpu_limit);
    int exit_code = task->function(task->context, handed->answer);
    fflush(stdout);
    _exit(exit_code);
}

static noreturn void send_report(const struct new_process_ends *handed,
                                 struct new_process_report report)
{
    _exit(subprocess_send(handed->answer, &report, sizeof report) ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* A copy of this process leads the program's group, so that all that the program has started ends
   where this process dies: the program alone would leave its own children behind. Signals wait
   until they are asked for, so that none comes too early or is lost. */
static noreturn void watch_over_program(const struct subprocess_task *task,
                                        const struct new_process_ends *handed, pid_t parent)
{
    struct new_process_report report = {0};
    int number = 0;
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
        if (set_streams(task, handed))
            execvp(task->words[0], task->words);
    }
    if (program <= 0)
        send_report(handed, (struct new_process_report){.start_errno = errno});
    if (handed->complaints >= 0)
        close(handed->complaints);
    while (waitpid(program, &report.ended, WNOHANG) == 0) {
        if (sigwait(&awaited, &number) != 0 || number != SIGTERM)
            continue;
        /* The program is to be killed. */
        descendants_kill();
        if (task->clean)
            task->clean(task->context);
        kill(0, SIGKILL);
    }
    descendants_kill();
    send_report(handed, report);
}

static void end_with_descendants(int number)
{
    (void)number;
    descendants_end();
    kill(0, SIGKILL);
}

noreturn void new_process_become(const struct subprocess_task *task,
                                 const struct new_process_ends *handed, pid_t parent)
{
    const struct sigaction end = {.sa_handler = end_with_descendants};
    setpgid(0, 0);
    if (task->words)
        watch_over_program(task, handed, parent);
    /* SIGTERM ends a process that watches with all descendants. A process that it forks has this
       handler, too, until it sets its own. */
    if (task->watches) {
        sigaction(SIGTERM, &end, NULL);
        descendants_adopt();
    } else {
        signal(SIGTERM, SIG_DFL);
    }
    die_with_parent(parent, task->watches ? SIGTERM : SIGKILL);
    run_function(task, handed);
}
