/* The table versus: one planner, "mine", against each of the others: on the rows that both have,
   how often and by how much either is lower, and whether that may be chance. The table
   versus_instances: its peaks beside the least of the others. */

#include <stdio.h>
#include <stdlib.h>

#include "core/compare.h"
#include "core/memory.h"
#include "results/views/planners/duels.h"
#include "results/views/recipe.h"

/* Finds "mine": the first planner that the user named, or the best ranked one. */
static enum status find_mine(struct table_making *making, uint32_t *mine)
{
    const struct contest *contest = &making->contest;
    const struct names *subject = making->choice.subject;
    const char *named = subject && subject->count ? names_get(subject, 0) : making->choice.mine;
    if (named)
        *mine = names_find(&contest->grid.planners, named);
    else
        *mine = contest->standings.count ? contest->standings.standing[0].planner : NAMES_NONE;
    if (*mine == NAMES_NONE)
        return error_set(making->error, STATUS_NO, "no results of %s among those that were chosen",
                         named ? named : "any planner");
    return STATUS_OK;
}

static void add_duel(struct table *table, const struct contest *contest, const struct duel *duel)
{
    const struct result_row *worst = &contest->grid.set->row[contest->grid.first[duel->worst_line]];
    table_add(
        table, cell_text(contest_name(contest, duel->standing)), cell_number(duel->rows),
        cell_number(duel->wins), cell_number(duel->ties), cell_number(duel->losses),
        cell_real(duel->ratio.value, 4), cell_known_real(duel->instances > 1, duel->ratio.lower, 4),
        cell_known_real(duel->instances > 1, duel->ratio.upper, 4), cell_real(duel->p_corrected, 4),
        cell_text(duel_describe(contest, duel)), cell_real(duel->worst_ratio, 4));
    if (duel->worst_ratio > 1)
        table_add(table, cell_instance(worst->instance), cell_text(worst->policy));
    else
        table_repeat(table, 2, cell_missing());
    table_add(table, cell_number(duel->instances), cell_real(duel->p_value, 4));
}

/* Notes which others there are where none has a row in common with mine. Without others there is
   nothing to say. */
static enum status note_others(struct table_making *making, uint32_t mine)
{
    enum { MOST_NAMED = 5 };
    SCOPED(text_free) struct text named = {0};
    const struct names *planners = &making->contest.grid.planners;
    if (planners->count < 2)
        return error_set(making->error, STATUS_NO,
                         "no rows that %s has in common with another planner",
                         names_get(planners, mine));
    for (uint32_t i = 0; i < planners->count && i <= MOST_NAMED; i++)
        if (i != mine)
            text_append(&named, "%s%s", named.length ? ", " : "", names_get(planners, i));
    if (planners->count > MOST_NAMED + 1)
        text_append(&named, " and more");
    TRY(text_check(&named, making->error));
    table_add_note(making->table,
                   "None of the others (%s) has a valid plan on a row where %s has one.",
                   named.bytes, names_get(planners, mine));
    return STATUS_OK;
}

static enum status fill_duels(struct table_making *making)
{
    SCOPED(duels_free) struct duels duels = {0};
    const struct contest *contest = &making->contest;
    const struct names *subject = making->choice.subject;
    struct table *table = making->table;
    char caption[128];
    uint32_t mine;
    TRY(find_mine(making, &mine));
    const char *name = names_get(&contest->grid.planners, mine);
    snprintf(caption, sizeof caption, "%.90s against the others", name);
    table_set_title(table, caption);
    TRY(duels_create(contest, mine, subject && subject->count > 1 ? subject : NULL, &duels,
                     making->error));
    for (uint32_t i = 0; i < duels.count; i++)
        add_duel(table, contest, &duels.duel[i]);
    table_add_note(table,
                   "Rows: an instance under a safe policy where both have a valid plan. A win is a "
                   "lower peak of %s; the ratio is its peak / the other's, the geometric mean over "
                   "instances, from and to its 95%% interval by Student's t, corrected for the "
                   "number of opponents by Bonferroni's method.",
                   name);
    table_add_note(table, "p: how likely so uneven a result is where both are equally good, by "
                          "Wilcoxon's signed-rank test over instances, corrected for the number "
                          "of opponents by Holm's method; p alone: not corrected. It is better or "
                          "worse where p is at most 0.05 and the interval has no 1 in it, else "
                          "unclear.");
    picker_add_notes(&making->picker, table);
    making->picker.used = true;
    return duels.count ? STATUS_OK : note_others(making, mine);
}

