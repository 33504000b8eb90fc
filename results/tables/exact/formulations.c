/* The table formulations: integer programs of one problem, by model and solver. */
#include "results/views/planners/programs.h"
#include "results/views/recipe.h"

static enum status fill(struct table_making *making)
{
    const struct grid *grid = &making->contest.grid;
    struct table *table = making->table;
    for (uint32_t k = 0; k < grid->planners.count; k++) {
        struct program program;
        if (!program_measure(grid, k, &program))
            continue;
        making->picker.used = true;
        table_add(table, cell_text(names_get(&grid->planners, k)), cell_number(program.rows),
                  cell_number(program.refused), cell_number(program.proved),
                  cell_known_real(program.rooted, 100 * program.root_gap, 2),
                  cell_known_real(program.rooted, 100 * program.cut_gap, 2),
                  cell_real(program.seconds, 2), cell_real(program.nodes, 0),
                  cell_real(program.columns, 0), cell_real(program.rows_of_program, 0),
                  cell_real(program.entries, 0),
                  cell_known_real(program.solver_bytes > 0, (double)program.solver_bytes / 1e6, 1));
    }
    table_add_note(
        table, "rows: instances under a policy, without those that the formulation refuses. "
               "root gap = (least known peak - optimum of the linear relaxation) / that optimum, "
               "cut gap the same when the root was done; means over the rows where the solver "
               "tells them (GLPK) and the start did not meet the bound.");
    table_add_note(table,
                   "time, nodes: geometric means shifted by %d s and %d nodes, as in Mittelmann's "
                   "benchmarks; a row without proof counts with its time. columns, rows, entries: "
                   "geometric means; memory: the most.",
                   PROGRAM_SHIFT_SECONDS, PROGRAM_SHIFT_NODES);
    return STATUS_OK;
}

const struct table_recipe table_formulations = {
    .name = "formulations",
    .title = "integer programs: proofs, root gaps, times, nodes and sizes by model and solver",
    .caption = "Integer programs by model and solver",
    .columns =
        "planner | rows: | refused: | proved: | root gap (%): | cut gap (%): ~5 | time (s): | "
        "nodes: | columns: ~4 | rows of it: ~3 | entries: ~2 | memory (MB): ~1",
    .source = TABLE_OF_CONTEST,
    .wanted = "results of integer programs: bench --suite ilp --planners "
              "ilp_cliques,ilp_pairs,ilp_positions",
    .fill = fill,
};
