#include "solvers/mip/backends/solver.h"

/* lp_solve's branch and bound. It has no cuts, and tells no bound before its end. */

#ifdef MEMPLAN_WITH_LP_SOLVE

#include <assert.h>
#include <lpsolve/lp_lib.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/clock.h"
#include "solvers/mip/backends/copied.h"

/* To use another function: a row here. */
#define LP_SOLVE_FUNCTIONS(FUNCTION)                                                               \
    FUNCTION(lp_solve_version)                                                                     \
    FUNCTION(make_lp)                                                                              \
    FUNCTION(set_verbose)                                                                          \
    FUNCTION(set_add_rowmode)                                                                      \
    FUNCTION(add_constraintex)                                                                     \
    FUNCTION(set_obj)                                                                              \
    FUNCTION(set_bounds)                                                                           \
    FUNCTION(set_int)                                                                              \
    FUNCTION(set_mip_gap)                                                                          \
    FUNCTION(set_bb_depthlimit)                                                                    \
    FUNCTION(set_timeout)                                                                          \
    FUNCTION(solve)                                                                                \
    FUNCTION(get_variables)                                                                        \
    FUNCTION(get_objective)                                                                        \
    FUNCTION(get_total_nodes)

struct lp_solve_library {
#define LP_SOLVE_FIELD(name) __typeof__(name) *name;
    LP_SOLVE_FUNCTIONS(LP_SOLVE_FIELD)
#undef LP_SOLVE_FIELD
};

static bool load_library(struct lp_solve_library *library)
{
    static const char *const names[] = {"liblpsolve55.so", MEMPLAN_WITH_LP_SOLVE, NULL};
    void *handle = mip_load_library(names);
    bool found = handle != NULL;
#define LP_SOLVE_LOAD(name) found = found && mip_load_function(handle, #name, &library->name);
    LP_SOLVE_FUNCTIONS(LP_SOLVE_LOAD)
#undef LP_SOLVE_LOAD
    return found;
}

/* lp_solve counts columns and rows from 1. */
static bool load_model(const struct lp_solve_library *library, const struct mip_model *model,
                       lprec *lp)
{
    assert(model->columns > 0);
    int *column = malloc(model->columns * sizeof *column);
    if (!column)
        return false;
    bool is_loaded = true;
    library->set_add_rowmode(lp, TRUE);
    library->set_obj(lp, 1, 1);
    for (uint32_t r = 0; r < model->rows && is_loaded; r++) {
        uint64_t first = model->row_first[r];
        int entries = (int)(model->row_first[r + 1] - first);
        assert(entries > 0);
        for (int i = 0; i < entries; i++)
            column[i] = (int)model->row_column[first + (uint64_t)i] + 1;
        is_loaded = library->add_constraintex(lp, entries, &model->row_value[first], column,
                                              model->row_equal[r] ? EQ : GE, model->row_bound[r]);
    }
    free(column);
    library->set_add_rowmode(lp, FALSE);
    for (uint32_t c = 0; c < model->columns; c++) {
        library->set_bounds(lp, (int)c + 1, model->column_lower[c], model->column_upper[c]);
        library->set_int(lp, (int)c + 1, model->integer[c]);
    }
    return is_loaded;
}

static bool solve_copied(const void *functions, const struct mip_question *question,
                         struct mip_answer *answer)
{
    enum { SECOND_NS = 1000000000 };
    const struct lp_solve_library *library = functions;
    uint64_t left_ns = clock_left_ns(question->deadline_ns);
    assert(question->model->columns > 0 && answer->values);
    lprec *lp = library->make_lp(0, (int)question->model->columns);
    if (!lp || !load_model(library, question->model, lp))
        return false;
    library->set_verbose(lp, NEUTRAL);
    library->set_mip_gap(lp, TRUE, 0);
    library->set_mip_gap(lp, FALSE, 0);
    library->set_bb_depthlimit(lp, 0);
    /* Whole seconds, of which 0 is no limit. */
    if (left_ns != UINT64_MAX)
        library->set_timeout(lp, (long)(left_ns / SECOND_NS) + 1);
    int end = library->solve(lp);
    answer->infeasible = end == INFEASIBLE;
    answer->found =
        (end == OPTIMAL || end == SUBOPTIMAL) && library->get_variables(lp, answer->values);
    assert(!(answer->found && answer->infeasible));
    if (end == OPTIMAL)
        answer->peak_bound = library->get_objective(lp);
    answer->nodes = (uint64_t)library->get_total_nodes(lp);
    return true;
}

static enum status ask_lp_solve(const struct mip_question *question, struct mip_answer *answer,
                                struct error *error)
{
    struct lp_solve_library library;
    answer->missing = !load_library(&library);
    return answer->missing ? STATUS_OK
                           : mip_solve_in_copy(solve_copied, &library, question, answer, error);
}

static const char *name_version(void)
{
    static _Thread_local char version[64];
    struct lp_solve_library library;
    int major, minor, release, build;
    if (!load_library(&library))
        return "none";
    library.lp_solve_version(&major, &minor, &release, &build);
    snprintf(version, sizeof version, "%d.%d.%d.%d", major, minor, release, build);
    return version;
}

const struct mip_solver mip_solver_lp_solve = {
    .name = "lp_solve", .title = "lp_solve", .solve = ask_lp_solve, .version = name_version};

#else

const struct mip_solver mip_solver_lp_solve = MIP_SOLVER_MISSING("lp_solve", "lp_solve");

#endif
