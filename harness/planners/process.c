#include "harness/planners/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "core/clock.h"

/* The program is watched over by a copy of this process, which leads their group: it says how the
   program ended and, where this process dies, takes the group along. */
struct process {
    pid_t supervisor;
    int complaints;      /* what the program writes to its standard error; -1 once that is closed */
    int reports;         /* errno where it could not be started, then how it ended */
    int report[2];       /* [reported] */
    size_t report_bytes; /* of report */
    uint64_t deadline_ns;
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

/* From here to supervise: in copies of this process, so only what is safe after fork in a program
   with threads. */
static void become_program(char *const *words, int complaints, int reports)
{
    int nothing = open("/dev/null", O_RDWR);
    if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(nothing, STDOUT_FILENO) >= 0 &&
        dup2(complaints, STDERR_FILENO) >= 0)
        execvp(words[0], words);
    int number = errno;
    _exit(write(reports, &number, sizeof number) < 0 ? 126 : 127);
}

static void end_group(int number)
{
    (void)number;
    kill(0, SIGKILL);
}

static void supervise(char *const *words, pid_t parent, int complaints, int reports)
{
    struct sigaction action = {.sa_handler = end_group};
    int ended = 0;
    setpgid(0, 0);
    sigaction(SIGTERM, &action, NULL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(126);
#else
    (void)parent;
#endif
    pid_t program = fork();
    if (program == 0)
        become_program(words, complaints, reports);
    if (program < 0) {
        int number = errno;
        _exit(write(reports, &number, sizeof number) < 0 ? 126 : 127);
    }
    close(complaints);
    while (waitpid(program, &ended, 0) < 0 && errno == EINTR)
        continue;
    _exit(write(reports, &ended, sizeof ended) < 0 ? 126 : 0);
}

static enum status start(char *const *words, struct process *process, struct error *error)
{
    int complaints[2], reports[2];
    pid_t parent = getpid();
    TRY(open_pipe(complaints, error));
    if (open_pipe(reports, error)) {
        close(complaints[0]);
        close(complaints[1]);
        return error->status;
    }
    process->supervisor = fork();
    if (process->supervisor == 0)
        supervise(words, parent, complaints[1], reports[1]);
    int number = errno;
    close(complaints[1]);
    close(reports[1]);
    process->complaints = complaints[0];
    process->reports = reports[0];
    if (process->supervisor > 0) {
        setpgid(process->supervisor, process->supervisor);
        return STATUS_OK;
    }
    close(complaints[0]);
    close(reports[0]);
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

/* False at the end. */
static bool read_reports(struct process *process)
{
    char *at = (char *)process->report + process->report_bytes;
    ssize_t length = read(process->reports, at, sizeof process->report - process->report_bytes);
    if (length > 0)
        process->report_bytes += (size_t)length;
    return length > 0 || (length < 0 && errno == EINTR);
}

/* Waits for at most the time given. False at the end of the reports. */
static bool follow(struct process *process, int timeout_ms)
{
    struct pollfd watched[] = {{.fd = process->reports, .events = POLLIN},
                               {.fd = process->complaints, .events = POLLIN}};
    if (poll(watched, 2, timeout_ms) <= 0)
        return true;
    if (watched[1].revents)
        read_complaints(process);
    return !watched[0].revents || read_reports(process);
}

/* False when the limit came before the end. */
static bool watch(struct process *process)
{
    static const uint64_t most_ns = UINT64_C(3600000000000);
    for (;;) {
        uint64_t left_ns = clock_left_ns(process->deadline_ns);
        if (!left_ns)
            return false;
        if (!follow(process, (int)((left_ns < most_ns ? left_ns : most_ns) / 1000000) + 1))
            return true;
    }
}

/* What is left in the pipe: somebody who has left the group may hold it open for ever. */
static void drain_complaints(struct process *process)
{
    struct pollfd watched = {.fd = process->complaints, .events = POLLIN};
    while (process->complaints >= 0 && poll(&watched, 1, 0) > 0)
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

/* The group's number is not given away before its leader has been waited for. */
static void end_processes(struct process *process)
{
    kill(-process->supervisor, SIGKILL);
    kill(process->supervisor, SIGKILL);
    while (waitpid(process->supervisor, NULL, 0) < 0 && errno == EINTR)
        continue;
    close(process->reports);
    drain_complaints(process);
}

static enum status judge(const struct process *process, char *const *words,
                         struct process_result *result, struct error *error)
{
    size_t reports = process->report_bytes / sizeof *process->report;
    int ended = process->report[0];
    copy_complaint(process, result->complaint);
    if (reports == 2)
        return error_set(error, STATUS_BAD_INPUT, "cannot run '%s': %s", words[0],
                         strerror(process->report[0]));
    if (result->out_of_time)
        return STATUS_OK;
    if (reports != 1)
        return error_set(error, STATUS_INTERNAL, "cannot watch over '%s'", words[0]);
    result->signal = WIFSIGNALED(ended) ? WTERMSIG(ended) : 0;
    result->exit_code = WIFEXITED(ended) ? WEXITSTATUS(ended) : 0;
    return STATUS_OK;
}

enum status process_run(char *const *words, uint64_t time_limit_ns, struct process_result *result,
                        struct error *error)
{
    struct process process = {.deadline_ns = clock_deadline_ns(time_limit_ns)};
    *result = (struct process_result){0};
    TRY(start(words, &process, error));
    result->out_of_time = !watch(&process);
    end_processes(&process);
    return judge(&process, words, result, error);
}
