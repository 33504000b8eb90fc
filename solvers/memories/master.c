#include "solvers/memories/master.h"

#include <assert.h>
#include <math.h>

#include "core/memory.h"
#include "solvers/memories/program.h"
#include "solvers/mip/backends/solver.h"

/* The least traffic of each node, and the cheapest edge of each cut that has edges only and none in
   common with those before. */
static enum status find_simple_bound(const struct master_cuts *cuts, struct master_answer *answer,
                                     struct error *error)
{
    const struct memory_model *model = cuts->model;
    SCOPED(memory_release) bool *used = NULL;
    TRY(memory_create(&used, model->edges, sizeof *used, error));
    answer->bound = 0;
    for (uint32_t n = 0; n < model->classes.count; n++)
        answer->bound += memory_model_least_traffic(model, n);
    for (uint32_t c = 0; c < cuts->cuts; c++) {
        uint64_t least = UINT64_MAX;
        bool fresh = cuts->first_node[c] == cuts->first_node[c + 1];
        for (uint32_t i = cuts->first_edge[c]; i < cuts->first_edge[c + 1]; i++) {
            fresh &= !used[cuts->edge[i]];
            if (model->edge[cuts->edge[i]].cost < least)
                least = model->edge[cuts->edge[i]].cost;
        }
        if (!fresh || least == UINT64_MAX)
            continue;
        answer->bound += least;
        assert(least > 0);
        for (uint32_t i = cuts->first_edge[c]; i < cuts->first_edge[c + 1]; i++)
            used[cuts->edge[i]] = true;
    }
    return STATUS_OK;
}

/* Takes over what the solver found. Its bound is off by a little more than its tolerance at most,
   and costs are whole units. */
static void read_answer(const struct master_program *master, const struct mip_answer *found,
                        struct master_answer *answer)
{
    assert(master->unit > 0 && found->values);
    const struct memory_model *model = master->model;
    double bound = ceil(found->peak_bound - 1e-8 * fabs(found->peak_bound) - 1e-4);
    answer->infeasible = found->infeasible;
    if (bound > 0 && bound < 0x1p62 / (double)master->unit &&
        master->base + (uint64_t)bound * master->unit > answer->bound)
        answer->bound = master->base + (uint64_t)bound * master->unit;
    answer->solved = found->found;
    assert(!(found->found && found->infeasible));
    if (!found->found)
        return;
    for (uint32_t n = 0; n < model->classes.count; n++) {
        double most = 0;
        for (uint32_t a = 0; a < model->arenas; a++) {
            double value = memory_model_traffic(model, n, a) != UINT64_MAX;
            if (master->has_choice[n])
                value = master_program_column(master, n, a)
                            ? found->values[master_program_column(master, n, a)]
                            : 0;
            if (value <= most)
                continue;
            most = value;
            answer->arena[n] = a;
        }
        assert(!master->has_choice[n] || most > 0); /* the node's row sums up to 1 */
        if (answer->share)
            answer->share[n] = most;
    }
    for (uint32_t e = 0; e < model->edges; e++)
        answer->paid[e] = found->values[master->edge_column[e]] > 0.5;
}

enum status master_solve(struct master_cuts *cuts, const bool *has_choice, uint64_t deadline_ns,
                         struct master_answer *answer, struct error *error)
{
    assert(answer->arena && answer->paid);
    assert(!answer->choice_alone || !answer->share);
    SCOPED(memory_release) double *values = NULL;
    SCOPED(master_program_clear) struct master_program master = {.cuts = cuts};
    TRY(find_simple_bound(cuts, answer, error));
    answer->infeasible = answer->solved = false;
    if (!(answer->choice_alone ? mip_solver_cbc : mip_solver_glpk).solve)
        return STATUS_OK;
    TRY(master_program_create(cuts, has_choice, answer->share != NULL, NULL, &master, error));
    if (master.program->entries > MIP_MOST_ENTRIES)
        return STATUS_OK;
    master.program->formulation = &master.formulation;
    master.program->own_rows = master.program->rows;
    TRY(memory_create(&values, master.program->columns, sizeof *values, error));
    /* No cuts of GLPK's own: a claim rests on every one of them. */
    const struct mip_question question = {.model = master.program,
                                          .deadline_ns = deadline_ns,
                                          .cuts = answer->choice_alone ? MIP_CUTS_AS_USUAL
                                                                       : MIP_CUTS_NONE};
    struct mip_answer found = {.values = values};
    TRY((answer->choice_alone ? mip_solver_cbc : mip_solver_glpk).solve(&question, &found, error));
    if (found.infeasible && !answer->choice_alone) {
        /* What fits does not depend on costs, and large ones have made GLPK say so of programs that
           have solutions. */
        struct mip_model *program = master.program;
        for (uint64_t i = program->row_first[0]; i < program->row_first[1]; i++)
            program->row_value[i] *= program->row_column[i] == 0;
        TRY(mip_solver_glpk.solve(&question, &found, error));
        found.peak_bound = 0;
    }
    if (answer->choice_alone)
        found.peak_bound = 0, found.infeasible = false;
    read_answer(&master, &found, answer);
    return STATUS_OK;
}
