/* The table leaderboard: a row for each planner, the best first: how it compares with the others on
   the common rows, and on the hard ones among these. */
#include <string.h>

#include "results/views/recipe.h"

enum { PLANNER_COLUMN = 1 };

static enum status fill(struct table_making *making)
{
    const struct grid *grid = &making->contest.grid;
    const struct standings *standings = &making->contest.standings;
    const struct common_lines *common = &standings->common;
    struct table *table = making->table;
    bool by_orders = making->choice.by_orders;
    for (uint32_t i = 0; i < standings->count; i++) {
        const struct standing *standing = &standings->standing[i];
        table_add(table, cell_known(standing->rank > 0, standing->rank),
                  cell_text(names_get(&grid->planners, standing->planner)),
                  cell_number(standing->plans), cell_known(standing->rank > 0, standing->wins),
                  cell_known(!by_orders, standing->met),
                  cell_known_real(standing->mean_ratio > 0, standing->mean_ratio, 4),
                  cell_known_real(standing->hard_ratio > 0, standing->hard_ratio, 4),
                  cell_real(100 * (standing->worst_ratio - 1), 2),
                  cell_instance(grid->set->row[grid->first[standing->worst_line]].instance),
                  cell_real((double)standing->median_ns / 1e6, 3), cell_number(standing->without),
                  cell_number(standing->refused));
        if (making->choice.mine &&
            strcmp(contest_name(&making->contest, i), making->choice.mine) == 0)
            table_mark(table, i, PLANNER_COLUMN);
    }
    making->picker.used = standings->count > 0;
    table_add_note(table,
                   "mean: geometric, of peak / bound, over the %u of %u rows (an instance under a "
                   "policy) where each of the %u ranked planners has a safe plan; wins: of those "
                   "rows, where nobody is lower; median time: over them too.",
                   common->common, grid->lines, common->ranked);
    table_add_note(table,
                   "hard mean: the same over the %u of those rows where fewer than half of the "
                   "ranked planners reach the least peak.",
                   standings->hard);
    if (common->ranked < standings->count)
        table_add_note(table, "Without a rank: planners with an unsafe plan, or with too few plans "
                              "to compare; their means are over their own rows.");
    table_add_note(table,
                   "at the bound, worst gap: over all of a planner's own plans. no plan: "
                   "rows where it found none in its time; unsafe: where a check refused it.");
    if (by_orders)
        table_add_note(table, "Orders stand in for planners: a row is a graph under a policy, its "
                              "bound the least peak of any order there, a peak the least of those "
                              "planners that planned every order, and time includes the order's.");
    picker_add_notes(&making->picker, table);
    return STATUS_OK;
}

const struct table_recipe table_leaderboard = {
    .name = "leaderboard",
    .title = "planners by rank: wins, means over common and hard rows, worst, time, failures",
    .caption = "Leaderboard",
    .columns = "rank: | planner | plans: | wins: | at the bound: | mean: | hard mean: | "
               "worst gap (%): | worst on | median time (ms): | no plan: | unsafe:",
    .source = TABLE_OF_CONTEST,
    .wanted = "the results of any bench run",
    .fill = fill,
    .example = "leaderboard --suite tight --top 10",
};
