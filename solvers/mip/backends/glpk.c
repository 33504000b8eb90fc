#include "solvers/mip/backends/solver.h"

/* GLPK's branch and cut, in this process. Its library is loaded when it is needed (copied.h). */

#ifdef MEMPLAN_WITH_GLPK

#include <assert.h>
#include <float.h>
#include <glpk.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "solvers/mip/backends/copied.h"
#include "solvers/mip/model/model.h"

/* To use another function of GLPK: a row here. */
#define GLPK_FUNCTIONS(FUNCTION)                                                                   \
    FUNCTION(add_cols)                                                                             \
    FUNCTION(add_rows)                                                                             \
    FUNCTION(adv_basis)                                                                            \
    FUNCTION(create_prob)                                                                          \
    FUNCTION(delete_prob)                                                                          \
    FUNCTION(free_env)                                                                             \
    FUNCTION(get_col_lb)                                                                           \
    FUNCTION(get_col_prim)                                                                         \
    FUNCTION(get_col_ub)                                                                           \
    FUNCTION(get_it_cnt)                                                                           \
    FUNCTION(get_num_cols)                                                                         \
    FUNCTION(get_num_rows)                                                                         \
    FUNCTION(get_obj_val)                                                                          \
    FUNCTION(get_status)                                                                           \
    FUNCTION(init_iocp)                                                                            \
    FUNCTION(init_smcp)                                                                            \
    FUNCTION(intopt)                                                                               \
    FUNCTION(ios_best_node)                                                                        \
    FUNCTION(ios_branch_upon)                                                                      \
    FUNCTION(ios_can_branch)                                                                       \
    FUNCTION(ios_get_prob)                                                                         \
    FUNCTION(ios_heur_sol)                                                                         \
    FUNCTION(ios_node_bound)                                                                       \
    FUNCTION(ios_reason)                                                                           \
    FUNCTION(ios_terminate)                                                                        \
    FUNCTION(ios_tree_size)                                                                        \
    FUNCTION(mem_usage)                                                                            \
    FUNCTION(mip_col_val)                                                                          \
    FUNCTION(mip_obj_val)                                                                          \
    FUNCTION(mip_status)                                                                           \
    FUNCTION(scale_prob)                                                                           \
    FUNCTION(set_col_bnds)                                                                         \
    FUNCTION(set_col_kind)                                                                         \
    FUNCTION(set_mat_row)                                                                          \
    FUNCTION(set_obj_coef)                                                                         \
    FUNCTION(set_obj_dir)                                                                          \
    FUNCTION(set_row_bnds)                                                                         \
    FUNCTION(simplex)                                                                              \
    FUNCTION(error_hook)                                                                           \
    FUNCTION(term_hook)                                                                            \
    FUNCTION(term_out)                                                                             \
    FUNCTION(version)

struct glpk_library {
#define GLPK_FIELD(name) __typeof__(glp_##name) *name;
    GLPK_FUNCTIONS(GLPK_FIELD)
#undef GLPK_FIELD
};

/* Set once, by load_library. */
static struct glpk_library glp;
static bool is_loaded;

static void load_functions(void)
{
    static const char *const names[] = {"libglpk.so.40", "libglpk.so", NULL};
    void *handle = mip_load_library(names);
    is_loaded = handle != NULL;
#define GLPK_LOAD(name) is_loaded = is_loaded && mip_load_function(handle, "glp_" #name, &glp.name);
    GLPK_FUNCTIONS(GLPK_LOAD)
#undef GLPK_LOAD
}

static bool load_library(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    return pthread_once(&once, load_functions) == 0 && is_loaded;
}

struct call {
    const struct mip_question *question;
    struct mip_answer *answer;
    glp_prob *glpk;
    double *start;         /* [1 + columns] to be handed to GLPK once, or NULL */
    double *values;        /* [columns] of the relaxation of a node */
    double *lower, *upper; /* [columns] of a node that is narrowed */
    double *found;         /* [1 + columns] of a plan that was made of it */
    int *row_column;       /* [1 + columns] of a row */
    double *row_value;     /* [1 + columns] */
    int iterations;        /* of the simplex that are counted */
    int rounded;           /* of these, when a plan was last made of a relaxation */
    jmp_buf failed;
};

static bool separates(const struct call *call)
{
    const struct mip_formulation *formulation = call->question->model->formulation;
    return formulation && formulation->separate;
}

/* The work of an iteration of the simplex. */
static uint64_t get_step(const struct call *call)
{
    assert(glp.get_num_rows(call->glpk) > 0 && glp.get_num_cols(call->glpk) > 0);
    return (uint64_t)glp.get_num_rows(call->glpk) + (uint64_t)glp.get_num_cols(call->glpk);
}

