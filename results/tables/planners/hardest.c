/* The table hardest: a row for each instance under a policy, sorted by the gap between the least
   peak and the bound, the widest first, then by the number of planners that reach the least peak,
   the fewest first. */
#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"
#include "results/views/recipe.h"

struct hardness {
    uint32_t line, plans;
    double least_ratio, median_ratio; /* peak / bound */
    uint32_t best;                    /* the first planner with the least peak */
    double share;                     /* share of the ranked planners that reach the least peak */
};

/* Judges a line; ratio is scratch, [planners]. False where nothing can be compared on it. */
static bool judge(const struct contest *contest, uint32_t line, double *ratio,
                  struct hardness *hardness)
{
    const struct grid *grid = &contest->grid;
    const struct common_lines *common = &contest->standings.common;
    uint64_t least = contest->standings.least_bytes[line];
    *hardness = (struct hardness){.line = line, .best = UINT32_MAX};
    for (uint32_t i = 0; i < grid->planners.count; i++) {
        if (!common->is_ranked[i] || !grid_ratio(grid, line, i, &ratio[hardness->plans]))
            continue;
        hardness->plans++;
        if (hardness->best == UINT32_MAX && grid_at(grid, line, i)->peak_bytes <= least)
            hardness->best = i;
    }
    if (!hardness->plans || hardness->best == UINT32_MAX || !common->is_comparable[line])
        return false;
    qsort(ratio, hardness->plans, sizeof *ratio, compare_real_items);
    grid_ratio(grid, line, hardness->best, &hardness->least_ratio);
    hardness->median_ratio = (ratio[(hardness->plans - 1) / 2] + ratio[hardness->plans / 2]) / 2;
    hardness->share = (double)contest->standings.reached[line] / hardness->plans;
    return true;
}

COMPARE_BY(compare_hardness, struct hardness, compare_reals(b->least_ratio, a->least_ratio),
           compare_reals(a->share, b->share), compare_reals(b->median_ratio, a->median_ratio),
           compare_numbers(a->line, b->line))

static enum status fill(struct table_making *making)
{
    const struct contest *contest = &making->contest;
    struct table *table = making->table;
    SCOPED(memory_release) struct hardness *hardness = NULL;
    SCOPED(memory_release) double *ratio = NULL;
    uint32_t count = 0;
    TRY(memory_create(&hardness, contest->grid.lines + (size_t)1, sizeof *hardness, making->error));
    TRY(memory_create(&ratio, contest->grid.planners.count + (size_t)1, sizeof *ratio,
                      making->error));
    for (uint32_t i = 0; i < contest->grid.lines; i++)
        count += judge(contest, i, ratio, &hardness[count]);
    qsort(hardness, count, sizeof *hardness, compare_hardness);
    for (uint32_t i = 0; i < count; i++) {
        const struct grid *grid = &contest->grid;
        const struct result_row *row = &grid->set->row[grid->first[hardness[i].line]];
        table_add(table, cell_instance(row->instance), cell_text(row->policy),
                  cell_known(row->buffers > 0, row->buffers),
                  cell_number(grid->set->bound_bytes[grid->first[hardness[i].line]]),
                  cell_number(contest->standings.least_bytes[hardness[i].line]),
                  cell_real(100 * (hardness[i].least_ratio - 1), 2),
                  cell_real(100 * (hardness[i].median_ratio - 1), 2),
                  cell_number(contest->standings.reached[hardness[i].line]),
                  cell_number(hardness[i].plans),
                  cell_text(names_get(&grid->planners, hardness[i].best)));
    }
    making->picker.used = count > 0;
    table_add_note(table, "By the gap between the least peak and the bound, then by the share of "
                          "planners that reach that peak, then by the median gap. Planners with an "
                          "unsafe plan and policies that are unsafe are left out.");
    picker_add_notes(&making->picker, table);
    return STATUS_OK;
}

const struct table_recipe table_hardest = {
    .name = "hardest",
    .title = "instances by what is left of the gap, and by how few planners reach the least peak",
    .caption = "The hardest instances first",
    .columns = "instance | policy | buffers: ~1 | bound (bytes): ~2 | least peak (bytes): | "
               "least gap (%): | median gap (%): | reached by: | of (planners): | first of them",
    .source = TABLE_OF_CONTEST,
    .wanted = "the results of any bench run",
    .fill = fill,
    .example = "hardest --top 20",
};
