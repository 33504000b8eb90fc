/* The table summary: every row of a store as it is. */

#include <string.h>

#include "results/tables/tables.h"
#include "results/views/picker.h"

/* Whether rows stand for several seeds or repetitions, which then get columns. */
static bool is_spread(const struct result_set *set)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (set->spread[i].rows > 1)
            return true;
    return false;
}

static void add_columns(struct table *table, bool spread)
{
    table_set_title(table, "All results");
    table_add_column(table, "instance", "", TABLE_LEFT);
    table_add_column(table, "policy", "", TABLE_LEFT);
    table_add_column(table, "planner", "", TABLE_LEFT);
    table_add_column(table, "options", "", TABLE_LEFT);
    table_add_column(table, "seed", "", TABLE_RIGHT);
    table_add_column(table, "buffers", "", TABLE_RIGHT);
    table_add_column(table, "naive", "bytes", TABLE_RIGHT);
    table_add_column(table, "load", "bytes", TABLE_RIGHT);
    table_add_column(table, "lower bound", "bytes", TABLE_RIGHT);
    table_add_column(table, "peak", "bytes", TABLE_RIGHT);
    if (spread) {
        table_add_column(table, "of", "plans", TABLE_RIGHT);
        table_add_column(table, "best", "bytes", TABLE_RIGHT);
        table_add_column(table, "worst", "bytes", TABLE_RIGHT);
    }
    table_add_column(table, "gap", "%", TABLE_RIGHT);
    table_add_column(table, "status", "", TABLE_LEFT);
    table_add_column(table, "verdict", "", TABLE_LEFT);
    table_add_column(table, "execution", "", TABLE_LEFT);
    table_add_column(table, "time", "ms", TABLE_RIGHT);
}

/* Says which columns are left out first where there is no room for all. */
static void rank_columns(struct table *table)
{
    static const char *const least[] = {"verdict", "execution", "load",    "naive",
                                        "options", "seed",      "buffers", "status"};
    for (uint32_t i = 0; i < table_columns(table); i++)
        for (uint32_t k = 0; k < sizeof least / sizeof *least; k++)
            if (strcmp(names_get(&table->headings, i), least[k]) == 0)
                table_rank_column(table, i, (uint32_t)(sizeof least / sizeof *least) - k);
}

static void add_gap(struct table *table, const struct result_row *row, uint64_t bound_bytes)
{
    if (bound_bytes && query_worth(row) == RESULT_NUMBER)
        table_add_real(table, query_gap_percent(row->peak_bytes, bound_bytes), 2);
    else
        table_add_missing(table);
}

static void add_spread(struct table *table, const struct result_spread *spread)
{
    table_add_number(table, spread->rows);
    table_add_known(table, spread->valid, spread->best_bytes);
    table_add_known(table, spread->valid, spread->worst_bytes);
}

static void add_row(struct picker *picker, struct table *table, uint32_t index, bool spread)
{
    const struct result_row *row = &picker->set->row[index];
    uint64_t bound_bytes = picker->set->bound_bytes[index];
    picker->used = true;
    table_add_instance(table, row->instance);
    table_add_text(table, row->policy);
    table_add_text(table, row->planner);
    table_add_any_text(table, row->options);
    table_add_number(table, row->seed);
    table_add_known(table, row->buffers, row->buffers);
    table_add_known(table, row->naive_bytes, row->naive_bytes);
    table_add_known(table, row->load_bytes, row->load_bytes);
    table_add_known(table, bound_bytes, bound_bytes);
    picker_add_peak(picker, table, row);
    if (spread)
        add_spread(table, &picker->set->spread[index]);
    add_gap(table, row, bound_bytes);
    table_add_any_text(table, row->status);
    table_add_any_text(table, row->verdict);
    table_add_any_text(table, row->execution);
    if (row->wall_ns)
        table_add_real(table, (double)row->wall_ns / 1e6, 4);
    else
        table_add_missing(table);
}

static enum status build(struct store *store, const struct result_choice *choice,
                         struct table *table, struct error *error)
{
    struct result_set set = {0};
    TRY(query_newest(store, &(struct result_filter){.choice = choice}, &set, error));
    struct picker picker = {.set = &set};
    bool spread = is_spread(&set);
    add_columns(table, spread);
    rank_columns(table);
    for (uint32_t i = 0; i < set.count; i++)
        add_row(&picker, table, i, spread);
    table_add_note(table,
                   "lower bound: the highest that any planner proved for the instance under "
                   "the policy, at least the load. gap = (peak - lower bound) / lower bound.");
    table_add_note(table, "time: median of the samples of the newest run.");
    picker_add_notes(&picker, table);
    query_free(&set);
    TRY(picker_check(&picker, "the results of any bench run", error));
    return table_check(table, error);
}

const struct table_recipe table_summary = {
    .name = "summary",
    .title = "every instance, policy and planner of a database",
    .build = build,
};
