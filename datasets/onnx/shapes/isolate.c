#include "datasets/onnx/shapes/isolate.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "datasets/onnx/shapes/module.h"

enum { MOST_SECONDS = 10, EXIT_UNREADABLE = 1 };

struct child {
    pid_t process;
    int output; /* what it writes */
};

static bool write_all(int file, const char *bytes, size_t length)
{
    while (length) {
        ssize_t written = write(file, bytes, length);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            bytes += written;
            length -= (size_t)written;
        }
    }
    return true;
}

/* Leaves by _exit: nothing of the parent is to be flushed or ended twice. Messages of sanitizers
   and libraries about a model that is wrong would only puzzle. */
static void run_child(const struct onnx_shapes *shapes, int output, const void *bytes,
                      size_t length)
{
    static const int deaths[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGXCPU, SIGTERM};
    const struct rlimit no_core = {0, 0}, seconds = {MOST_SECONDS + 1, MOST_SECONDS + 1};
    void *inferred;
    size_t inferred_length;
    int silence = open("/dev/null", O_WRONLY);
    if (silence >= 0)
        dup2(silence, STDERR_FILENO);
    for (size_t i = 0; i < sizeof deaths / sizeof *deaths; i++)
        signal(deaths[i], SIG_DFL);
    setrlimit(RLIMIT_CORE, &no_core);
    setrlimit(RLIMIT_CPU, &seconds);
    bool good = shapes->infer(bytes, length, &inferred, &inferred_length) &&
                write_all(output, inferred, inferred_length);
    _exit(good ? 0 : EXIT_UNREADABLE);
}

static enum status start_child(const struct onnx_shapes *shapes, const void *bytes, size_t length,
                               struct child *child, struct error *error)
{
    int ends[2];
    if (pipe(ends))
        return error_set(error, STATUS_INTERNAL, "no pipe: %s", strerror(errno));
    child->process = fork();
    if (child->process == 0) {
        close(ends[0]);
        run_child(shapes, ends[1], bytes, length);
    }
    close(ends[1]);
    child->output = ends[0];
    if (child->process > 0)
        return STATUS_OK;
    close(ends[0]);
    return error_set(error, STATUS_INTERNAL, "no process: %s", strerror(errno));
}

/* False when time is up. */
static bool read_output(int output, struct text *inferred)
{
    char bytes[65536];
    uint64_t end_ns = clock_deadline_ns(UINT64_C(1000000000) * MOST_SECONDS);
    for (;;) {
        struct pollfd wait = {.fd = output, .events = POLLIN};
        uint64_t left_ns = clock_left_ns(end_ns);
        if (!left_ns)
            return false;
        if (poll(&wait, 1, (int)(left_ns / 1000000) + 1) <= 0)
            continue;
        ssize_t got = read(output, bytes, sizeof bytes);
        if (got == 0)
            return true;
        if (got > 0)
            text_append_bytes(inferred, bytes, (size_t)got);
    }
}

static enum status end_child(const struct child *child, bool in_time, struct error *error)
{
    int result = 0;
    close(child->output);
    if (!in_time)
        kill(child->process, SIGKILL);
    while (waitpid(child->process, &result, 0) < 0 && errno == EINTR)
        continue;
    if (!in_time)
        return error_set(error, STATUS_BAD_INPUT,
                         "libonnx did not infer the shapes within %d seconds", MOST_SECONDS);
    if (WIFSIGNALED(result))
        return error_set(error, STATUS_BAD_INPUT, "libonnx died of signal %d on this model",
                         WTERMSIG(result));
    if (WEXITSTATUS(result))
        return error_set(error, STATUS_BAD_INPUT, "libonnx cannot read this model");
    return STATUS_OK;
}

enum status onnx_isolate_infer(const void *bytes, size_t length, struct text *inferred,
                               struct error *error)
{
    const struct onnx_shapes *shapes;
    struct child child = {0};
    TRY(onnx_module_load(&shapes, error));
    shapes->prepare();
    TRY(start_child(shapes, bytes, length, &child, error));
    bool in_time = read_output(child.output, inferred);
    TRY(end_child(&child, in_time, error));
    return text_check(inferred, error);
}
