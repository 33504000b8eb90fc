#include "datasets/onnx/shapes/isolate.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "core/clock.h"
#include "core/process/subprocess.h"
#include "datasets/onnx/shapes/shapes.h"

enum { MOST_SECONDS = 10 };

struct model_bytes {
    const struct onnx_shapes *shapes;
    const void *bytes;
    size_t length;
};

/* In a copy of this process. Signals end it here too where somebody else (a sanitizer, a fuzzer)
   reports them otherwise. */
static int infer(const void *context, int answer)
{
    static const int deaths[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGXCPU, SIGTERM};
    const struct rlimit no_core = {0, 0};
    const struct model_bytes *model = context;
    void *inferred;
    size_t inferred_length;
    for (size_t i = 0; i < sizeof deaths / sizeof *deaths; i++)
        signal(deaths[i], SIG_DFL);
    setrlimit(RLIMIT_CORE, &no_core);
    bool good = model->shapes->infer(model->bytes, model->length, &inferred, &inferred_length) &&
                subprocess_send(answer, inferred, inferred_length);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

enum status onnx_isolate_infer(const void *bytes, size_t length, struct text *inferred,
                               struct error *error)
{
    struct model_bytes model = {.bytes = bytes, .length = length};
    /* Messages of sanitizers and libraries about a model that is wrong would only puzzle. */
    struct subprocess_task task = {.function = infer,
                                   .context = &model,
                                   .output = SUBPROCESS_NOTHING,
                                   .errors = SUBPROCESS_NOTHING,
                                   .cpu_limit_s = MOST_SECONDS + 1};
    struct subprocess_result result;
    /* The module of shapes.h is loaded once for the process; it is looked for beside the program
       and where it is installed in relation to it (cmake/MemplanOnnx.cmake). */
    void *handle = dlopen(MEMPLAN_ONNX_MODULE, RTLD_NOW | RTLD_LOCAL);
    model.shapes = handle ? dlsym(handle, "onnx_shapes") : NULL;
    if (!model.shapes) {
        const char *text = dlerror();
        return error_set(error, STATUS_INTERNAL,
                         "cannot load the reader of ONNX models, expected where memplan was built "
                         "or installed: %s",
                         text ? text : "for an unknown reason");
    }
    model.shapes->prepare();
    task.deadline_ns = clock_deadline_ns(UINT64_C(1000000000) * MOST_SECONDS);
    TRY(subprocess_run(&task, &result, error));
    if (!result.out_of_time && !result.signal && !result.exit_code) {
        *inferred = result.answer;
        return STATUS_OK;
    }
    text_free(&result.answer);
    if (result.out_of_time)
        return error_set(error, STATUS_BAD_INPUT,
                         "libonnx did not infer the shapes within %d seconds", MOST_SECONDS);
    if (result.signal)
        return error_set(error, STATUS_BAD_INPUT, "libonnx died of signal %d on this model",
                         result.signal);
    return error_set(error, STATUS_BAD_INPUT, "libonnx cannot read this model");
}
