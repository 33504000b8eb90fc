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
};

static int get_remaining_ms(const struct call *call)
{
    uint64_t remaining_ms = clock_left_ns(call->question->deadline_ns) / 1000000;
    return remaining_ms < INT_MAX ? (int)remaining_ms : INT_MAX;
}

/* GLPK counts columns and rows from 1. */
static enum status load_model(struct call *call, struct error *error)
{
    const struct mip_model *model = call->question->model;
    SCOPED(memory_release) int *column = NULL;
    SCOPED(memory_release) double *value = NULL;
    assert(model->columns > 0);
    glp_add_cols(call->glpk, (int)model->columns);
    for (uint32_t c = 0; c < model->columns; c++) {
        double lower = model->column_lower[c], upper = model->column_upper[c];
        assert(lower <= upper);
        glp_set_col_bnds(call->glpk, (int)c + 1, lower < upper ? GLP_DB : GLP_FX, lower, upper);
        glp_set_col_kind(call->glpk, (int)c + 1, model->integer[c] ? GLP_IV : GLP_CV);
    }
    glp_set_obj_dir(call->glpk, GLP_MIN);
    glp_set_obj_coef(call->glpk, 1, 1);
    TRY(memory_create(&column, (size_t)model->columns + 1, sizeof *column, error));
    TRY(memory_create(&value, (size_t)model->columns + 1, sizeof *value, error));
    glp_add_rows(call->glpk, (int)model->rows);
    for (uint32_t r = 0; r < model->rows; r++) {
        int entries = 0;
        for (uint64_t i = model->row_first[r]; i < model->row_first[r + 1]; i++) {
            column[++entries] = (int)model->row_column[i] + 1;
            value[entries] = model->row_value[i];
        }
        assert(entries <= (int)model->columns);
        glp_set_row_bnds(call->glpk, (int)r + 1, GLP_LO, model->row_bound[r], 0);
        glp_set_mat_row(call->glpk, (int)r + 1, entries, column, value);
    }
    return STATUS_OK;
}

/* Branches on the pair of windows of which it settles most to say which lies below the other: more
   the larger they are and the less the relaxation says it already. Without a pair to branch upon
   GLPK chooses. */
static void choose_branch(const struct call *call, glp_tree *tree)
{
    const struct mip_model *model = call->question->model;
    double most = 0;
    int chosen = 0;
    for (uint32_t p = 0; p < model->pairs.count; p++) {
        const struct mip_pair *pair = &model->pairs.pair[p];
        int column = (int)(model->first_pair + p) + 1;
        if (!glp_ios_can_branch(tree, column))
            continue;
        assert(column <= (int)model->columns);
        double value = glp_get_col_prim(glp_ios_get_prob(tree), column);
        uint64_t bytes =
            (pair->first_upper - pair->first_lower) + (pair->second_upper - pair->second_lower);
        double weight = (double)bytes * fmin(value, 1 - value);
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

static void search_tree(struct call *call)
{
    struct mip_answer *answer = call->answer;
    glp_smcp relaxed;
    glp_init_smcp(&relaxed);
    relaxed.msg_lev = GLP_MSG_OFF;
    relaxed.tm_lim = get_remaining_ms(call);
    glp_scale_prob(call->glpk, GLP_SF_AUTO);
    glp_adv_basis(call->glpk, 0);
    int end = glp_simplex(call->glpk, &relaxed);
    answer->infeasible = end == 0 && glp_get_status(call->glpk) == GLP_NOFEAS;
    if (end != 0 || glp_get_status(call->glpk) != GLP_OPT)
        return;
    answer->peak_bound = glp_get_obj_val(call->glpk);
    glp_iocp whole;
    glp_init_iocp(&whole);
    whole.msg_lev = GLP_MSG_OFF;
    whole.tm_lim = get_remaining_ms(call);
    whole.tol_int = 1e-9;
    whole.tol_obj = 1e-9;
    whole.cb_func = follow_search;
    whole.cb_info = call;
    end = glp_intopt(call->glpk, &whole);
    int found = glp_mip_status(call->glpk);
    answer->found = found == GLP_OPT || found == GLP_FEAS;
    for (uint32_t c = 0; answer->found && c < call->question->model->columns; c++)
        answer->values[c] = glp_mip_col_val(call->glpk, (int)c + 1);
    if (end == 0 && found == GLP_NOFEAS)
        answer->infeasible = true;
    else if (end == 0 && found == GLP_OPT)
        answer->peak_bound = glp_mip_obj_val(call->glpk);
}

static void end_call(struct call *call)
{
    memory_free(call->start);
    glp_delete_prob(call->glpk);
    glp_free_env();
}

static enum status solve(const struct mip_question *question, struct mip_answer *answer,
                         struct error *error)
{
    uint64_t began_ns = clock_monotonic_ns();
    size_t columns = question->model->columns;
    glp_term_out(GLP_OFF);
    SCOPED(end_call)
    struct call call = {.question = question, .answer = answer, .glpk = glp_create_prob()};
    TRY(load_model(&call, error));
    if (question->start) { /* GLPK takes none before its search: it is handed over on the way */
        TRY(memory_create(&call.start, columns + 1, sizeof *call.start, error));
        memcpy(call.start + 1, question->start, columns * sizeof *call.start);
    }
    /* Scaling and the first basis pass over all entries some twenty times and heed no limit. */
    uint64_t took_ns = clock_monotonic_ns() - began_ns;
    if (took_ns < clock_left_ns(question->deadline_ns) / 20)
        search_tree(&call);
    return STATUS_OK;
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
