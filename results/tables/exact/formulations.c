/* The table formulations: integer programs of one problem, by model and solver. */
#include <string.h>

#include "results/views/planners/programs.h"
#include "results/views/recipe.h"

/* Whether the planner has switches off and stands in the table strengthenings, beside the one with
   all of them. Those without `load` and `ascend` are shown: their roots tell formulations apart. */
static bool is_of_study(const struct grid *grid, uint32_t planner)
{
    struct program_name name, other;
    bool is_of_roots = true;
    program_name_parse(names_get(&grid->planners, planner), &name);
    for (uint32_t i = 0; i < name.offs; i++)
        is_of_roots =
            is_of_roots && (strcmp(name.off[i], "load") == 0 || strcmp(name.off[i], "ascend") == 0);
    for (uint32_t k = 0; k < grid->planners.count && name.offs && !(is_of_roots && name.offs == 2);
         k++) {
        program_name_parse(names_get(&grid->planners, k), &other);
        if (!other.offs && !other.has_others && strcmp(other.model, name.model) == 0 &&
            strcmp(other.solver, name.solver) == 0)
            return true;
    }
    return false;
}

static enum status fill(struct table_making *making)
{
    const struct grid *grid = &making->contest.grid;
    struct table *table = making->table;
    struct program best = {.rows = 0};
    for (uint32_t k = 0; k < grid->planners.count; k++) {
        struct program program;
        if (is_of_study(grid, k) || !program_measure(grid, k, NULL, &program))
            continue;
        if (!making->picker.used || program.proved > best.proved ||
            (program.proved == best.proved && program.seconds < best.seconds))
            best = program;
        making->picker.used = true;
        table_add(table, cell_text(names_get(&grid->planners, k)), cell_number(program.rows),
                  cell_number(program.refused), cell_number(program.started),
                  cell_number(program.proved),
                  cell_known_real(program.rooted, 100 * program.root_gap, 2),
                  cell_known_real(program.rooted, 100 * program.cut_gap, 2),
                  cell_real(program.seconds, 2), cell_real(program.nodes, 0),
                  cell_real(program.columns, 0), cell_real(program.rows_of_program, 0),
                  cell_real(program.entries, 0),
                  cell_known_real(program.solver_bytes > 0, (double)program.solver_bytes / 1e6, 1));
    }
    if (making->picker.used)
        table_add_note(table,
                       "Most is proved by %s: %u of the %u problems whose start does not meet the "
                       "bound. Planners are compared by what they prove only where they have tried "
                       "the same problems.",
                       names_get(&grid->planners, best.planner), best.proved,
                       best.rows - best.started);
    table_add_note(
        table, "problems: instances under a policy, without those that the formulation refuses. by "
               "start: the start met the bound, so that no program was solved; all that follows is "
               "of the others. root gap = (least known peak - optimum of the linear relaxation) / "
               "that optimum, cut gap the same when the root was done; means over those where the "
               "solver tells them (GLPK).");
    table_add_note(table,
                   "time, nodes: geometric means shifted by %d s and %d nodes, as in Mittelmann's "
                   "benchmarks; a problem without proof counts with its time. columns, rows, "
                   "entries: geometric means; memory: the most. Planners with switches off are in "
                   "the table strengthenings.",
                   PROGRAM_SHIFT_SECONDS, PROGRAM_SHIFT_NODES);
    return STATUS_OK;
}

const struct table_recipe table_formulations = {
    .name = "formulations",
    .title = "integer programs: proofs, root gaps, times, nodes and sizes by model and solver",
    .caption = "Integer programs by model and solver",
    .columns =
        "planner | problems: | refused: ~6 | by start: | proved: | root gap (%): | cut gap (%): ~5 "
        "| time (s): | nodes: | columns: ~4 | rows: ~3 | entries: ~2 | memory (MB): ~1",
    .source = TABLE_OF_CONTEST,
    .wanted = "results of integer programs: bench --suite ilp --planners "
              "ilp_cliques,ilp_pairs,ilp_positions",
    .fill = fill,
};
