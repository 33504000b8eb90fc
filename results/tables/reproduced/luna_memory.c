/* The tables luna-memory and luna-control-flow: Wang et al. 2025, Tables 1 and 2, in the paper's
   columns. Below each printed row stands what was measured under the policy flat or recursive, how
   far that is above the optimum, and in Table 2 what is saved against Table 1. The words for these
   are short, so that the table fits into 80 letters. */
#include <string.h>

#include "results/views/luna.h"
#include "results/views/policies.h"
#include "results/views/recipe.h"

/* In the order of the paper's columns; Table 2 is without the first. */
static const char *const strategies[] = {"naive", "large_first", "short_first", "sequential"};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

enum what { PRINTED, MEASURED, ABOVE, SAVED, WHATS };
static const char *const whats[] = {"paper", "here", "over %", "saved %"};

static const char *const solvers[] = {"glpk", "exact"};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

/* Adds a cell for each solver, the least bytes that it proved or how its search ended, and counts
   the proofs of each; returns the least that one of them proved, 0 for none. */
static uint64_t add_optima(struct table_making *making, const char *instance, const char *policy,
                           uint32_t proofs[SOLVERS])
{
    uint64_t least = 0, peak;
    for (unsigned i = 0; i < SOLVERS; i++) {
        const struct result_row *row = picker_find(&making->picker, instance, policy, solvers[i]);
        bool optimal = row && strcmp(row->status, RESULT_OPTIMAL) == 0;
        proofs[i] += optimal;
        if (optimal && picker_peak(row, &peak) && (!least || peak < least))
            least = peak;
        table_add(making->table, !row || optimal ? picker_cell(&making->picker, row)
                                                 : cell_words("%s", row->status));
    }
    return least;
}

/* What `peak` is above `other`, as a share of `whole` in percent. */
static struct cell get_percent(double peak, double other, double whole)
{
    return cell_known_real(peak > 0 && other > 0, 100 * (peak - other) / whole, 2);
}

/* Adds the rows of a model in Table 1, or with what is saved in Table 2. */
static void add_model(struct table_making *making, const char *model, bool saves,
                      uint32_t *different, uint32_t proofs[SOLVERS])
{
    const char *policy = policies_name(saves ? POLICIES_RECURSIVE : POLICIES_FLAT);
    uint64_t least = 0;
    for (enum what what = PRINTED; what < (saves ? WHATS : SAVED); what++) {
        table_add(making->table, cell_text(model), cell_text(whats[what]));
        for (unsigned s = saves; s < STRATEGIES; s++) {
            const struct luna_pair pair = luna_pair_find(
                &making->picker, saves ? LUNA_TABLE_2 : LUNA_TABLE_1, model, strategies[s]);
            const struct luna_pair before =
                luna_pair_find(&making->picker, LUNA_TABLE_1, model, strategies[s]);
            double peak = (double)pair.measured_bytes, flat = (double)before.measured_bytes;
            const struct cell cells[WHATS] = {
                [PRINTED] = cell_known(pair.published, pair.published_bytes),
                [MEASURED] = picker_cell(&making->picker, pair.row),
                [ABOVE] = get_percent(peak, (double)least, (double)least),
                [SAVED] = get_percent(flat, peak, flat)};
            table_add(making->table, cells[what]);
            *different += what == MEASURED && pair.published && pair.measured &&
                          pair.measured_bytes != pair.published_bytes;
        }
        if (what == MEASURED)
            least = add_optima(making, luna_instance(model), policy, proofs);
        else
            table_add(making->table, cell_missing(), cell_missing());
    }
}

static enum status fill(struct table_making *making)
{
    bool saves = !making->recipe->filter.policy;
    struct luna_figure figure;
    uint32_t different = 0, models = 0, proofs[SOLVERS] = {0};
    for (unsigned row = 0; luna_next(&row, saves ? LUNA_TABLE_2 : LUNA_TABLE_1, &figure);)
        if (strcmp(figure.how.text, strategies[saves]) == 0) {
            add_model(making, figure.model.text, saves, &different, proofs);
            models++;
        }
    table_add_note(
        making->table,
        "glpk, exact: the least bytes that the integer program and our own search prove "
        "(%u and %u of %u models), else how the search ended. over: how far what came out "
        "here is above that%s.",
        proofs[0], proofs[1], models, saves ? "; saved: against Table 1" : "");
    table_add_note(making->table, "Measured figures that differ from the printed ones: %u.",
                   different);
    picker_add_notes(&making->picker, making->table);
    return STATUS_OK;
}

const struct table_recipe table_luna_memory = {
    .name = "luna-memory",
    .title = "LUNA models, three strategies: published beside measured (Wang et al. 2025, Table 1)",
    .caption = "LUNA peak memory without control-flow optimisation (Wang et al. 2025, Table 1)",
    .columns = "model | what | naive: | large_first: | short_first: | sequential: | glpk: | exact:",
    .filter = {.policy = "flat"},
    .wanted = "luna/... under policy flat",
    .fill = fill,
};

const struct table_recipe table_luna_control_flow = {
    .name = "luna-control-flow",
    .title =
        "LUNA models with control-flow optimisation: published beside measured (Wang et al. 2025, "
        "Table 2)",
    .caption = "LUNA peak memory with control-flow optimisation (Wang et al. 2025, Table 2)",
    .columns = "model | what | large_first: | short_first: | sequential: | glpk: | exact:",
    .wanted = "luna/... under policies flat and recursive",
    .fill = fill,
};
