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

static void *open_library(void)
{
    void *handle = dlopen("libCbcSolver.so.3", RTLD_NOW);
    return handle ? handle : dlopen("libCbcSolver.so", RTLD_NOW);
}

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
    void *handle = open_library();
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
    Cbc_Model *cbc;
};

static void load_model(struct run *run)
{
    assert(run->question->model->columns > 0);
    const struct mip_model *model = run->question->model;
    for (uint32_t c = 0; c < model->columns; c++)
        run->library->addCol(run->cbc, "", model->column_lower[c], model->column_upper[c], c == 0,
                             (char)model->integer[c], 0, NULL, NULL);
    for (uint32_t r = 0; r < model->rows; r++) {
        uint64_t first = model->row_first[r];
        assert(first < model->row_first[r + 1]);
        run->library->addRow(run->cbc, "", (int)(model->row_first[r + 1] - first),
                             (const int *)&model->row_column[first], &model->row_value[first], 'G',
                             model->row_bound[r]);
    }
    run->library->setObjSense(run->cbc, 1);
}

static void set_parameters(struct run *run)
{
    assert(run->cbc);
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
    assert(run->question->start);
    int columns = (int)run->question->model->columns;
    int *index = malloc((size_t)columns * sizeof *index);
    for (int c = 0; index && c < columns; c++)
        index[c] = c;
    if (index)
        run->library->setMIPStartI(run->cbc, columns, index, run->question->start);
    return index != NULL;
}

/* True where CBC was not short of time: else it may call infeasible what it had no time to search.
   It is told its time in milliseconds. */
static bool had_time(const struct run *run)
{
    enum { MILLISECOND_NS = 1000000 };
    return clock_left_ns(run->question->deadline_ns) > MILLISECOND_NS;
}

static bool send_answer(const struct run *run, int descriptor)
{
    const struct cbc_library *library = run->library;
    const double *values = library->bestSolution(run->cbc);
    const struct mip_answer answer = {.found = values != NULL,
                                      .infeasible =
                                          library->isProvenInfeasible(run->cbc) && had_time(run),
                                      .peak_bound = library->getBestPossibleObjValue(run->cbc),
                                      .nodes = (uint64_t)library->getNodeCount(run->cbc)};
    return subprocess_send(descriptor, &answer, sizeof answer) &&
           (!values ||
            subprocess_send(descriptor, values, run->question->model->columns * sizeof *values));
}

static int run_cbc(const void *context, int descriptor)
{
    struct run run = *(const struct run *)context;
    run.cbc = run.library->newModel();
    load_model(&run);
    set_parameters(&run);
    if (run.question->start && !give_start(&run))
        return EXIT_FAILURE;
    run.library->solve(run.cbc);
    return send_answer(&run, descriptor) ? EXIT_SUCCESS : EXIT_FAILURE;
}

static uint64_t get_kill_ns(uint64_t deadline_ns)
{
    uint64_t left_ns = clock_left_ns(deadline_ns);
    return left_ns == UINT64_MAX ? UINT64_MAX
                                 : clock_deadline_ns(left_ns + left_ns / 10 + UINT64_C(1000000000));
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
    const struct run run = {.library = &library, .question = question};
    const struct subprocess_task task = {.function = run_cbc,
                                         .context = &run,
                                         .output = SUBPROCESS_NOTHING,
                                         .errors = SUBPROCESS_NOTHING,
                                         .deadline_ns = get_kill_ns(question->deadline_ns)};
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
