#include "core/process/subprocess.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
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

/* Puts the input into a file: a pipe could fill up while nobody reads it. */
static enum status open_input(const char *input, FILE **file, struct error *error)
{
    *file = tmpfile();
    if (!*file || fcntl(fileno(*file), F_SETFD, FD_CLOEXEC) < 0 || fputs(input, *file) == EOF ||
        fflush(*file) == EOF)
        return report_fault("keep the input of a process", error);
    rewind(*file);
    return STATUS_OK;
}

static enum status open_handed(const struct subprocess_task *task, struct subprocess *process,
                               struct new_process_ends *handed, struct error *error)
{
    if (task->input)
        TRY(open_input(task->input, &handed->input, error));
    if (task->errors == SUBPROCESS_KEPT)
        TRY(open_pipe(&process->complaints, &handed->complaints, error));
    return open_pipe(&process->answer, &handed->answer, error);
}

static void close_if_open(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

static void close_handed(struct new_process_ends *handed)
{
    if (handed->input)
        fclose(handed->input);
    close_if_open(&handed->complaints);
    close_if_open(&handed->answer);
}

static enum status start_new(const struct subprocess_task *task,
                             const struct new_process_ends *handed, struct subprocess *process,
                             struct error *error)
{
    pid_t parent = getpid();
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
    enum status status = open_handed(task, process, &handed, error);
    if (!status)
        status = start_new(task, &handed, process, error);
    close_handed(&handed);
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

/* Keeps only the end of what the process has written to its standard error. */
static void keep_complaints(struct subprocess *process, const char *bytes, size_t length)
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

static void receive_complaints(struct subprocess *process)
{
    char bytes[4096];
    ssize_t length = read(process->complaints, bytes, sizeof bytes);
    if (length > 0)
        keep_complaints(process, bytes, (size_t)length);
    else if (length == 0 || errno != EINTR)
        close_if_open(&process->complaints);
}

static bool has_ended(const struct subprocess *process)
{
    siginfo_t found = {0};
    return waitid(P_PID, (id_t)process->leader, &found, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           found.si_pid != 0;
}

/* Asks the leader to end itself with all that it watches over, which nobody else would find, and
   gives it some seconds for that. */
static void end_by_leader(const struct subprocess *process)
{
    enum { MOST_MS = 5000 };
    static const struct timespec pause = {.tv_nsec = 1000000};
    kill(process->leader, SIGTERM);
    for (int i = 0; i < MOST_MS && !has_ended(process); i++)
        nanosleep(&pause, NULL);
}

static void kill_process(struct subprocess *process)
{
    process->killed = true;
    if (process->watches)
        end_by_leader(process);
    kill(-process->leader, SIGKILL);
    kill(process->leader, SIGKILL);
}

/* How long poll may wait: until the deadline, but not long, since a process may end while somebody
   else still holds its pipe open. */
static int to_timeout_ms(uint64_t deadline_ns)
{
    static const uint64_t most_ns = 50000000;
    uint64_t left_ns = clock_left_ns(deadline_ns);
    return (int)((left_ns < most_ns ? left_ns : most_ns) / 1000000) + 1;
}

static int get_timeout_ms(struct subprocess *const *process, uint32_t count)
{
    uint64_t deadline_ns = UINT64_MAX;
    for (uint32_t i = 0; i < count; i++)
        if (process[i]->deadline_ns < deadline_ns)
            deadline_ns = process[i]->deadline_ns;
    return to_timeout_ms(deadline_ns);
}

/* Takes what an ended process has left in the pipe. The end of the pipe may never come: a process
   that it has left behind may hold it open. */
static void drain_answer(struct subprocess *process)
{
    struct pollfd watched = {.fd = process->answer, .events = POLLIN};
    while (poll(&watched, 1, 0) > 0 && receive_answer(process))
        continue;
}

/* Deals with what was heard of a process, and kills it at its deadline; returns whether it goes
   on. */
static bool follow(struct subprocess *process, const struct pollfd *answer,
                   const struct pollfd *complaints)
{
    if (complaints->revents)
        receive_complaints(process);
    if (answer->revents && !receive_answer(process))
        return false;
    if (!answer->revents && has_ended(process)) {
        drain_answer(process);
        return false;
    }
    if (clock_left_ns(process->deadline_ns))
        return true;
    kill_process(process);
    return false;
}

/* Marks the processes that have ended; returns whether there are any. watched[2 * count] has the
   answers of all processes first, then the complaints of all. */
static bool find_ended(struct subprocess *const *process, uint32_t count,
                       const struct pollfd *watched)
{
    bool found = false;
    for (uint32_t i = 0; i < count; i++) {
        process[i]->ended = !follow(process[i], &watched[i], &watched[count + i]);
        found = found || process[i]->ended;
    }
    return found;
}

/* Waits until something is heard of one of the processes or the timeout is over. */
static enum status watch_once(struct subprocess *const *process, uint32_t count,
                              struct pollfd *watched, int timeout_ms, struct error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        watched[i] = (struct pollfd){.fd = process[i]->answer, .events = POLLIN};
        watched[count + i] = (struct pollfd){.fd = process[i]->complaints, .events = POLLIN};
    }
    if (poll(watched, (nfds_t)count * 2, timeout_ms) < 0) {
        if (errno != EINTR)
            return report_fault("wait for a process", error);
        for (uint32_t i = 0; i < count * 2; i++)
            watched[i].revents = 0;
    }
    return STATUS_OK;
}

enum status subprocess_wait_for_news(struct subprocess *const *process, uint32_t count,
                                     uint64_t deadline_ns, struct error *error)
{
    struct pollfd *watched = NULL;
    assert(count);
    TRY(memory_create(&watched, (size_t)count * 2, sizeof *watched, error));
    int timeout_ms = get_timeout_ms(process, count), left_ms = to_timeout_ms(deadline_ns);
    enum status status =
        watch_once(process, count, watched, left_ms < timeout_ms ? left_ms : timeout_ms, error);
    if (!status)
        find_ended(process, count, watched);
    memory_free(watched);
    return status;
}

enum status subprocess_wait_for_one(struct subprocess *const *process, uint32_t count,
                                    uint32_t *ended, struct error *error)
{
    struct pollfd *watched = NULL;
    assert(count);
    enum status status = memory_create(&watched, (size_t)count * 2, sizeof *watched, error);
    while (!status) {
        status = watch_once(process, count, watched, get_timeout_ms(process, count), error);
        if (!status && find_ended(process, count, watched))
            break;
    }
    for (*ended = 0; !status && !process[*ended]->ended;)
        ++*ended;
    memory_free(watched);
    return status;
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

/* Takes what is left in the pipe, not up to its end: a process that has left the group may hold it
   open for ever. */
static void drain_complaints(struct subprocess *process)
{
    struct pollfd watched = {.fd = process->complaints, .events = POLLIN};
    while (process->complaints >= 0 && poll(&watched, 1, 0) > 0)
        receive_complaints(process);
    close_if_open(&process->complaints);
}

/* Copies the complaint as one line: line ends and other control characters become blanks. */
static void copy_complaint(const struct subprocess *process, char *text)
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

static void judge_end(int ended, struct subprocess_result *result)
{
    result->signal = WIFSIGNALED(ended) ? WTERMSIG(ended) : 0;
    result->exit_code = WIFEXITED(ended) ? WEXITSTATUS(ended) : 0;
}

/* Reads the first report that was sent: if the program could not be started, that one says so, and
   it is what counts. */
static enum status judge_program(const struct subprocess *process, struct subprocess_result *result,
                                 struct error *error)
{
    struct new_process_report report;
    if (process->received.length >= sizeof report) {
        memcpy(&report, process->received.bytes, sizeof report);
        result->start_errno = report.start_errno;
        judge_end(report.ended, result);
    } else if (!process->killed) {
        return error_set(error, STATUS_INTERNAL, "cannot watch over a process");
    }
    return STATUS_OK;
}

enum status subprocess_finish(struct subprocess *process, struct subprocess_result *result,
                              struct error *error)
{
    int ended = reap(process);
    *result = (struct subprocess_result){.out_of_time = process->killed};
    drain_complaints(process);
    copy_complaint(process, result->complaint);
    enum status status = text_check(&process->received, error);
    if (!status && process->is_program) {
        status = judge_program(process, result, error);
    } else if (!status) {
        judge_end(ended, result);
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
