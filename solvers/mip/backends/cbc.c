#include "solvers/mip/backends/solver.h"

/* CBC's branch and cut, which is not safe in a process with threads. */

#ifdef MEMPLAN_WITH_CBC

#include <assert.h>
#include <coin/Cbc_C_Interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "solvers/mip/backends/copied.h"

/* To use another function of its C interface: a row here. */
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
    bool keeps_model; /* it is to search the program as it is, without its preprocessing */
#define CBC_FIELD(name) __typeof__(Cbc_##name) *name;
    CBC_FUNCTIONS(CBC_FIELD)
#undef CBC_FIELD
};

static bool load_library(struct cbc_library *library)
{
    static const char *const names[] = {"libCbcSolver.so.3", "libCbcSolver.so", NULL};
    void *handle = mip_load_library(names);
    bool found = handle != NULL;
    library->keeps_model = false;
#define CBC_LOAD(name) found = found && mip_load_function(handle, "Cbc_" #name, &library->name);
    CBC_FUNCTIONS(CBC_LOAD)
#undef CBC_LOAD
    return found;
}

static void load_model(const struct cbc_library *library, const struct mip_model *model,
                       Cbc_Model *cbc)
{
    assert(model->columns > 0);
    for (uint32_t c = 0; c < model->columns; c++) {
        assert(model->column_lower[c] <= model->column_upper[c]);
        library->addCol(cbc, "", model->column_lower[c], model->column_upper[c], c == 0,
                        (char)model->integer[c], 0, NULL, NULL);
    }
    for (uint32_t r = 0; r < model->rows; r++) {
        uint64_t first = model->row_first[r];
        assert(first < model->row_first[r + 1]);
        library->addRow(cbc, "", (int)(model->row_first[r + 1] - first),
                        (const int *)&model->row_column[first], &model->row_value[first],
                        model->row_equal[r] ? 'E' : 'G', model->row_bound[r]);
    }
    library->setObjSense(cbc, 1);
}

static bool solve_copied(const void *functions, const struct mip_question *question,
                         struct mip_answer *answer)
{
    enum { MILLISECOND_NS = 1000000 };
    const struct cbc_library *library = functions;
    const struct mip_model *model = question->model;
    uint64_t left_ns = clock_left_ns(question->deadline_ns);
    char seconds[32];
    assert(answer->values);
    Cbc_Model *cbc = library->newModel();
    load_model(library, model, cbc);
    snprintf(seconds, sizeof seconds, "%.3f", (double)left_ns / 1e9);
    library->setLogLevel(cbc, 0);
    library->setParameter(cbc, "timeMode", "elapsed");
    if (left_ns != UINT64_MAX)
        library->setParameter(cbc, "seconds", seconds);
    library->setParameter(cbc, "ratioGap", "0");
    library->setParameter(cbc, "allowableGap", "0");
    if (library->keeps_model)
        library->setParameter(cbc, "preprocess", "off");
    if (question->cuts != MIP_CUTS_AS_USUAL)
        library->setParameter(cbc, "cuts", question->cuts == MIP_CUTS_ALL ? "on" : "off");
    if (question->start) {
        int *index = malloc(model->columns * sizeof *index);
        if (!index)
            return false;
        for (uint32_t c = 0; c < model->columns; c++)
            index[c] = (int)c;
        library->setMIPStartI(cbc, (int)model->columns, index, question->start);
    }
    library->solve(cbc);
    /* CBC, which is told its time in milliseconds, may call infeasible what it had no time to
       search. */
    bool had_time = clock_left_ns(question->deadline_ns) > MILLISECOND_NS;
    const double *values = library->bestSolution(cbc);
    answer->found = values != NULL;
    answer->infeasible = library->isProvenInfeasible(cbc) && had_time;
    answer->peak_bound = library->getBestPossibleObjValue(cbc);
    answer->nodes = (uint64_t)library->getNodeCount(cbc);
    if (values)
        memcpy(answer->values, values, model->columns * sizeof *values);
    return true;
}

/* Of a few preprocessed programs CBC 2.10.8 breaks an assertion of its own (of
   OsiClpSolverInterface::crunch, in its heuristics), which ends its process. It solves them without
   that. */
static enum status solve(const struct mip_question *question, struct mip_answer *answer,
                         struct error *error)
{
    struct cbc_library library;
    answer->missing = !load_library(&library);
    if (answer->missing)
        return STATUS_OK;
    TRY(mip_solve_in_copy(solve_copied, &library, question, answer, error));
    if (!answer->crashed || !clock_left_ns(question->deadline_ns))
        return STATUS_OK;
    answer->crashed = false;
    library.keeps_model = true;
    return mip_solve_in_copy(solve_copied, &library, question, answer, error);
}

static const char *name_version(void)
{
    struct cbc_library library;
    return load_library(&library) ? library.getVersion() : "none";
}

const struct mip_solver mip_solver_cbc = {
    .name = "cbc", .title = "CBC", .solve = solve, .version = name_version};

#else

const struct mip_solver mip_solver_cbc = MIP_SOLVER_MISSING("cbc", "CBC");

#endif