/* Counts the work since the last call. True once all that is allowed is done, or more than another
   program of the race has needed. */
static bool count_work(struct call *call)
{
    struct mip_meter *meter = call->question->meter;
    int iterations = glp.get_it_cnt(call->glpk);
    assert(iterations >= call->iterations);
    if (!meter)
        return false;
    meter->done += (uint64_t)(iterations - call->iterations) * get_step(call);
    call->iterations = iterations;
    return meter->done >= meter->most || meter->done > *meter->least;
}

static int get_remaining_ms(const struct call *call)
{
    uint64_t remaining_ms = clock_left_ns(call->question->deadline_ns) / 1000000;
    return remaining_ms < INT_MAX ? (int)remaining_ms : INT_MAX;
}

/* Gives GLPK the model's rows from `first` on, as its rows from `place` on. GLPK counts columns and
   rows from 1. */
static void set_rows(const struct call *call, glp_prob *glpk, uint32_t first, int place)
{
    const struct mip_model *model = call->question->model;
    int *column = call->row_column;
    double *value = call->row_value;
    assert(first <= model->rows && place > 0);
    for (uint32_t r = first; r < model->rows; r++, place++) {
        int entries = 0;
        for (uint64_t i = model->row_first[r]; i < model->row_first[r + 1]; i++) {
            column[++entries] = (int)model->row_column[i] + 1;
            value[entries] = model->row_value[i];
        }
        assert(entries <= (int)model->columns);
        glp.set_row_bnds(glpk, place, model->row_equal[r] ? GLP_FX : GLP_LO, model->row_bound[r],
                         model->row_bound[r]);
        glp.set_mat_row(glpk, place, entries, column, value);
    }
}

static void load_model(const struct call *call)
{
    const struct mip_model *model = call->question->model;
    assert(model->columns > 0);
    glp.add_cols(call->glpk, (int)model->columns);
    for (uint32_t c = 0; c < model->columns; c++) {
        double lower = model->column_lower[c], upper = model->column_upper[c];
        assert(lower <= upper);
        glp.set_col_bnds(call->glpk, (int)c + 1, lower < upper ? GLP_DB : GLP_FX, lower, upper);
        glp.set_col_kind(call->glpk, (int)c + 1, model->integer[c] ? GLP_IV : GLP_CV);
    }
    glp.set_obj_dir(call->glpk, GLP_MIN);
    glp.set_obj_coef(call->glpk, 1, 1);
    glp.add_rows(call->glpk, (int)model->rows);
    set_rows(call, call->glpk, 0, 1);
}

/* Branches on the column of which it settles most: more the greater its weight and the less the
   relaxation says it already. Without a column with a weight to branch upon GLPK chooses. */
static void choose_branch(const struct call *call, glp_tree *tree)
{
    const struct mip_model *model = call->question->model;
    assert(glp.get_num_cols(call->glpk) == (int)model->columns);
    double most = 0;
    int chosen = 0;
    for (uint32_t c = 0; c < model->columns; c++) {
        int column = (int)c + 1;
        if (model->branch_weight[c] == 0 || !glp.ios_can_branch(tree, column))
            continue;
        double value = glp.get_col_prim(glp.ios_get_prob(tree), column);
        double weight = model->branch_weight[c] * fmin(value, 1 - value);
        if (weight > most) {
            most = weight;
            chosen = column;
        }
    }
    if (chosen)
        glp.ios_branch_upon(tree, chosen, GLP_NO_BRNCH);
}

static void read_values(struct call *call, glp_prob *node)
{
    for (uint32_t c = 0; c < call->question->model->columns; c++)
        call->values[c] = glp.get_col_prim(node, (int)c + 1);
}

/* Hands over the start, once, and the plans that are made from relaxations. */
static void offer_plans(struct call *call, glp_tree *tree)
{
    const struct mip_rounding *rounding = call->question->rounding;
    if (call->start)
        glp.ios_heur_sol(tree, call->start);
    memory_free(call->start);
    call->start = NULL;
    if (!rounding)
        return;
    read_values(call, glp.ios_get_prob(tree));
    assert(glp.get_it_cnt(call->glpk) >= call->rounded);
    uint64_t iterations = (uint64_t)(glp.get_it_cnt(call->glpk) - call->rounded);
    call->rounded += (int)iterations;
    if (rounding->round(rounding->context, call->values, iterations * get_step(call),
                        call->found + 1))
        glp.ios_heur_sol(tree, call->found);
}

/* Adds to the node's relaxation rows that it breaks: those that were separated elsewhere in the
   tree, or else new ones. A row that cannot be added for lack of memory ends the search. */
