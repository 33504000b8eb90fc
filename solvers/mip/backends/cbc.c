#include "solvers/mip/mip.h"

/* The planner `cbc`: CBC's branch and cut. CBC is not safe in a process with threads, so it runs in
   a copy of this one, which is killed where it does not stop by itself within 1 s and a tenth after
   the limit: what it had found is lost then. */

#ifdef MEMPLAN_WITH_CBC

#include <assert.h>
#include <coin/Cbc_C_Interface.h>
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/process/subprocess.h"

/* CBC's library, loaded when it is needed: linked, it would make every start of the program take
   10 ms longer. To use another function of its C interface: a row here. */
#define CBC_FUNCTIONS(FUNCTION)                                                                    \
    FUNCTION(getVersion)                                                                           \
    FUNCTION(newModel)                                                                             \
    FUNCTION(addCol)                                                                               \
    FUNCTION(addRow)                                                                               \
    FUNCTION(setObjSense)                                                                          \
    FUNCTION(setLogLevel)                                                                          \
    FUNCTION(setParameter)                                                                         \
    FUNCTION(setMIPStartI)                                                                         \
    FUNCTION(solve)                                                                                \
    FUNCTION(bestSolution)                                                                         \
    FUNCTION(isProvenInfeasible)                                                                   \
    FUNCTION(getNodeCount)                                                                         \
    FUNCTION(getBestPossibleObjValue)

struct cbc_library {
#define CBC_FIELD(name) __typeof__(Cbc_##name) *name;
    CBC_FUNCTIONS(CBC_FIELD)
#undef CBC_FIELD
};

/* ISO C has no conversion from the pointers that dlsym gives to those of functions. */
static bool find_function(void *handle, const char *name, void *function)
{
    void *found = dlsym(handle, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

/* False where it is not installed. It stays loaded. */
static bool load_library(struct cbc_library *library)
{
    void *handle = dlopen("libCbcSolver.so.3", RTLD_NOW);
    if (!handle)
        handle = dlopen("libCbcSolver.so", RTLD_NOW);
    bool found = handle != NULL;
#define CBC_LOAD(name) found = found && find_function(handle, "Cbc_" #name, &library->name);
    CBC_FUNCTIONS(CBC_LOAD)
#undef CBC_LOAD
    return found;
}

/* From here to run_cbc all is done in the copy, whose memory goes when it ends. It answers with a
   struct mip_answer and then, where a solution was found, the values of the columns. */
struct run {
    const struct cbc_library *library;
    const struct mip_question *question;
};

static void load_model(const struct cbc_library *library, const struct mip_model *model,
                       Cbc_Model *cbc)
{
    assert(model->columns > 0);
    for (uint32_t c = 0; c < model->columns; c++)
        library->addCol(cbc, "", model->column_lower[c], model->column_upper[c], c == 0,
                        (char)model->integer[c], 0, NULL, NULL);
    for (uint32_t r = 0; r < model->rows; r++) {
        uint64_t first = model->row_first[r];
        assert(first < model->row_first[r + 1]);
        library->addRow(cbc, "", (int)(model->row_first[r + 1] - first),
                        (const int *)&model->row_column[first], &model->row_value[first], 'G',
                        model->row_bound[r]);
    }
    library->setObjSense(cbc, 1);
}

static int run_cbc(const void *context, int descriptor)
{
    enum { MILLISECOND_NS = 1000000 };
    const struct run *run = context;
    const struct cbc_library *library = run->library;
    const struct mip_question *question = run->question;
    uint32_t columns = question->model->columns;
    uint64_t left_ns = clock_left_ns(question->deadline_ns);
    char seconds[32];
    Cbc_Model *cbc = library->newModel();
    load_model(library, question->model, cbc);
    snprintf(seconds, sizeof seconds, "%.3f", (double)left_ns / 1e9);
    library->setLogLevel(cbc, 0);
    library->setParameter(cbc, "timeMode", "elapsed");
    if (left_ns != UINT64_MAX)
        library->setParameter(cbc, "seconds", seconds);
    library->setParameter(cbc, "ratioGap", "0");
    library->setParameter(cbc, "allowableGap", "0");
    if (question->start) {
        int *index = malloc(columns * sizeof *index);
        if (!index)
            return EXIT_FAILURE;
        for (uint32_t c = 0; c < columns; c++)
            index[c] = (int)c;
        library->setMIPStartI(cbc, (int)columns, index, question->start);
    }
    library->solve(cbc);
    /* CBC, which is told its time in milliseconds, may call infeasible what it had no time to
       search. */
    bool had_time = clock_left_ns(question->deadline_ns) > MILLISECOND_NS;
    const double *values = library->bestSolution(cbc);
    const struct mip_answer answer = {.found = values != NULL,
                                      .infeasible = library->isProvenInfeasible(cbc) && had_time,
                                      .peak_bound = library->getBestPossibleObjValue(cbc),
                                      .nodes = (uint64_t)library->getNodeCount(cbc)};
    bool sent = subprocess_send(descriptor, &answer, sizeof answer) &&
                (!values || subprocess_send(descriptor, values, columns * sizeof *values));
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

/* The output is thrown away, since CBC prints whatever its log level. */
static enum status solve(const struct mip_question *question, struct mip_answer *answer,
                         struct error *error)
{
    struct cbc_library library;
    const struct run run = {&library, question};
    uint64_t left_ns = clock_left_ns(question->deadline_ns), second_ns = 1000000000;
    const struct subprocess_task task = {
        .function = run_cbc,
        .context = &run,
        .output = SUBPROCESS_NOTHING,
        .errors = SUBPROCESS_NOTHING,
        .deadline_ns = left_ns == UINT64_MAX
                           ? UINT64_MAX
                           : clock_deadline_ns(left_ns + left_ns / 10 + second_ns)};
    struct subprocess_result result;
    answer->missing = !load_library(&library);
    if (answer->missing)
        return STATUS_OK;
    TRY(subprocess_run(&task, &result, error));
    if (!read_answer(&result.answer, question, answer))
        answer->crashed = !result.out_of_time;
    text_free(&result.answer);
    return STATUS_OK;
}

static const char *name_version(void)
{
    struct cbc_library library;
    return load_library(&library) ? library.getVersion() : "none";
}

static const struct mip_solver solver = {.solve = solve};

#else

/* A build without CBC. */
static const char *name_version(void)
{
    return "none";
}

static const struct mip_solver solver = {.solve = NULL};

#endif

const struct planner planner_cbc = {
    MIP_PLANNER,     .name = "cbc",           .title = "the same integer program, solved by CBC",
    .rule = &solver, .version = name_version,
};
