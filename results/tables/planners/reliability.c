/* The table reliability: the counts of all runs of soak.sh, which are compiled in. */
#include "results/published/published.h"
#include "results/views/recipe.h"

static enum status fill(struct table_making *making)
{
    static const char source[] = "reliability";
    static const char *const columns[] = {"part", "counted", "number", "runs", "first", "last"};
    struct published_value value;
    for (unsigned row = 0; published_cell(source, row, columns[0], &value); row++)
        for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
            table_add(
                making->table,
                cell_any_text(published_cell(source, row, columns[i], &value) ? value.text : ""));
    making->picker.used = true;
    table_add_note(making->table,
                   "Sums of the runs of ./soak.sh up to the last change of "
                   "results/published/reliability.csv before this program was built; faults "
                   "count what is not mended or was not when it was found.");
    return STATUS_OK;
}

const struct table_recipe table_reliability = {
    .name = "reliability",
    .title = "kills, differential problems and fuzzing: what soak.sh has tried, and what it found",
    .caption = "What soak.sh has tried, and what it found",
    .columns = "part | counted | number: | runs: | first | last",
    .source = TABLE_OF_ITS_OWN,
    .fill = fill,
};
