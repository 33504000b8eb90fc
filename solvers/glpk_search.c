#include "solvers/glpk_search.h"

#include <glpk.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/bound.h"
#include "planning/verify.h"
#include "solvers/mip_model.h"

/* How far a bound that GLPK computes in floating point may be off, in scaled bytes. */
static const double bound_tolerance = 1e-4;

/* GLPK cuts nodes off by tolerances relative to the numbers in the model. Beyond this peak, in
   scaled bytes, it has been seen to cut off optima, so what it proves there is not believed. */
static const uint64_t most_believed_units = 100000;

struct solve {
    const struct planner_task *task;
    struct plan *plan; /* the best so far, where plan_found */
    struct mip_model *model;
    glp_prob *glpk;
    double *start;     /* [1 + columns] to be handed to GLPK once, or NULL */
    double best_bound; /* scaled bytes */
    uint64_t deadline_ns;
    struct error *error;
};

static bool has_time_limit(const struct solve *solve)
{
    return solve->task->time_limit_ns != UINT64_MAX;
}

static int get_remaining_ms(const struct solve *solve)
{
    if (!has_time_limit(solve))
        return INT_MAX;
    uint64_t now = clock_monotonic_ns();
    uint64_t remaining_ms = now < solve->deadline_ns ? (solve->deadline_ns - now) / 1000000 : 0;
    return remaining_ms < INT_MAX ? (int)remaining_ms : INT_MAX;
}

static void load_columns(struct solve *solve)
{
    const struct mip_model *model = solve->model;
    glp_add_cols(solve->glpk, (int)model->columns);
    for (uint32_t c = 0; c < model->columns; c++) {
        double lower = model->column_lower[c], upper = model->column_upper[c];
        glp_set_col_bnds(solve->glpk, (int)c + 1, lower < upper ? GLP_DB : GLP_FX, lower, upper);
        glp_set_col_kind(solve->glpk, (int)c + 1, model->integer[c] ? GLP_IV : GLP_CV);
    }
    glp_set_obj_dir(solve->glpk, GLP_MIN);
    glp_set_obj_coef(solve->glpk, 1, 1);
}

static enum status load_rows(struct solve *solve)
{
    const struct mip_model *model = solve->model;
    int *column;
    double *value;
    TRY(memory_create(&column, (size_t)model->columns + 1, sizeof *column, solve->error));
    enum status status =
        memory_create(&value, (size_t)model->columns + 1, sizeof *value, solve->error);
    glp_add_rows(solve->glpk, (int)model->rows);
    for (uint32_t r = 0; r < model->rows && !status; r++) {
        int entries = 0;
        for (uint64_t i = model->row_first[r]; i < model->row_first[r + 1]; i++) {
            column[++entries] = (int)model->row_column[i] + 1;
            value[entries] = model->row_value[i];
        }
        glp_set_row_bnds(solve->glpk, (int)r + 1, GLP_LO, model->row_bound[r], 0);
        glp_set_mat_row(solve->glpk, (int)r + 1, entries, column, value);
    }
    memory_free(column);
    if (!status)
        memory_free(value);
    return status;
}

static void follow_search(glp_tree *tree, void *info)
{
    struct solve *solve = info;
    int node = glp_ios_best_node(tree);
    if (node && glp_ios_node_bound(tree, node) > solve->best_bound)
        solve->best_bound = glp_ios_node_bound(tree, node);
    if (glp_ios_reason(tree) == GLP_IHEUR && solve->start) {
        glp_ios_heur_sol(tree, solve->start);
        memory_free(solve->start);
        solve->start = NULL;
    }
    int active, open, total;
    glp_ios_tree_size(tree, &active, &open, &total);
    solve->plan->nodes = (uint64_t)total;
}

/* Keeps what the binaries stand for if it is valid and better than the best so far. */
static enum status keep_solution(struct solve *solve, const double *values)
{
    const struct problem *problem = solve->task->problem;
    struct verdict verdict;
    struct plan *found;
    TRY(plan_create(problem, &found, solve->error));
    enum status status = STATUS_OK;
    found->status = PLAN_FEASIBLE;
    if (mip_model_to_plan(solve->model, values, found)) {
        status = plan_set_peak(found, problem, solve->error);
        if (!status)
            status = verify_plan(problem, found, &verdict, solve->error);
        if (!status && verdict.fault == VERIFY_VALID &&
            (!plan_found(solve->plan) || found->peak_bytes < solve->plan->peak_bytes)) {
            memcpy(solve->plan->offset, found->offset, found->buffers * sizeof *found->offset);
            solve->plan->peak_bytes = found->peak_bytes;
            solve->plan->status = PLAN_FEASIBLE;
        }
    }
    plan_free(found);
    return status;
}

static enum status read_solution(struct solve *solve)
{
    double *values;
    int answer = glp_mip_status(solve->glpk);
    if (answer != GLP_OPT && answer != GLP_FEAS)
        return STATUS_OK;
    TRY(memory_create(&values, solve->model->columns, sizeof *values, solve->error));
    for (uint32_t c = 0; c < solve->model->columns; c++)
        values[c] = glp_mip_col_val(solve->glpk, (int)c + 1);
    enum status status = keep_solution(solve, values);
    memory_free(values);
    return status;
}

