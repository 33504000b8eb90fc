/* The table reliability: what soak.sh has counted in all its runs, as compiled in. */

#include "results/published/published.h"
#include "results/tables/tables.h"

static const char source[] = "reliability";

static void add_columns(struct table *table)
{
    table_set_title(table, "What soak.sh has tried, and what it found");
    table_add_column(table, "part", "", TABLE_LEFT);
    table_add_column(table, "counted", "", TABLE_LEFT);
    table_add_column(table, "number", "", TABLE_RIGHT);
    table_add_column(table, "runs", "", TABLE_RIGHT);
    table_add_column(table, "first", "", TABLE_LEFT);
    table_add_column(table, "last", "", TABLE_LEFT);
}

/* Adds a row of what was compiled in; false beyond the last one. */
static bool add_row(struct table *table, unsigned row)
{
    static const char *const columns[] = {"part", "counted", "number", "runs", "first", "last"};
    struct published_value value;
    if (!published_cell(source, row, columns[0], &value))
        return false;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        if (published_cell(source, row, columns[i], &value))
            table_add_text(table, value.text);
        else
            table_add_missing(table);
    }
    return true;
}

static enum status build(struct store *store, const struct result_choice *choice,
                         struct table *table, struct error *error)
{
    unsigned rows = 0;
    (void)store;
    (void)choice;
    add_columns(table);
    while (add_row(table, rows))
        rows++;
    table_add_note(table, "Sums of the runs of ./soak.sh up to the last change of "
                          "results/published/reliability.csv before this program was built; faults "
                          "count what is not mended or was not when it was found.");
    return table_check(table, error);
}

const struct table_recipe table_reliability = {
    .name = "reliability",
    .title = "kills, differential problems and fuzzing: what soak.sh has tried, and what it found",
    .build = build};
