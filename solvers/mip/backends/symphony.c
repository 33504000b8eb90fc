#include "solvers/mip/backends/solver.h"

/* SYMPHONY's branch and cut. Its library exports C++ names, though its header is one for C. It gets
   no start: told the value of one, it ends without a solution where there is none below. */

#ifdef MEMPLAN_WITH_SYMPHONY

#include <assert.h>
#include <coin/symphony.h>
#include <stdlib.h>

#include "core/clock.h"
#include "solvers/mip/backends/copied.h"

/* To use another function: a row here, with the types of its parameters as C++ writes them. */
#define SYMPHONY_FUNCTIONS(FUNCTION)                                                               \
    FUNCTION(sym_open_environment, "20sym_open_environmentv")                                      \
    FUNCTION(sym_explicit_load_problem,                                                            \
             "25sym_explicit_load_problemP15SYM_ENVIRONMENTiiPiS1_PdS2_S2_PcS2_S2_S3_S2_S2_c")     \
    FUNCTION(sym_set_int_param, "17sym_set_int_paramP15SYM_ENVIRONMENTPKci")                       \
    FUNCTION(sym_set_dbl_param, "17sym_set_dbl_paramP15SYM_ENVIRONMENTPKcd")                       \
    FUNCTION(sym_solve, "9sym_solveP15SYM_ENVIRONMENT")                                            \
    FUNCTION(sym_get_status, "14sym_get_statusP15SYM_ENVIRONMENT")                                 \
    FUNCTION(sym_get_col_solution, "20sym_get_col_solutionP15SYM_ENVIRONMENTPd")                   \
    FUNCTION(sym_get_obj_val, "15sym_get_obj_valP15SYM_ENVIRONMENTPd")                             \
    FUNCTION(sym_get_iteration_count, "23sym_get_iteration_countP15SYM_ENVIRONMENTPi")

struct symphony_library {
#define SYMPHONY_FIELD(name, mangled) __typeof__(name) *name;
    SYMPHONY_FUNCTIONS(SYMPHONY_FIELD)
#undef SYMPHONY_FIELD
};

static bool load_library(struct symphony_library *library)
{
    static const char *const names[] = {"libSym.so.3", "libSym.so", NULL};
    void *handle = mip_load_library(names);
    bool found = handle != NULL;
#define SYMPHONY_LOAD(name, mangled)                                                               \
    found = found && mip_load_function(handle, "_Z" mangled, &library->name);
    SYMPHONY_FUNCTIONS(SYMPHONY_LOAD)
#undef SYMPHONY_LOAD
    return found;
}

/* Where the columns of the model begin among its entries sorted by columns, as int, which SYMPHONY
   wants; and the rows, values and kinds. NULL pointers where there is no memory: all of it goes
   with the copy. */
struct symphony_model {
    int *start, *row;
    double *value, *objective, *bound;
    char *integer, *sense;
};

static bool fill_model(const struct mip_model *model, struct symphony_model *by_column)
{
    size_t columns = model->columns, rows = (size_t)model->rows + 1;
    size_t entries = model->row_first[model->rows] + 1;
    *by_column = (struct symphony_model){.start = calloc(columns + 2, sizeof(int)),
                                         .row = calloc(entries, sizeof(int)),
                                         .value = calloc(entries, sizeof(double)),
                                         .objective = calloc(columns, sizeof(double)),
                                         .bound = calloc(rows, sizeof(double)),
                                         .integer = calloc(columns, 1),
                                         .sense = calloc(rows, 1)};
    if (!by_column->start || !by_column->row || !by_column->value || !by_column->objective ||
        !by_column->bound || !by_column->integer || !by_column->sense)
        return false;
    assert(model->row_first[model->rows] <= INT32_MAX);
    for (uint64_t i = 0; i < model->row_first[model->rows]; i++)
        by_column->start[model->row_column[i] + 2]++;
    for (uint32_t c = 0; c < model->columns; c++) {
        by_column->start[c + 1] += by_column->start[c];
        by_column->integer[c] = model->integer[c];
    }
    /* start[c + 1] is where the next entry of column c goes, and ends as where column c + 1
       begins. */
    for (uint32_t r = 0; r < model->rows; r++) {
        by_column->bound[r] = model->row_bound[r];
        by_column->sense[r] = model->row_equal[r] ? 'E' : 'G';
        for (uint64_t i = model->row_first[r]; i < model->row_first[r + 1]; i++) {
            assert(model->row_column[i] < model->columns);
            int place = by_column->start[model->row_column[i] + 1]++;
            by_column->row[place] = (int)r;
            by_column->value[place] = model->row_value[i];
        }
    }
    assert((uint64_t)by_column->start[columns] == model->row_first[model->rows]);
    by_column->objective[0] = 1;
    return true;
}

