#include "harness/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "core/clock.h"

/* How often a program that has closed its standard error, or whose children keep it open, is looked
   at. */
static const uint64_t least_nap_ns = 100000, most_nap_ns = 20000000;

struct process {
    pid_t id;
    int complaints;  /* what it writes to its standard error; -1 once that is closed */
    int start_fault; /* closed when it was started, else has errno */
    uint64_t deadline_ns, nap_ns;
    char tail[PROCESS_COMPLAINT_BYTES];
    size_t tail_bytes;
};

static enum status fail_start(const char *what, struct error *error)
{
    return error_set(error, STATUS_INTERNAL, "cannot %s: %s", what, strerror(errno));
}

static enum status open_pipe(int ends[2], struct error *error)
{
    if (pipe(ends) != 0)
        return fail_start("make a pipe", error);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return STATUS_OK;
}

/* In the child: only what is safe after fork in a program with threads. */
static void become_program(char *const *words, int complaints, int fault)
{
    int nothing = open("/dev/null", O_RDWR);
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(nothing, STDOUT_FILENO) >= 0 &&
        dup2(complaints, STDERR_FILENO) >= 0)
        execvp(words[0], words);
    int number = errno;
    if (write(fault, &number, sizeof number) < 0)
        _exit(126);
    _exit(127);
}

static enum status start(char *const *words, struct process *process, struct error *error)
{
    int complaints[2], fault[2];
    TRY(open_pipe(complaints, error));
    if (open_pipe(fault, error)) {
        close(complaints[0]);
        close(complaints[1]);
        return error->status;
    }
    process->id = fork();
    if (process->id == 0)
        become_program(words, complaints[1], fault[1]);
    int number = errno;
    close(complaints[1]);
    close(fault[1]);
    process->complaints = complaints[0];
    process->start_fault = fault[0];
    if (process->id > 0) {
        setpgid(process->id, process->id);
        return STATUS_OK;
    }
    close(complaints[0]);
    close(fault[0]);
    errno = number;
    return fail_start("start a process", error);
}

/* Keeps the end of what was written. */
static void keep_complaints(struct process *process, const char *bytes, size_t length)
{
    size_t room = sizeof process->tail;
    if (length >= room) {
        bytes += length - room;
        length = room;
    }
    if (process->tail_bytes + length > room) {
        size_t kept = room - length;
        memmove(process->tail, process->tail + process->tail_bytes - kept, kept);
        process->tail_bytes = kept;
    }
    memcpy(process->tail + process->tail_bytes, bytes, length);
    process->tail_bytes += length;
}

static void read_complaints(struct process *process)
{
    char bytes[4096];
    ssize_t length = read(process->complaints, bytes, sizeof bytes);
    if (length > 0) {
        keep_complaints(process, bytes, (size_t)length);
    } else if (length == 0 || errno != EINTR) {
        close(process->complaints);
        process->complaints = -1;
    }
}

/* Until there is something to read, for at most the time given. False when the time passed. */
static bool wait_for_complaints(const struct process *process, uint64_t nap_ns)
{
    struct pollfd watched = {.fd = process->complaints, .events = POLLIN};
    if (process->complaints >= 0)
        return poll(&watched, 1, (int)((nap_ns + 999999) / 1000000)) > 0;
    nanosleep(&(struct timespec){0, (long)nap_ns}, NULL);
    return false;
}

/* It stays a zombie, so that its number, which is its group's, is not given away. */
static bool has_ended(const struct process *process)
{
    siginfo_t found = {0};
    return waitid(P_PID, (id_t)process->id, &found, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           found.si_pid == process->id;
}

/* False when the limit came first. */
static bool watch(struct process *process)
{
    for (;;) {
        bool readable = wait_for_complaints(process, process->nap_ns);
        if (readable)
            read_complaints(process);
        else if (process->nap_ns < most_nap_ns)
            process->nap_ns *= 2;
        if (readable && process->complaints < 0)
            process->nap_ns = least_nap_ns;
        if (has_ended(process))
            return true;
        uint64_t now = clock_monotonic_ns();
        if (now >= process->deadline_ns)
            return false;
        if (process->nap_ns > process->deadline_ns - now)
            process->nap_ns = process->deadline_ns - now;
    }
}

static void drain(struct process *process)
{
    while (process->complaints >= 0 && wait_for_complaints(process, 0))
        read_complaints(process);
    if (process->complaints >= 0)
        close(process->complaints);
}

/* On one line: line ends and other control characters become blanks. */
static void copy_complaint(const struct process *process, char *text)
{
    size_t length = process->tail_bytes, start = 0, used = 0;
    if (length == sizeof process->tail) {
        start = 4;
        used = (size_t)sprintf(text, "...");
    }
    for (size_t i = start; i < length; i++) {
        char character = (unsigned char)process->tail[i] < ' ' ? ' ' : process->tail[i];
        if (character != ' ' || (used && text[used - 1] != ' '))
            text[used++] = character;
    }
    while (used && text[used - 1] == ' ')
        used--;
    text[used] = '\0';
}

static enum status finish(struct process *process, struct process_result *result,
                          struct error *error)
{
    int ended;
    kill(-process->id, SIGKILL);
    kill(process->id, SIGKILL);
    drain(process);
    while (waitpid(process->id, &ended, 0) < 0)
        if (errno != EINTR)
            return fail_start("wait for a program", error);
    result->signal = WIFSIGNALED(ended) ? WTERMSIG(ended) : 0;
    result->exit_code = WIFEXITED(ended) ? WEXITSTATUS(ended) : 0;
    copy_complaint(process, result->complaint);
    return STATUS_OK;
}

enum status process_run(char *const *words, uint64_t time_limit_ns, struct process_result *result,
                        struct error *error)
{
    uint64_t now = clock_monotonic_ns();
    struct process process = {.nap_ns = least_nap_ns,
                              .deadline_ns = time_limit_ns < UINT64_MAX - now ? now + time_limit_ns
                                                                              : UINT64_MAX};
    int number = 0;
    *result = (struct process_result){0};
    TRY(start(words, &process, error));
    bool failed = read(process.start_fault, &number, sizeof number) == (ssize_t)sizeof number;
    close(process.start_fault);
    result->out_of_time = !failed && !watch(&process);
    TRY(finish(&process, result, error));
    if (failed)
        return error_set(error, STATUS_BAD_INPUT, "cannot run '%s': %s", words[0],
                         strerror(number));
    return STATUS_OK;
}
