#include "solvers/mip/mip.h"

/* The planner `glpk`: GLPK's branch and cut, in this process. */

#ifdef MEMPLAN_WITH_GLPK

#include <assert.h>
#include <glpk.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "solvers/mip/model/model.h"

struct call {
    const struct mip_question *question;
    struct mip_answer *answer;
    glp_prob *glpk;
    double *start; /* [1 + columns] to be handed to GLPK once, or NULL */
    struct error *error;
};

static int get_remaining_ms(const struct call *call)
{
    uint64_t remaining_ms = clock_left_ns(call->question->deadline_ns) / 1000000;
    return remaining_ms < INT_MAX ? (int)remaining_ms : INT_MAX;
}

/* GLPK counts columns and rows from 1. */
static void load_columns(struct call *call)
{
    assert(call->question->model->columns > 0);
    const struct mip_model *model = call->question->model;
    glp_add_cols(call->glpk, (int)model->columns);
    for (uint32_t c = 0; c < model->columns; c++) {
        double lower = model->column_lower[c], upper = model->column_upper[c];
        assert(lower <= upper);
        glp_set_col_bnds(call->glpk, (int)c + 1, lower < upper ? GLP_DB : GLP_FX, lower, upper);
        glp_set_col_kind(call->glpk, (int)c + 1, model->integer[c] ? GLP_IV : GLP_CV);
    }
    glp_set_obj_dir(call->glpk, GLP_MIN);
    glp_set_obj_coef(call->glpk, 1, 1);
}

static enum status load_rows(struct call *call)
{
    const struct mip_model *model = call->question->model;
    int *column;
    double *value;
    TRY(memory_create(&column, (size_t)model->columns + 1, sizeof *column, call->error));
    enum status status =
        memory_create(&value, (size_t)model->columns + 1, sizeof *value, call->error);
    glp_add_rows(call->glpk, (int)model->rows);
    for (uint32_t r = 0; r < model->rows && !status; r++) {
        int entries = 0;
        for (uint64_t i = model->row_first[r]; i < model->row_first[r + 1]; i++) {
            column[++entries] = (int)model->row_column[i] + 1;
            value[entries] = model->row_value[i];
        }
        assert(entries <= (int)model->columns);
        glp_set_row_bnds(call->glpk, (int)r + 1, GLP_LO, model->row_bound[r], 0);
        glp_set_mat_row(call->glpk, (int)r + 1, entries, column, value);
    }
    memory_free(column);
    if (!status)
        memory_free(value);
    return status;
}

/* GLPK does not take a start before its search: it is handed over on the way. */
static enum status copy_start(struct call *call)
{
    const struct mip_question *question = call->question;
    size_t columns = question->model->columns;
    if (!question->start)
        return STATUS_OK;
    TRY(memory_create(&call->start, columns + 1, sizeof *call->start, call->error));
    memcpy(call->start + 1, question->start, columns * sizeof *call->start);
    return STATUS_OK;
}

/* How much is settled by saying which window of the pair lies below the other: more the larger they
   are and the less the relaxation says it already. */
static double weigh_pair(const struct mip_pair *pair, double value)
{
    assert(pair->first_lower <= pair->first_upper && pair->second_lower <= pair->second_upper);
    uint64_t bytes =
        (pair->first_upper - pair->first_lower) + (pair->second_upper - pair->second_lower);
    return (double)bytes * fmin(value, 1 - value);
}

/* Branches on the pair of most weight; without a pair to branch upon GLPK chooses. */
static void choose_branch(const struct call *call, glp_tree *tree)
{
    const struct mip_model *model = call->question->model;
    double most = 0;
    int chosen = 0;
    for (uint32_t p = 0; p < model->pairs.count; p++) {
        int column = (int)(model->first_pair + p) + 1;
        if (!glp_ios_can_branch(tree, column))
            continue;
        assert(column <= (int)model->columns);
        double weight =
            weigh_pair(&model->pairs.pair[p], glp_get_col_prim(glp_ios_get_prob(tree), column));
        if (weight > most) {
            most = weight;
            chosen = column;
        }
    }
    if (chosen)
        glp_ios_branch_upon(tree, chosen, GLP_NO_BRNCH);
}