static bool relax(struct solve *solve, bool *infeasible)
{
    glp_smcp parameters;
    glp_init_smcp(&parameters);
    parameters.msg_lev = GLP_MSG_OFF;
    parameters.tm_lim = get_remaining_ms(solve);
    glp_scale_prob(solve->glpk, GLP_SF_AUTO);
    glp_adv_basis(solve->glpk, 0);
    int answer = glp_simplex(solve->glpk, &parameters);
    *infeasible = answer == 0 && glp_get_status(solve->glpk) == GLP_NOFEAS;
    return answer == 0 && glp_get_status(solve->glpk) == GLP_OPT;
}

static int branch(struct solve *solve)
{
    glp_iocp parameters;
    glp_init_iocp(&parameters);
    parameters.msg_lev = GLP_MSG_OFF;
    parameters.tm_lim = get_remaining_ms(solve);
    parameters.tol_int = 1e-9;
    parameters.tol_obj = 1e-9;
    parameters.cb_func = follow_search;
    parameters.cb_info = solve;
    return glp_intopt(solve->glpk, &parameters);
}

static bool is_believed(const struct solve *solve)
{
    return solve->model->upper <= most_believed_units;
}

/* A model whose upper end is the peak of a plan has a solution; when GLPK says otherwise it is
   wrong, and nothing is concluded. */
static void conclude_infeasible(struct solve *solve)
{
    if (!plan_found(solve->plan))
        solve->plan->status = is_believed(solve) ? PLAN_INFEASIBLE : PLAN_GAVE_UP;
}

/* A bound above the upper end, where a plan is, would be a mistake of GLPK's. */
static void raise_bound(struct solve *solve)
{
    double whole = ceil(solve->best_bound - bound_tolerance);
    if (!is_believed(solve) || whole <= 0 || whole > (double)solve->model->upper)
        return;
    uint64_t bound_bytes = (uint64_t)whole * solve->model->scale;
    if (bound_bytes > solve->plan->lower_bound_bytes)
        solve->plan->lower_bound_bytes = bound_bytes;
}

static enum status search_model(struct solve *solve)
{
    bool infeasible;
    bool relaxed = relax(solve, &infeasible);
    if (infeasible)
        conclude_infeasible(solve);
    if (!relaxed)
        return STATUS_OK;
    solve->best_bound = glp_get_obj_val(solve->glpk);
    int answer = branch(solve);
    TRY(read_solution(solve));
    if (answer == 0 && glp_mip_status(solve->glpk) == GLP_NOFEAS)
        conclude_infeasible(solve);
    else if (answer == 0 && glp_mip_status(solve->glpk) == GLP_OPT)
        solve->best_bound = glp_mip_obj_val(solve->glpk);
    raise_bound(solve);
    return STATUS_OK;
}

static enum status prepare_start(struct solve *solve)
{
    if (!plan_found(solve->plan))
        return STATUS_OK;
    TRY(memory_create(&solve->start, (size_t)solve->model->columns + 1, sizeof *solve->start,
                      solve->error));
    if (!mip_model_from_plan(solve->model, solve->plan, solve->start + 1)) {
        memory_free(solve->start);
        solve->start = NULL;
    }
    return STATUS_OK;
}

static enum status solve_model(struct solve *solve)
{
    glp_term_out(GLP_OFF);
    solve->glpk = glp_create_prob();
    load_columns(solve);
    enum status status = load_rows(solve);
    if (!status)
        status = prepare_start(solve);
    if (!status)
        status = search_model(solve);
    memory_free(solve->start);
    glp_delete_prob(solve->glpk);
    glp_free_env();
    return status;
}

static void take_start(struct solve *solve)
{
    const struct plan *start = solve->task->start;
    struct plan *plan = solve->plan;
    if (!start)
        return;
    memcpy(plan->offset, start->offset, plan->buffers * sizeof *plan->offset);
    plan->peak_bytes = start->peak_bytes;
    plan->status = PLAN_FEASIBLE;
}

static uint64_t find_upper_bytes(const struct solve *solve)
{
    const struct problem *problem = solve->task->problem;
    if (plan_found(solve->plan))
        return solve->plan->peak_bytes;
    uint64_t upper = solve->plan->lower_bound_bytes;
    for (uint32_t b = 0; b < problem->buffers; b++)
        upper += problem->size[b] + problem->alignment[b] - 1;
    return upper < solve->task->capacity_bytes ? upper : solve->task->capacity_bytes;
}

static enum status plan_by_model(struct solve *solve)
{
    TRY(mip_model_create(solve->task->problem, find_upper_bytes(solve), &solve->model,
                         solve->error));
    if (!solve->model) {
        if (!plan_found(solve->plan))
            solve->plan->status = PLAN_UNSUPPORTED;
        return STATUS_OK;
    }
    enum status status = solve_model(solve);
    mip_model_free(solve->model);
    return status;
}

enum status glpk_search(const struct planner_task *task, struct plan *plan, struct error *error)
{
    struct solve solve = {.task = task, .plan = plan, .error = error};
    solve.deadline_ns = clock_monotonic_ns() + (has_time_limit(&solve) ? task->time_limit_ns : 0);
    TRY(bound_peak(task->problem, &plan->lower_bound_bytes, error));
    if (plan->lower_bound_bytes > task->capacity_bytes) {
        plan->status = PLAN_INFEASIBLE;
        return STATUS_OK;
    }
    take_start(&solve);
    if (!plan_found(plan) || plan->peak_bytes > plan->lower_bound_bytes)
        TRY(plan_by_model(&solve));
    if (plan_found(plan) && plan->peak_bytes == plan->lower_bound_bytes)
        plan->status = PLAN_OPTIMAL;
    return STATUS_OK;
}
