#include "core/process/subprocess.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/memory.h"
#include "core/process/new_process.h"

static enum status report_fault(const char *what, struct error *error)
{
    return error_set(error, STATUS_INTERNAL, "cannot %s: %s", what, strerror(errno));
}

static enum status open_pipe(int *reading, int *writing, struct error *error)
{
    int ends[2];
    if (pipe(ends) != 0)
        return report_fault("make a pipe", error);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    *reading = ends[0];
    *writing = ends[1];
    return STATUS_OK;
}

static void close_if_open(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

/* Opens the file that the new process reads and the pipes that it writes to, and starts it. */
static enum status start_new(const struct subprocess_task *task, struct subprocess *process,
                             struct new_process_ends *handed, struct error *error)
{
    pid_t parent = getpid();
    /* The input is a file: a pipe could fill up while nobody reads it. */
    if (task->input) {
        FILE *file = handed->input = tmpfile();
        if (!file || fcntl(fileno(file), F_SETFD, FD_CLOEXEC) < 0 ||
            fputs(task->input, file) == EOF || fflush(file) == EOF)
            return report_fault("keep the input of a process", error);
        rewind(file);
    }
    if (task->errors == SUBPROCESS_KEPT)
        TRY(open_pipe(&process->complaints, &handed->complaints, error));
    TRY(open_pipe(&process->answer, &handed->answer, error));
    if (task->function)
        fflush(NULL);
    process->leader = fork();
    if (process->leader == 0)
        new_process_become(task, handed, parent);
    if (process->leader < 0)
        return report_fault("start a process", error);
    setpgid(process->leader, process->leader);
    return STATUS_OK;
}

enum status subprocess_start(const struct subprocess_task *task, struct subprocess *process,
                             struct error *error)
{
    struct new_process_ends handed = {.answer = -1, .complaints = -1};
    assert(!task->function != !task->words);
    assert(!task->clean || task->words);
    assert(!task->watches || task->function);
    assert(task->function || (!task->memory_limit_bytes && !task->cpu_limit_s));
    *process = (struct subprocess){.answer = -1,
                                   .complaints = -1,
                                   .began_ns = clock_monotonic_ns(),
                                   .deadline_ns = task->deadline_ns,
                                   .is_program = task->words != NULL,
                                   .watches = task->words || task->watches};
    enum status status = start_new(task, process, &handed, error);
    if (handed.input)
        fclose(handed.input);
    close_if_open(&handed.complaints);
    close_if_open(&handed.answer);
    if (status) {
        close_if_open(&process->complaints);
        close_if_open(&process->answer);
    }
    return status;
}

/* Takes what there is of the answer; false at its end. */
static bool receive_answer(struct subprocess *process)
{
    char bytes[65536];
    ssize_t length = read(process->answer, bytes, sizeof bytes);
    if (length > 0)
        text_append_bytes(&process->received, bytes, (size_t)length);
    return length > 0 || (length < 0 && errno == EINTR);
}

/* Takes what there is of its standard error, of which only the end is kept. */
static void receive_complaints(struct subprocess *process)
{
    char block[4096], *bytes = block;
    ssize_t found = read(process->complaints, block, sizeof block);
    size_t room = sizeof process->tail, length = found > 0 ? (size_t)found : 0;
    if (found == 0 || (found < 0 && errno != EINTR))
        close_if_open(&process->complaints);
    if (length > room) {
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

static bool has_ended(const struct subprocess *process)
{
    siginfo_t found = {0};
    return waitid(P_PID, (id_t)process->leader, &found, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           found.si_pid != 0;
}

static void kill_process(struct subprocess *process)
{
    enum { MOST_MS = 5000 };
    static const struct timespec pause = {.tv_nsec = 1000000};
    process->killed = true;
    /* The leader is asked to end itself with all that it watches over, which nobody else would
       find, and gets some seconds for that. */
    if (process->watches)
        kill(process->leader, SIGTERM);
    for (int i = 0; process->watches && i < MOST_MS && !has_ended(process); i++)
        nanosleep(&pause, NULL);
    kill(-process->leader, SIGKILL);
    kill(process->leader, SIGKILL);
}

/* Waits until something is heard of one of the processes, or until the deadline or that of one of
   them, but not long, since a process may end while somebody else still holds its pipe open. Kills
   what is over its deadline, marks the processes that have ended, and says whether there are any.
   watched[2 * count] gets the answers of all processes first, then the complaints of all. */
static enum status watch_once(struct subprocess *const *process, uint32_t count,
                              uint64_t deadline_ns, struct pollfd *watched, bool *some_ended,
                              struct error *error)
{
    static const uint64_t most_ns = 50000000;
    *some_ended = false;
    for (uint32_t i = 0; i < count; i++) {
        watched[i] = (struct pollfd){.fd = process[i]->answer, .events = POLLIN};
        watched[count + i] = (struct pollfd){.fd = process[i]->complaints, .events = POLLIN};
        if (process[i]->deadline_ns < deadline_ns)
            deadline_ns = process[i]->deadline_ns;
    }
    uint64_t left_ns = clock_left_ns(deadline_ns);
    int timeout_ms = (int)((left_ns < most_ns ? left_ns : most_ns) / 1000000) + 1;
    if (poll(watched, (nfds_t)count * 2, timeout_ms) < 0) {
        if (errno != EINTR)
            return report_fault("wait for a process", error);
        for (uint32_t i = 0; i < count * 2; i++)
            watched[i].revents = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        bool heard = watched[i].revents;
        if (watched[count + i].revents)
            receive_complaints(process[i]);
        process[i]->ended = heard ? !receive_answer(process[i]) : has_ended(process[i]);
        if (process[i]->ended && !heard) {
            /* Takes what it has left in the pipe, whose end may never come: a process that it has
               left behind may hold it open. */
            struct pollfd left = {.fd = process[i]->answer, .events = POLLIN};
            while (poll(&left, 1, 0) > 0 && receive_answer(process[i]))
                continue;
        } else if (!process[i]->ended && !clock_left_ns(process[i]->deadline_ns)) {
            kill_process(process[i]);
            process[i]->ended = true;
        }
        *some_ended = *some_ended || process[i]->ended;
    }
    return STATUS_OK;
}

enum status subprocess_wait_for_news(struct subprocess *const *process, uint32_t count,
                                     uint64_t deadline_ns, struct error *error)
{
    SCOPED(memory_release) struct pollfd *watched = NULL;
    bool some_ended;
    assert(count);
    TRY(memory_create(&watched, (size_t)count * 2, sizeof *watched, error));
    return watch_once(process, count, deadline_ns, watched, &some_ended, error);
}

enum status subprocess_wait_for_one(struct subprocess *const *process, uint32_t count,
                                    uint32_t *ended, struct error *error)
{
    SCOPED(memory_release) struct pollfd *watched = NULL;
    bool some_ended = false;
    assert(count);
    TRY(memory_create(&watched, (size_t)count * 2, sizeof *watched, error));
    while (!some_ended)
        TRY(watch_once(process, count, UINT64_MAX, watched, &some_ended, error));
    for (*ended = 0; !process[*ended]->ended;)
        ++*ended;
    return STATUS_OK;
}

/* Returns how the leader ended, as from waitpid. The group's number is not given away before its
   leader has been reaped, so that the rest of the group is killed and nobody else. */
static int reap(struct subprocess *process)
{
    siginfo_t ignored;
    int ended = 0;
    close_if_open(&process->answer);
    while (waitid(P_PID, (id_t)process->leader, &ignored, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        continue;
    kill(-process->leader, SIGKILL);
    while (waitpid(process->leader, &ended, 0) < 0 && errno == EINTR)
        continue;
    return ended;
}

/* Copies the complaint as one line: line ends and other control characters become blanks. */
static void copy_complaint(struct subprocess *process, char *text)
{
    struct pollfd watched = {.fd = process->complaints, .events = POLLIN};
    /* Takes what is left in the pipe, not up to its end: a process that has left the group may hold
       it open for ever. */
    while (process->complaints >= 0 && poll(&watched, 1, 0) > 0)
        receive_complaints(process);
    close_if_open(&process->complaints);
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

enum status subprocess_finish(struct subprocess *process, struct subprocess_result *result,
                              struct error *error)
{
    struct new_process_report report = {.ended = reap(process)};
    *result = (struct subprocess_result){.out_of_time = process->killed};
    copy_complaint(process, result->complaint);
    enum status status = text_check(&process->received, error);
    /* For a program the first report counts: if it could not be started, this report says so. */
    bool reported = process->is_program && process->received.length >= sizeof report;
    if (!status && process->is_program && !reported && !process->killed)
        status = error_set(error, STATUS_INTERNAL, "cannot watch over a process");
    if (reported)
        memcpy(&report, process->received.bytes, sizeof report);
    if (!status && (reported || !process->is_program)) {
        result->start_errno = report.start_errno;
        result->signal = WIFSIGNALED(report.ended) ? WTERMSIG(report.ended) : 0;
        result->exit_code = WIFEXITED(report.ended) ? WEXITSTATUS(report.ended) : 0;
    }
    if (!status && !process->is_program) {
        result->answer = process->received;
        process->received = (struct text){0};
    }
    text_free(&process->received);
    return status;
}

void subprocess_cancel(struct subprocess *process)
{
    kill_process(process);
    reap(process);
    close_if_open(&process->complaints);
    text_free(&process->received);
}

enum status subprocess_run(const struct subprocess_task *task, struct subprocess_result *result,
                           struct error *error)
{
    struct subprocess process, *const watched = &process;
    uint32_t ended;
    TRY(subprocess_start(task, &process, error));
    enum status status = subprocess_wait_for_one(&watched, 1, &ended, error);
    if (!status)
        return subprocess_finish(&process, result, error);
    subprocess_cancel(&process);
    return status;
}
