/* The table gaps: a row for each instance and policy, a column for each planner with its gap to the
   highest bound that anyone proved; means at the foot. */

#include "results/tables/tables.h"
#include "results/views/picker.h"
#include "results/views/standings.h"

enum { NAME_COLUMNS = 3 };

static void add_columns(const struct grid *grid, struct table *table)
{
    table_set_title(table, "Gap to the best known lower bound, in percent");
    table_add_column(table, "instance", "", TABLE_LEFT);
    table_add_column(table, "policy", "", TABLE_LEFT);
    table_add_column(table, "bound", "bytes", TABLE_RIGHT);
    for (uint32_t i = 0; i < grid->planners.count; i++)
        table_add_column(table, names_get(&grid->planners, i), "%", TABLE_RIGHT);
}

static void add_gap(const struct grid *grid, struct picker *picker, struct table *table,
                    uint32_t line, uint32_t planner)
{
    const struct result_row *row = grid_at(grid, line, planner);
    double ratio;
    if (grid_ratio(grid, line, planner, &ratio))
        table_add_real(table, 100 * (ratio - 1), 2);
    else if (!row || query_worth(row) == RESULT_NUMBER)
        table_add_missing(table);
    else
        picker_add_peak(picker, table, row);
    picker->missing += !row;
    picker->used |= row != NULL;
}

static void mark_best(const struct grid *grid, struct table *table, uint32_t line)
{
    double best = -1, ratio;
    for (uint32_t i = 0; i < grid->planners.count; i++)
        if (grid_ratio(grid, line, i, &ratio) && (best < 0 || ratio < best))
            best = ratio;
    for (uint32_t i = 0; i < grid->planners.count; i++)
        if (grid_ratio(grid, line, i, &ratio) && ratio <= best)
            table_mark(table, line, NAME_COLUMNS + i);
}

static void add_line(const struct grid *grid, struct picker *picker, struct table *table,
                     uint32_t line)
{
    const struct result_row *first = &grid->set->row[grid->first[line]];
    uint64_t bound_bytes = grid->set->bound_bytes[grid->first[line]];
    table_add_instance(table, first->instance);
    table_add_text(table, first->policy);
    table_add_known(table, bound_bytes, bound_bytes);
    for (uint32_t i = 0; i < grid->planners.count; i++)
        add_gap(grid, picker, table, line, i);
    mark_best(grid, table, line);
}

static void add_foot(struct table *table, const char *title)
{
    table_add_text(table, title);
    for (unsigned i = 1; i < NAME_COLUMNS; i++)
        table_add_text(table, "");
}

static void add_mean(struct table *table, double mean, bool known)
{
    if (known)
        table_add_real(table, mean, 4);
    else
        table_add_missing(table);
}

static void add_means(const struct grid *grid, const struct common_lines *common,
                      struct table *table)
{
    uint32_t lines;
    add_foot(table, "geometric mean of peak / bound");
    for (uint32_t i = 0; i < grid->planners.count; i++) {
        double mean = grid_mean_ratio(grid, i, &lines);
        add_mean(table, mean, lines);
    }
    add_foot(table, "the same over common rows");
    for (uint32_t i = 0; i < grid->planners.count; i++) {
        double mean = common_lines_mean_ratio(common, grid, i, &lines);
        add_mean(table, mean, lines && common->is_ranked[i]);
    }
}

static void add_counts(const struct grid *grid, struct table *table)
{
    add_foot(table, "rows with a number");
    for (uint32_t i = 0; i < grid->planners.count; i++) {
        uint32_t lines;
        grid_mean_ratio(grid, i, &lines);
        table_add_number(table, lines);
    }
}

static bool has_split(const struct result_set *set)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (set->row[i].split_buffers)
            return true;
    return false;
}

/* Ranks the columns, so that where there is no room for all, the planners with the best means over
   common rows are shown. */
static void rank_columns(const struct standings *standings, struct table *table)
{
    for (uint32_t i = NAME_COLUMNS; i < table_columns(table); i++)
        table_rank_column(table, i, UINT32_MAX);
    for (uint32_t i = 0; i < standings->count; i++)
        table_rank_column(table, NAME_COLUMNS + standings->standing[i].planner, i + 1);
}

static void add_all(const struct grid *grid, const struct common_lines *common,
                    struct picker *picker, struct table *table)
{
    add_columns(grid, table);
    for (uint32_t i = 0; i < grid->lines; i++)
        add_line(grid, picker, table, i);
    add_counts(grid, table);
    add_means(grid, common, table);
    table_set_foot(table, 3);
    table_add_note(table,
                   "gap = (peak - bound) / bound; bound: the highest that any planner proved, "
                   "at least the load. The best of each row is marked.");
    table_add_note(
        table,
        "Common rows are the %u of %u where each of %u planners has a number: only their "
        "means can be compared. The other %u have an unsafe plan or too few numbers.",
        common->common, grid->lines, common->ranked, grid->planners.count - common->ranked);
    if (has_split(grid->set))
        table_add_note(table, "The bound is for plans that split no buffer; a planner that splits "
                              "some may be below it.");
    picker_add_notes(picker, table);
}

static enum status build(struct store *store, const struct result_choice *choice,
                         struct table *table, struct error *error)
{
    struct result_set set = {0};
    struct grid grid = {0};
    struct standings standings = {0};
    struct picker picker = {.set = &set};
    enum status status;
    TRY_OR_DONE(status,
                query_newest(store, &(struct result_filter){.choice = choice}, &set, error));
    TRY_OR_DONE(status, grid_create(&set, &grid, error));
    TRY_OR_DONE(status, standings_create(&grid, &standings, error));
    add_all(&grid, &standings.common, &picker, table);
    rank_columns(&standings, table);
    TRY_OR_DONE(status, picker_check(&picker, "the results of any bench run", error));
    status = table_check(table, error);
done:
    standings_free(&standings);
    grid_free(&grid);
    query_free(&set);
    return status;
}

const struct table_recipe table_gaps = {
    .name = "gaps",
    .title = "every planner's gap to the best known lower bound",
    .build = build,
};