static void follow_search(glp_tree *tree, void *info)
{
    struct call *call = info;
    int node = glp_ios_best_node(tree);
    if (node && glp_ios_node_bound(tree, node) > call->answer->peak_bound)
        call->answer->peak_bound = glp_ios_node_bound(tree, node);
    if (glp_ios_reason(tree) == GLP_IHEUR && call->start) {
        glp_ios_heur_sol(tree, call->start);
        memory_free(call->start);
        call->start = NULL;
    }
    if (glp_ios_reason(tree) == GLP_IBRANCH)
        choose_branch(call, tree);
    int active, open, total;
    glp_ios_tree_size(tree, &active, &open, &total);
    call->answer->nodes = (uint64_t)total;
}

static void read_solution(struct call *call)
{
    assert(call->answer->values);
    int answer = glp_mip_status(call->glpk);
    call->answer->found = answer == GLP_OPT || answer == GLP_FEAS;
    for (uint32_t c = 0; call->answer->found && c < call->question->model->columns; c++)
        call->answer->values[c] = glp_mip_col_val(call->glpk, (int)c + 1);
}

static bool relax(struct call *call)
{
    glp_smcp parameters;
    glp_init_smcp(&parameters);
    parameters.msg_lev = GLP_MSG_OFF;
    parameters.tm_lim = get_remaining_ms(call);
    glp_scale_prob(call->glpk, GLP_SF_AUTO);
    glp_adv_basis(call->glpk, 0);
    int end = glp_simplex(call->glpk, &parameters);
    call->answer->infeasible = end == 0 && glp_get_status(call->glpk) == GLP_NOFEAS;
    return end == 0 && glp_get_status(call->glpk) == GLP_OPT;
}

static int branch(struct call *call)
{
    glp_iocp parameters;
    glp_init_iocp(&parameters);
    parameters.msg_lev = GLP_MSG_OFF;
    parameters.tm_lim = get_remaining_ms(call);
    parameters.tol_int = 1e-9;
    parameters.tol_obj = 1e-9;
    parameters.cb_func = follow_search;
    parameters.cb_info = call;
    return glp_intopt(call->glpk, &parameters);
}

static void search_tree(struct call *call)
{
    if (!relax(call))
        return;
    call->answer->peak_bound = glp_get_obj_val(call->glpk);
    int end = branch(call);
    read_solution(call);
    if (end == 0 && glp_mip_status(call->glpk) == GLP_NOFEAS)
        call->answer->infeasible = true;
    else if (end == 0 && glp_mip_status(call->glpk) == GLP_OPT)
        call->answer->peak_bound = glp_mip_obj_val(call->glpk);
}

/* Scaling and the first basis pass over all entries some twenty times and heed no limit. */
static bool has_time_to_begin(const struct call *call, uint64_t began_ns)
{
    uint64_t took_ns = clock_monotonic_ns() - began_ns;
    return took_ns < clock_left_ns(call->question->deadline_ns) / 20;
}

static enum status solve(const struct mip_question *question, struct mip_answer *answer,
                         struct error *error)
{
    struct call call = {.question = question, .answer = answer, .error = error};
    uint64_t began_ns = clock_monotonic_ns();
    glp_term_out(GLP_OFF);
    call.glpk = glp_create_prob();
    load_columns(&call);
    enum status status = load_rows(&call);
    if (!status)
        status = copy_start(&call);
    if (!status && has_time_to_begin(&call, began_ns))
        search_tree(&call);
    memory_free(call.start);
    glp_delete_prob(call.glpk);
    glp_free_env();
    return status;
}

static const char *name_version(void)
{
    return glp_version();
}

static const struct mip_solver solver = {.solve = solve};

#else

/* A build without GLPK. */
static const char *name_version(void)
{
    return "none";
}

static const struct mip_solver solver = {.solve = NULL};

#endif

const struct planner planner_glpk = {
    MIP_PLANNER,
    .name = "glpk",
    .title = "integer program with clique rows, solved by GLPK",
    .rule = &solver,
    .version = name_version,
};