static void separate_rows(struct call *call, glp_tree *tree)
{
    enum { MOST_OLD = 50 };
    static const double tolerance = 1e-6;
    struct mip_model *model = call->question->model;
    glp_prob *node = glp.ios_get_prob(tree);
    uint32_t known = model->rows;
    int added = 0;
    assert(call->values && model->own_rows <= known);
    read_values(call, node);
    for (uint32_t r = model->own_rows; r < known && added < MOST_OLD; r++)
        if (mip_row_is_violated(model, r, call->values, tolerance)) {
            int place = glp.add_rows(node, 1);
            uint32_t rows = model->rows;
            model->rows = r + 1; /* this row alone */
            set_rows(call, node, r, place);
            model->rows = rows;
            added++;
        }
    if (!added) {
        model->formulation->separate(model, call->values);
        assert(model->rows >= known);
        if (model->rows > known)
            set_rows(call, node, known, glp.add_rows(node, (int)(model->rows - known)));
    }
    if (model->error.status)
        glp.ios_terminate(tree);
}

/* Narrows the bounds of a node. One without a plan gets a row that cannot be kept, of which GLPK
   sees that at once; it has no other way to be told. GLPK's own bounds, and its objective, may be a
   little beside the whole numbers that they stand for. */
static void narrow_node(struct call *call, glp_tree *tree)
{
    static const double tolerance = 1e-6;
    struct mip_model *model = call->question->model;
    glp_prob *node = glp.ios_get_prob(tree);
    double *lower = call->lower, *upper = call->upper;
    assert(lower && upper && model->integer[0]);
    for (uint32_t c = 0; c < model->columns; c++) {
        lower[c] = glp.get_col_lb(node, (int)c + 1);
        upper[c] = glp.get_col_ub(node, (int)c + 1);
        lower[c] = model->integer[c] ? ceil(lower[c] - tolerance) : lower[c];
        upper[c] = model->integer[c] ? floor(upper[c] + tolerance) : upper[c];
    }
    if (glp.mip_status(node) == GLP_FEAS) /* what is not better is of no use */
        upper[0] = fmin(upper[0], round(glp.mip_obj_val(node)) - 1);
    if (lower[0] > upper[0] || !mip_model_narrow(model, lower, upper)) {
        glp.set_row_bnds(node, 1, GLP_LO, DBL_MAX / 4, 0);
        return;
    }
    for (uint32_t c = 0; c < model->columns; c++) {
        assert(lower[c] <= upper[c]);
        if (lower[c] > glp.get_col_lb(node, (int)c + 1) ||
            upper[c] < glp.get_col_ub(node, (int)c + 1))
            glp.set_col_bnds(node, (int)c + 1, lower[c] < upper[c] ? GLP_DB : GLP_FX, lower[c],
                             upper[c]);
    }
}

static void follow_search(glp_tree *tree, void *info)
{
    struct call *call = info;
    struct mip_answer *answer = call->answer;
    int node = glp.ios_best_node(tree), active, open, total;
    if (count_work(call))
        glp.ios_terminate(tree);
    if (node && glp.ios_node_bound(tree, node) > answer->peak_bound)
        answer->peak_bound = glp.ios_node_bound(tree, node);
    switch (glp.ios_reason(tree)) {
    case GLP_IPREPRO:
        if (call->question->model->switches & MIP_NODES)
            narrow_node(call, tree);
        break;
    case GLP_IROWGEN:
        if (separates(call))
            separate_rows(call, tree);
        break;
    case GLP_IHEUR:
        offer_plans(call, tree);
        break;
    case GLP_IBRANCH:
        if (!answer->root_ns) {
            answer->root_ns = clock_monotonic_ns();
            answer->cut_bound = glp.get_obj_val(glp.ios_get_prob(tree));
        }
        choose_branch(call, tree);
        break;
    default:
        break;
    }
    glp.ios_tree_size(tree, &active, &open, &total);
    answer->nodes = (uint64_t)total;
}

