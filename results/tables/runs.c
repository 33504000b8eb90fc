/* The table runs: how far each planner is from the bounds in the newest runs, side by side. */

#include "core/memory.h"
#include "results/store/failure.h"
#include "results/views/recipe.h"
#include "results/views/run_lines.h"

enum { SHOWN = 6 };

/* The length of what all labels begin with, up to a dash. */
static size_t find_common(const struct run_lines *lines)
{
    size_t common = 0;
    for (size_t at = 0; lines->run[0][at]; at++) {
        for (uint32_t i = 1; i < lines->runs; i++)
            if (lines->run[i][at] != lines->run[0][at])
                return common;
        if (lines->run[0][at] == '-')
            common = at + 1;
    }
    return 0;
}

/* failures: [planners * runs], the number of jobs of each that have no plan that counts. */
static enum status count_failures(const struct result_set *set, const struct run_lines *lines,
                                  uint32_t *failures, struct error *error)
{
    SCOPED(names_free) struct names labels = {0};
    for (uint32_t i = 0; i < lines->runs; i++)
        TRY(names_add(&labels, lines->run[i], error));
    for (uint32_t i = 0; i < set->count; i++) {
        const struct result_row *row = &set->row[i];
        uint32_t planner = names_find(&lines->planners, row->planner);
        uint32_t run = names_find(&labels, row->run);
        if (planner != NAMES_NONE && run != NAMES_NONE && failure_kind(row) < FAILURE_KINDS)
            failures[(size_t)planner * lines->runs + run]++;
    }
    return STATUS_OK;
}

static void add_cell(struct table *table, double mean, uint32_t failures)
{
    if (mean > 0 && failures)
        table_add(table, cell_words("%.4f (%u)", mean, failures));
    else if (failures)
        table_add(table, cell_words("(%u)", failures));
    else
        table_add(table, cell_known_real(mean > 0, mean, 4));
}

static enum status fill(struct table_making *making)
{
    const struct result_set *set = &making->contest.set;
    SCOPED(runs_free) struct run_list runs = {0};
    SCOPED(run_lines_free) struct run_lines lines = {0};
    SCOPED(memory_release) uint32_t *failures = NULL;
    TRY(runs_list(making->store, &runs, making->error));
    if (runs.count > SHOWN)
        runs.count = SHOWN;
    TRY(run_lines_create(set, &runs, RUN_BYTES, &lines, making->error));
    TRY(memory_create(&failures, (size_t)lines.planners.count * lines.runs, sizeof *failures,
                      making->error));
    TRY(count_failures(set, &lines, failures, making->error));
    making->picker.used = lines.planners.count > 0;
    table_add_columns(making->table, "planner | jobs:");
    size_t common = lines.runs ? find_common(&lines) : 0;
    for (uint32_t i = 0; i < lines.runs; i++) {
        table_add_column(making->table, lines.run[i] + common, "", TABLE_RIGHT);
        table_rank_column(making->table, 2 + i, lines.runs - i); /* the newest stays longest */
    }
    for (uint32_t i = 0; i < lines.planners.count; i++) {
        table_add(making->table, cell_text(names_get(&lines.planners, i)),
                  cell_number(lines.jobs[i]));
        for (uint32_t k = 0; k < lines.runs; k++)
            add_cell(making->table, lines.mean[(size_t)i * lines.runs + k],
                     failures[(size_t)i * lines.runs + k]);
    }
    table_add_note(
        making->table,
        "Geometric means of peak / best known lower bound over the jobs that a planner "
        "has in all of these runs (but in those where it has less than half of them); in "
        "parentheses: how many jobs have no plan that counts.");
    return STATUS_OK;
}

const struct table_recipe table_runs = {
    .name = "runs",
    .title = "the newest runs side by side: each planner's mean peak / bound, and failures",
    .caption = "Planners from run to run",
    .filter = {.stored = true},
    .wanted = "two runs of the same jobs",
    .fill = fill,
    .example = "runs --planners exact,large_first",
};