/* SYMPHONY divides by the mean of the entries of a column in whole numbers, which must not be 0.
   This row, which all values within the bounds keep, has an entry for each. */
static void add_row_of_all(struct mip_model *model)
{
    double least = 0;
    assert(model->columns > 0);
    for (uint32_t c = 0; c < model->columns; c++) {
        mip_add_entry(model, c, 1);
        least += model->column_lower[c];
    }
    mip_close_row(model, least);
}

static bool solve_copied(const void *functions, const struct mip_question *question,
                         struct mip_answer *answer)
{
    const struct symphony_library *library = functions;
    struct mip_model *model = question->model; /* of this copy of the process */
    uint64_t left_ns = clock_left_ns(question->deadline_ns);
    sym_environment *symphony = library->sym_open_environment();
    struct symphony_model by_column;
    assert(model->columns > 0 && answer->values);
    if (model->row_first[model->rows] < model->columns)
        add_row_of_all(model);
    if (!symphony || model->error.status || !fill_model(model, &by_column))
        return false;
    library->sym_set_int_param(symphony, "verbosity", -2);
    library->sym_set_int_param(symphony, "prep_level", 0); /* it loses what it solves alone */
    if (left_ns != UINT64_MAX)
        library->sym_set_dbl_param(symphony, "time_limit", (double)left_ns / 1e9);
    if (question->cuts != MIP_CUTS_AS_USUAL)
        library->sym_set_int_param(symphony, "generate_cgl_cuts", question->cuts == MIP_CUTS_ALL);
    library->sym_explicit_load_problem(
        symphony, (int)model->columns, (int)model->rows, by_column.start, by_column.row,
        by_column.value, model->column_lower, model->column_upper, by_column.integer,
        by_column.objective, NULL, by_column.sense, by_column.bound, NULL, 1);
    library->sym_solve(symphony);
    int end = library->sym_get_status(symphony), nodes = 0;
    double objective = 0;
    bool is_optimal = end == TM_OPTIMAL_SOLUTION_FOUND || end == PREP_OPTIMAL_SOLUTION_FOUND;
    answer->infeasible = end == TM_NO_SOLUTION || end == PREP_NO_SOLUTION;
    answer->found =
        !answer->infeasible && library->sym_get_col_solution(symphony, answer->values) == 0;
    if (is_optimal && answer->found && library->sym_get_obj_val(symphony, &objective) == 0)
        answer->peak_bound = objective;
    if (library->sym_get_iteration_count(symphony, &nodes) == 0)
        answer->nodes = (uint64_t)nodes;
    return true;
}

static enum status solve(const struct mip_question *question, struct mip_answer *answer,
                         struct error *error)
{
    struct symphony_library library;
    answer->missing = !load_library(&library);
    return answer->missing ? STATUS_OK
                           : mip_solve_in_copy(solve_copied, &library, question, answer, error);
}

/* The library does not tell its version but on standard output. */
static const char *name_version(void)
{
    struct symphony_library library;
    return load_library(&library) ? "5" : "none";
}

const struct mip_solver mip_solver_symphony = {
    .name = "symphony", .title = "SYMPHONY", .solve = solve, .version = name_version};

#else

const struct mip_solver mip_solver_symphony = MIP_SOLVER_MISSING("symphony", "SYMPHONY");

#endif
