#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "core/clock.h"
#include "solvers/mip/backends/cbc_library.h"
#include "solvers/mip/solver.h"

/* The copy of this process that runs CBC and writes its answer, then the values, to a pipe. */
struct child {
    pid_t process;
    int pipe;
    uint64_t deadline_ns; /* it is killed then */
};

/* From here to run_as_child: in the copy, where all that was allocated goes with the process. */
struct run {
    const struct cbc_library *library;
    const struct mip_question *question;
    Cbc_Model *cbc;
};

static void load_model(struct run *run)
{
    const struct mip_model *model = run->question->model;
    for (uint32_t c = 0; c < model->columns; c++)
        run->library->addCol(run->cbc, "", model->column_lower[c], model->column_upper[c], c == 0,
                             (char)model->integer[c], 0, NULL, NULL);
    for (uint32_t r = 0; r < model->rows; r++) {
        uint64_t first = model->row_first[r];
        run->library->addRow(run->cbc, "", (int)(model->row_first[r + 1] - first),
                             (const int *)&model->row_column[first], &model->row_value[first], 'G',
                             model->row_bound[r]);
    }
    run->library->setObjSense(run->cbc, 1);
}

static void set_parameters(struct run *run)
{
    uint64_t left_ns = clock_left_ns(run->question->deadline_ns);
    char seconds[32];
    snprintf(seconds, sizeof seconds, "%.3f", (double)left_ns / 1e9);
    run->library->setLogLevel(run->cbc, 0);
    run->library->setParameter(run->cbc, "timeMode", "elapsed");
    if (left_ns != UINT64_MAX)
        run->library->setParameter(run->cbc, "seconds", seconds);
    run->library->setParameter(run->cbc, "ratioGap", "0");
    run->library->setParameter(run->cbc, "allowableGap", "0");
}

static bool give_start(struct run *run)
{
    int columns = (int)run->question->model->columns;
    int *index = malloc((size_t)columns * sizeof *index);
    for (int c = 0; index && c < columns; c++)
        index[c] = c;
    if (index)
        run->library->setMIPStartI(run->cbc, columns, index, run->question->start);
    return index != NULL;
}

static bool write_all(int descriptor, const void *bytes, size_t length)
{
    const char *at = bytes;
    while (length) {
        ssize_t written = write(descriptor, at, length);
        if (written < 0 && errno != EINTR)
            return false;
        at += written > 0 ? written : 0;
        length -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

static bool write_answer(const struct run *run, int descriptor)
{
    const struct cbc_library *library = run->library;
    const double *values = library->bestSolution(run->cbc);
    const struct mip_answer answer = {.found = values != NULL,
                                      .infeasible = library->isProvenInfeasible(run->cbc),
                                      .peak_bound = library->getBestPossibleObjValue(run->cbc),
                                      .nodes = (uint64_t)library->getNodeCount(run->cbc)};
    return write_all(descriptor, &answer, sizeof answer) &&
           (!values ||
            write_all(descriptor, values, run->question->model->columns * sizeof *values));
}

static bool run_cbc(struct run *run, int descriptor)
{
    run->cbc = run->library->newModel();
    load_model(run);
    set_parameters(run);
    if (run->question->start && !give_start(run))
        return false;
    run->library->solve(run->cbc);
    return write_answer(run, descriptor);
}

/* CBC prints whatever its log level. */
static void run_as_child(struct run *run, pid_t parent, int descriptor)
{
    int nothing = open("/dev/null", O_RDWR);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
#else
    (void)parent;
#endif
    if (nothing < 0 || dup2(nothing, STDOUT_FILENO) < 0 || dup2(nothing, STDERR_FILENO) < 0)
        _exit(EXIT_FAILURE);
    _exit(run_cbc(run, descriptor) ? EXIT_SUCCESS : EXIT_FAILURE);
}

static uint64_t get_kill_ns(uint64_t deadline_ns)
{
    uint64_t left_ns = clock_left_ns(deadline_ns);
    return left_ns == UINT64_MAX ? UINT64_MAX
                                 : clock_deadline_ns(left_ns + left_ns / 10 + UINT64_C(1000000000));
}

static enum status report_fault(const char *what, struct error *error)
{
    return error_set(error, STATUS_INTERNAL, "cannot %s: %s", what, strerror(errno));
}

static enum status start_child(struct run *run, struct child *child, struct error *error)
{
    int ends[2];
    pid_t parent = getpid();
    child->deadline_ns = get_kill_ns(run->question->deadline_ns);
    if (pipe(ends) != 0)
        return report_fault("make a pipe", error);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    fflush(NULL);
    child->process = fork();
    if (child->process == 0)
        run_as_child(run, parent, ends[1]);
    int number = errno;
    close(ends[1]);
    child->pipe = ends[0];
    if (child->process > 0)
        return STATUS_OK;
    close(ends[0]);
    errno = number;
    return report_fault("start a process", error);
}

/* True when it may have more to say before it is to be killed. */
static bool wait_for_bytes(const struct child *child)
{
    static const uint64_t most_ns = UINT64_C(3600000000000);
    struct pollfd watched = {.fd = child->pipe, .events = POLLIN};
    for (;;) {
        uint64_t left_ns = clock_left_ns(child->deadline_ns);
        if (!left_ns)
            return false;
        if (poll(&watched, 1, (int)((left_ns < most_ns ? left_ns : most_ns) / 1000000) + 1) > 0)
            return true;
    }
}

static bool read_all(const struct child *child, void *bytes, size_t length)
{
    char *at = bytes;
    while (length && wait_for_bytes(child)) {
        ssize_t got = read(child->pipe, at, length);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        at += got > 0 ? got : 0;
        length -= got > 0 ? (size_t)got : 0;
    }
    return length == 0;
}

static bool read_answer(const struct child *child, const struct mip_question *question,
                        struct mip_answer *answer)
{
    struct mip_answer sent;
    if (!read_all(child, &sent, sizeof sent))
        return false;
    if (sent.found &&
        !read_all(child, answer->values, question->model->columns * sizeof *answer->values))
        return false;
    sent.values = answer->values;
    *answer = sent;
    return true;
}

/* Whatever it does now: everything that counts has been read, or it is too late. */
static void end_child(const struct child *child)
{
    kill(child->process, SIGKILL);
    close(child->pipe);
    while (waitpid(child->process, NULL, 0) < 0 && errno == EINTR)
        continue;
}

static enum status solve(const struct mip_question *question, struct mip_answer *answer,
                         struct error *error)
{
    struct cbc_library library;
    struct run run = {.library = &library, .question = question};
    struct child child;
    answer->missing = !cbc_library_load(&library);
    if (answer->missing)
        return STATUS_OK;
    TRY(start_child(&run, &child, error));
    if (!read_answer(&child, question, answer))
        answer->crashed = clock_left_ns(child.deadline_ns) > 0;
    end_child(&child);
    return STATUS_OK;
}

const struct mip_solver cbc_solver = {.solve = solve};
