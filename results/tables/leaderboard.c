/* The table leaderboard: a row for each planner, the best first: how it stands against the others
   on the rows that all of them have, and on the hard ones among those. */

#include "results/tables/tables.h"
#include "results/views/contest.h"
#include "results/views/picker.h"

static void add_columns(struct table *table)
{
    table_set_title(table, "Leaderboard");
    table_add_column(table, "rank", "", TABLE_RIGHT);
    table_add_column(table, "planner", "", TABLE_LEFT);
    table_add_column(table, "plans", "", TABLE_RIGHT);
    table_add_column(table, "wins", "", TABLE_RIGHT);
    table_add_column(table, "at the bound", "", TABLE_RIGHT);
    table_add_column(table, "mean", "", TABLE_RIGHT);
    table_add_column(table, "hard mean", "", TABLE_RIGHT);
    table_add_column(table, "worst gap", "%", TABLE_RIGHT);
    table_add_column(table, "worst on", "", TABLE_LEFT);
    table_add_column(table, "median time", "ms", TABLE_RIGHT);
    table_add_column(table, "no plan", "", TABLE_RIGHT);
    table_add_column(table, "unsafe", "", TABLE_RIGHT);
}

static void add_mean(struct table *table, double mean)
{
    if (mean > 0)
        table_add_real(table, mean, 4);
    else
        table_add_missing(table);
}

static void add_standing(const struct grid *grid, const struct standing *standing,
                         struct table *table)
{
    table_add_known(table, standing->rank > 0, standing->rank);
    table_add_text(table, names_get(&grid->planners, standing->planner));
    table_add_number(table, standing->plans);
    table_add_known(table, standing->rank > 0, standing->wins);
    table_add_number(table, standing->met);
    add_mean(table, standing->mean_ratio);
    add_mean(table, standing->hard_ratio);
    table_add_real(table, 100 * (standing->worst_ratio - 1), 2);
    table_add_instance(table, grid->set->row[grid->first[standing->worst_line]].instance);
    table_add_real(table, (double)standing->median_ns / 1e6, 3);
    table_add_number(table, standing->without);
    table_add_number(table, standing->refused);
}

static void add_notes(const struct grid *grid, const struct standings *standings,
                      struct table *table)
{
    const struct common_lines *common = &standings->common;
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
}

static void fill(const struct contest *contest, struct picker *picker, struct table *table)
{
    const struct standings *standings = &contest->standings;
    add_columns(table);
    for (uint32_t i = 0; i < standings->count; i++)
        add_standing(&contest->grid, &standings->standing[i], table);
    picker->used = standings->count > 0;
    add_notes(&contest->grid, standings, table);
    picker_add_notes(picker, table);
}

static enum status build(struct store *store, const struct result_choice *choice,
                         struct table *table, struct error *error)
{
    struct contest contest;
    TRY(contest_open(store, choice, &contest, error));
    struct picker picker = {.set = &contest.set};
    fill(&contest, &picker, table);
    enum status status = picker_check(&picker, "the results of any bench run", error);
    contest_free(&contest);
    return status ? status : table_check(table, error);
}

const struct table_recipe table_leaderboard = {
    .name = "leaderboard",
    .title = "planners by rank: wins, means over common and hard rows, worst, time, failures",
    .example = "leaderboard --suite tight --top 10",
    .build = build,
};
