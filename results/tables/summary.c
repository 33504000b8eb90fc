/* The table summary: every row of a store as it is. */
#include <string.h>

#include "results/views/recipe.h"

/* Whether rows stand for several seeds or repetitions, which then get columns. */
static bool is_spread(const struct result_set *set)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (set->spread[i].rows > 1)
            return true;
    return false;
}

/* Whether rows differ in nothing but their options, whose column must then stay on a
   narrow page. */
static bool is_by_options(const struct result_set *set)
{
    for (uint32_t i = 1; i < set->count; i++) {
        const struct result_row *row = &set->row[i], *before = row - 1;
        if (strcmp(row->instance, before->instance) == 0 &&
            strcmp(row->policy, before->policy) == 0 &&
            strcmp(row->planner, before->planner) == 0 &&
            strcmp(row->options, before->options) != 0)
            return true;
    }
    return false;
}

static enum status fill(struct table_making *making)
{
    enum { OPTIONS = 3 };
    const struct result_set *set = &making->contest.set;
    struct table *table = making->table;
    bool spread = is_spread(set);
    if (is_by_options(set))
        table_rank_column(table, OPTIONS, 0);
    if (spread)
        table_add_columns(table, "of (plans): | best (bytes): | worst (bytes):");
    table_add_columns(table, "gap (%): | status ~1 | verdict ~8 | execution ~7 | time (ms):");
    for (uint32_t i = 0; i < set->count; i++) {
        const struct result_row *row = &set->row[i];
        uint64_t bound_bytes = set->bound_bytes[i];
        table_add(table, cell_instance(row->instance), cell_text(row->policy),
                  cell_text(row->planner), cell_any_text(row->options), cell_number(row->seed),
                  cell_known(row->buffers, row->buffers),
                  cell_known(row->naive_bytes, row->naive_bytes),
                  cell_known(row->load_bytes, row->load_bytes),
                  cell_known(bound_bytes, bound_bytes), picker_cell(&making->picker, row));
        if (spread) {
            const struct result_spread *of = &set->spread[i];
            table_add(table, cell_number(of->rows), cell_known(of->valid, of->best_bytes),
                      cell_known(of->valid, of->worst_bytes));
        }
        table_add(
            table, picker_gap(query_worth(row) == RESULT_NUMBER, row->peak_bytes, bound_bytes),
            cell_any_text(row->status), cell_any_text(row->verdict), cell_any_text(row->execution),
            cell_known_real(row->wall_ns, (double)row->wall_ns / 1e6, 4));
    }
    making->picker.used = set->count > 0;
    table_add_note(table,
                   "lower bound: the highest that any planner proved for the instance under "
                   "the policy, at least the load. gap = (peak - lower bound) / lower bound.");
    table_add_note(table, "time: median of the samples of the newest run.");
    picker_add_notes(&making->picker, table);
    return STATUS_OK;
}

const struct table_recipe table_summary = {
    .name = "summary",
    .title = "every instance, policy and planner of a database",
    .caption = "All results",
    .columns = "instance | policy | planner | options ~4 | seed: ~3 | buffers: ~2 | "
               "naive (bytes): ~5 | load (bytes): ~6 | lower bound (bytes): | peak (bytes):",
    .wanted = "the results of any bench run",
    .fill = fill,
};
