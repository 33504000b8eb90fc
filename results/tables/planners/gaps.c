/* The table gaps: a row for each instance and policy, a column for each planner with its gap to the
   highest proved bound; means at the foot. */
#include "results/views/recipe.h"

enum { NAME_COLUMNS = 3 };

static void add_line(struct table_making *making, uint32_t line)
{
    const struct grid *grid = &making->contest.grid;
    const struct result_row *first = &grid->set->row[grid->first[line]];
    uint64_t bound_bytes = grid->set->bound_bytes[grid->first[line]];
    table_add(making->table, cell_instance(first->instance), cell_text(first->policy),
              cell_known(bound_bytes, bound_bytes));
    for (uint32_t i = 0; i < grid->planners.count; i++) {
        const struct result_row *row = grid_at(grid, line, i);
        double ratio;
        if (grid_ratio(grid, line, i, &ratio))
            table_add(making->table, cell_real(100 * (ratio - 1), 2));
        else if (!row || query_worth(row) == RESULT_NUMBER)
            table_add(making->table, cell_missing());
        else
            table_add(making->table, picker_cell(&making->picker, row));
        making->picker.missing += !row;
        making->picker.used |= row != NULL;
    }
    double best = -1, ratio;
    for (uint32_t i = 0; i < grid->planners.count; i++)
        if (grid_ratio(grid, line, i, &ratio) && (best < 0 || ratio < best))
            best = ratio;
    for (uint32_t i = 0; i < grid->planners.count; i++)
        if (grid_ratio(grid, line, i, &ratio) && ratio <= best)
            table_mark(making->table, line, NAME_COLUMNS + i);
}

static void begin_foot_row(struct table *table, const char *title)
{
    table_add(table, cell_text(title));
    table_repeat(table, NAME_COLUMNS - 1, cell_text(""));
}

static void add_foot(const struct grid *grid, const struct common_lines *common,
                     struct table *table)
{
    uint32_t lines;
    begin_foot_row(table, "rows with a number");
    for (uint32_t i = 0; i < grid->planners.count; i++) {
        grid_mean_ratio(grid, i, &lines);
        table_add(table, cell_number(lines));
    }
    begin_foot_row(table, "geometric mean of peak / bound");
    for (uint32_t i = 0; i < grid->planners.count; i++) {
        double mean = grid_mean_ratio(grid, i, &lines);
        table_add(table, cell_known_real(lines, mean, 4));
    }
    begin_foot_row(table, "the same over common rows");
    for (uint32_t i = 0; i < grid->planners.count; i++) {
        double mean = common_lines_mean_ratio(common, grid, i, &lines);
        table_add(table, cell_known_real(lines && common->is_ranked[i], mean, 4));
    }
    table_set_foot(table, 3);
}

static bool has_split(const struct result_set *set)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (set->row[i].split_buffers)
            return true;
    return false;
}

/* Where there is no room for all columns, the planners with the best means over common rows are
   shown. */
static enum status fill(struct table_making *making)
{
    const struct grid *grid = &making->contest.grid;
    const struct standings *standings = &making->contest.standings;
    struct table *table = making->table;
    for (uint32_t i = 0; i < grid->planners.count; i++) {
        table_add_column(table, names_get(&grid->planners, i), "%", TABLE_RIGHT);
        table_rank_column(table, NAME_COLUMNS + i, UINT32_MAX);
    }
    for (uint32_t i = 0; i < standings->count; i++)
        table_rank_column(table, NAME_COLUMNS + standings->standing[i].planner, i + 1);
    for (uint32_t i = 0; i < grid->lines; i++)
        add_line(making, i);
    add_foot(grid, &standings->common, table);
    const struct common_lines *common = &standings->common;
    table_add_note(table,
                   "gap = (peak - bound) / bound; bound: the highest that any planner proved, "
                   "at least the load. The best of each row is marked.");
    table_add_note(
        table,
        "Common rows are the %u of %u where each of %u planners has a number: only their "
        "means can be compared. Planners with an unsafe plan or too few numbers: %u.",
        common->common, grid->lines, common->ranked, grid->planners.count - common->ranked);
    if (has_split(grid->set))
        table_add_note(table, "The bound is for plans that split no buffer; a planner that splits "
                              "some may be below it.");
    picker_add_notes(&making->picker, table);
    return STATUS_OK;
}

const struct table_recipe table_gaps = {
    .name = "gaps",
    .title = "every planner's gap to the best known lower bound",
    .caption = "Gap to the best known lower bound, in percent",
    .columns = "instance | policy | bound (bytes):",
    .source = TABLE_OF_CONTEST,
    .wanted = "the results of any bench run",
    .fill = fill,
};