const struct table_recipe table_versus = {
    .name = "versus",
    .title = "one planner against the others: wins, ratios, worst, and whether it may be luck",
    .columns = "against | rows: ~2 | wins: | ties: | losses: | ratio: | from: ~1 | to: ~1 | p: | "
               "it is | worst ratio: ~2 | worst on ~3 | policy ~3 | instances: ~3 | p alone: ~3",
    .source = TABLE_OF_CONTEST,
    .fill = fill_duels,
    .subject = TABLE_OF_PLANNERS,
    .example = "versus large_first,naive",
};

/* A line on which mine and another planner have a peak that counts. */
struct held {
    uint32_t line, other; /* the first by the standings of those with the least peak */
    double ratio;         /* of mine to that peak */
};

COMPARE_BY(compare_held, struct held, compare_reals(a->ratio, b->ratio),
           compare_numbers(a->line, b->line))

static bool find_peak(const struct contest *contest, uint32_t line, uint32_t planner,
                      uint64_t *peak_bytes)
{
    const struct result_row *row = grid_at(&contest->grid, line, planner);
    return contest->standings.common.is_comparable[line] && row && picker_peak(row, peak_bytes) &&
           *peak_bytes;
}

/* Finds the least peak of a safe planner other than mine. */
static bool hold(const struct contest *contest, uint32_t mine, uint32_t line, struct held *held)
{
    uint64_t mine_bytes, bytes, least_bytes = UINT64_MAX;
    *held = (struct held){.line = line};
    if (!find_peak(contest, line, mine, &mine_bytes))
        return false;
    for (uint32_t i = 0; i < contest->standings.count; i++) {
        const struct standing *standing = &contest->standings.standing[i];
        if (standing->planner == mine || standing->refused ||
            !find_peak(contest, line, standing->planner, &bytes) || bytes >= least_bytes)
            continue;
        least_bytes = bytes;
        held->other = standing->planner;
    }
    held->ratio = (double)mine_bytes / (double)least_bytes;
    return least_bytes != UINT64_MAX;
}

static enum status fill_instances(struct table_making *making)
{
    SCOPED(memory_release) struct held *held = NULL;
    const struct contest *contest = &making->contest;
    const struct grid *grid = &contest->grid;
    char caption[128];
    uint32_t mine, count = 0;
    TRY(find_mine(making, &mine));
    const char *name = names_get(&grid->planners, mine);
    snprintf(caption, sizeof caption, "%.60s beside the least peak of the others", name);
    table_set_title(making->table, caption);
    TRY(memory_create(&held, grid->lines, sizeof *held, making->error));
    for (uint32_t i = 0; i < grid->lines; i++)
        count += hold(contest, mine, i, &held[count]);
    if (count)
        qsort(held, count, sizeof *held, compare_held);
    for (uint32_t i = 0; i < count; i++) {
        const struct result_row *row = grid_at(grid, held[i].line, mine);
        const struct result_row *other = grid_at(grid, held[i].line, held[i].other);
        table_add(making->table, cell_instance(row->instance), cell_text(row->policy),
                  cell_real(held[i].ratio, 4), cell_number(row->peak_bytes),
                  cell_number(other->peak_bytes), cell_text(other->planner));
    }
    table_add_note(making->table, "ratio: mine / least; a ratio below 1: no safe planner of the "
                                  "others is as low.");
    if (!count && grid->planners.count > 1)
        table_add_note(making->table,
                       "No safe planner of the others has a plan on a row where %s "
                       "has one.",
                       name);
    making->picker.used = count > 0 || grid->planners.count > 1;
    return STATUS_OK;
}

const struct table_recipe table_versus_instances = {
    .name = "versus-instances",
    .title = "each peak of one planner beside the least of the others, best first",
    .columns = "instance | policy | ratio: | mine (bytes): | least (bytes): | by",
    .source = TABLE_OF_CONTEST,
    .wanted = "the results of two planners for the same instances",
    .fill = fill_instances,
    .subject = TABLE_OF_PLANNERS,
    .example = "versus-instances large_first",
};