static void search_tree(struct call *call)
{
    assert(call->question->model->columns > 0);
    const struct mip_meter *meter = call->question->meter;
    struct mip_answer *answer = call->answer;
    glp_smcp relaxed;
    glp.init_smcp(&relaxed);
    relaxed.msg_lev = GLP_MSG_OFF;
    relaxed.tm_lim = get_remaining_ms(call);
    glp.scale_prob(call->glpk, GLP_SF_AUTO);
    glp.adv_basis(call->glpk, 0);
    if (meter && mip_meter_left(meter) / get_step(call) < INT_MAX)
        relaxed.it_lim = (int)(mip_meter_left(meter) / get_step(call));
    int end = glp.simplex(call->glpk, &relaxed);
    count_work(call);
    answer->infeasible = end == 0 && glp.get_status(call->glpk) == GLP_NOFEAS;
    if (answer->infeasible) {
        answer->root_ns = clock_monotonic_ns();
        answer->root_bound = answer->cut_bound = (double)call->question->model->upper + 1;
    }
    if (end != 0 || glp.get_status(call->glpk) != GLP_OPT)
        return;
    answer->peak_bound = answer->root_bound = answer->cut_bound = glp.get_obj_val(call->glpk);
    glp_iocp whole;
    glp.init_iocp(&whole);
    whole.msg_lev = GLP_MSG_OFF;
    whole.tm_lim = get_remaining_ms(call);
    whole.tol_int = 1e-9;
    whole.tol_obj = 1e-9;
    if (call->question->cuts == MIP_CUTS_ALL)
        whole.gmi_cuts = whole.mir_cuts = whole.cov_cuts = whole.clq_cuts = GLP_ON;
    if (separates(call))
        whole.sr_heur = GLP_OFF; /* it does not ask whether a rounded solution breaks rows */
    whole.cb_func = follow_search;
    whole.cb_info = call;
    end = glp.intopt(call->glpk, &whole);
    int found = glp.mip_status(call->glpk);
    answer->found = found == GLP_OPT || found == GLP_FEAS;
    for (uint32_t c = 0; answer->found && c < call->question->model->columns; c++)
        answer->values[c] = glp.mip_col_val(call->glpk, (int)c + 1);
    if (end == 0 && found == GLP_NOFEAS)
        answer->infeasible = true;
    else if (end == 0 && found == GLP_OPT)
        answer->peak_bound = glp.mip_obj_val(call->glpk);
    if (!answer->root_ns) { /* it did not have to branch */
        answer->root_ns = clock_monotonic_ns();
        answer->cut_bound = fmax(answer->cut_bound, answer->peak_bound);
    }
}

static void leave(void *call)
{
    longjmp(((struct call *)call)->failed, 1);
}

static int hide(void *info, const char *words)
{
    (void)info, (void)words;
    return 1;
}

/* Where GLPK breaks an assertion of its own, which happens to its simplex, it would end the
   process. False then; GLPK is of no more use but for freeing it. */
static bool search_or_fail(struct call *call)
{
    if (setjmp(call->failed))
        return false;
    glp.error_hook(leave, call);
    glp.term_hook(hide, NULL);
    search_tree(call);
    return true;
}

static void end_call(struct call *call)
{
    memory_free_all(call->start, call->values, call->found, call->lower, call->upper,
                    call->row_column, call->row_value);
    if (!call->answer->crashed)
        glp.delete_prob(call->glpk);
    glp.free_env();
}

static enum status solve(const struct mip_question *question, struct mip_answer *answer,
                         struct error *error)
{
    uint64_t began_ns = clock_monotonic_ns();
    size_t columns = question->model->columns;
    answer->missing = !load_library();
    if (answer->missing)
        return STATUS_OK;
    assert(columns > 0);
    assert(answer->values);
    glp.term_out(GLP_OFF);
    SCOPED(end_call)
    struct call call = {.question = question, .answer = answer, .glpk = glp.create_prob()};
    TRY(memory_create_all(columns + 1, error, &call.row_column, &call.row_value));
    load_model(&call);
    TRY(memory_create_all(columns, error, &call.values, &call.lower, &call.upper));
    TRY(memory_create(&call.found, columns + 1, sizeof *call.found, error));
    if (question->start) { /* GLPK takes none before its search: it is handed over on the way */
        TRY(memory_create(&call.start, columns + 1, sizeof *call.start, error));
        memcpy(call.start + 1, question->start, columns * sizeof *call.start);
    }
    /* Scaling and the first basis pass over all entries some twenty times and heed no limit. */
    uint64_t took_ns = clock_monotonic_ns() - began_ns;
    if (took_ns < clock_left_ns(question->deadline_ns) / 20 && !search_or_fail(&call))
        *answer = (struct mip_answer){.values = answer->values, .crashed = true};
    size_t most_bytes = 0;
    glp.mem_usage(NULL, NULL, NULL, &most_bytes);
    answer->bytes = most_bytes;
    return STATUS_OK;
}

static const char *name_version(void)
{
    return load_library() ? glp.version() : "none";
}

const struct mip_solver mip_solver_glpk = {.name = "glpk",
                                           .title = "GLPK",
                                           .separates = true,
                                           .counts_work = true,
                                           .rounds = true,
                                           .solve = solve,
                                           .version = name_version};

#else

const struct mip_solver mip_solver_glpk = MIP_SOLVER_MISSING("glpk", "GLPK");

#endif
