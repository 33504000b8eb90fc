#include "solvers/mip/backends/copied.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "core/clock.h"
#include "core/process/subprocess.h"

struct run {
    mip_solve_copied *solve;
    const void *library;
    const struct mip_question *question;
    struct mip_answer *answer;
};

/* Sends a struct mip_answer and then, where a solution was found, the values of the columns. */
static int run_copy(const void *context, int descriptor)
{
    enum { KIB = 1024 };
    const struct run *run = context;
    struct mip_answer *answer = run->answer;
    struct rusage usage;
    assert(answer->values && run->question->model->columns > 0);
    if (!run->solve(run->library, run->question, answer))
        return EXIT_FAILURE;
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        answer->bytes = (uint64_t)usage.ru_maxrss * KIB;
    size_t values_bytes = answer->found ? run->question->model->columns * sizeof(double) : 0;
    bool sent = subprocess_send(descriptor, answer, sizeof *answer) &&
                subprocess_send(descriptor, answer->values, values_bytes);
    return sent ? EXIT_SUCCESS : EXIT_FAILURE;
}

static bool read_answer(const struct text *bytes, const struct mip_question *question,
                        struct mip_answer *answer)
{
    assert(answer->values);
    size_t values_bytes = question->model->columns * sizeof *answer->values;
    struct mip_answer sent;
    if (bytes->length < sizeof sent)
        return false;
    memcpy(&sent, bytes->bytes, sizeof sent);
    if (sent.found && bytes->length < sizeof sent + values_bytes)
        return false;
    if (sent.found)
        memcpy(answer->values, bytes->bytes + sizeof sent, values_bytes);
    sent.values = answer->values;
    *answer = sent;
    return true;
}

enum status mip_solve_in_copy(mip_solve_copied *solve, const void *library,
                              const struct mip_question *question, struct mip_answer *answer,
                              struct error *error)
{
    assert(solve && library);
    const struct run run = {solve, library, question, answer};
    uint64_t left_ns = clock_left_ns(question->deadline_ns), second_ns = 1000000000;
    const struct subprocess_task task = {
        .function = run_copy,
        .context = &run,
        .output = SUBPROCESS_NOTHING,
        .errors = SUBPROCESS_NOTHING,
        .deadline_ns = left_ns == UINT64_MAX
                           ? UINT64_MAX
                           : clock_deadline_ns(left_ns + left_ns / 10 + second_ns)};
    struct subprocess_result result;
    TRY(subprocess_run(&task, &result, error));
    if (!read_answer(&result.answer, question, answer))
        answer->crashed = !result.out_of_time;
    text_free(&result.answer);
    return STATUS_OK;
}

void *mip_load_library(const char *const *names)
{
    assert(names && *names);
    void *library = NULL;
    for (; *names && !library; names++)
        library = dlopen(*names, RTLD_NOW);
    return library;
}

bool mip_load_function(void *library, const char *name, void *function)
{
    assert(name && function);
    void *found = library ? dlsym(library, name) : NULL;
    memcpy(function, &found, sizeof found);
    return found != NULL;
}
