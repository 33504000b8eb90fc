/* The table versus: one planner, "mine", against each of the others: on the rows that both have,
   how often and by how much either is lower, and whether that may be chance. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "results/compare/statistics.h"
#include "results/views/recipe.h"

/* The rows that both planners have: how those of "mine" compare with the other's. */
struct duel {
    uint32_t rows, wins, ties, losses;
    uint32_t instances, better, worse; /* means over policies, so that each instance counts once */
    double log_sum;                    /* sum of the logarithms of mine / the other's */
    double worst_log;
    uint32_t worst_line;
    double *instance_log; /* [instances] */
};

struct versus {
    const struct grid *grid;
    const struct standings *standings;
    uint32_t mine;
    struct table *table;
};

static bool find_ratio(const struct versus *versus, uint32_t line, uint32_t other, double *ratio)
{
    double mine, theirs;
    if (!versus->standings->common.is_comparable[line] ||
        !grid_ratio(versus->grid, line, versus->mine, &mine) ||
        !grid_ratio(versus->grid, line, other, &theirs) || mine <= 0 || theirs <= 0)
        return false;
    *ratio = log((double)grid_at(versus->grid, line, versus->mine)->peak_bytes) -
             log((double)grid_at(versus->grid, line, other)->peak_bytes);
    return true;
}

static void end_instance(struct duel *duel, double sum, uint32_t rows)
{
    if (!rows)
        return;
    double mean = sum / rows;
    duel->instance_log[duel->instances++] = mean;
    duel->better += mean < 0;
    duel->worse += mean > 0;
}

static const char *get_instance(const struct grid *grid, uint32_t line)
{
    return grid->set->row[grid->first[line]].instance;
}

/* Compares "mine" with another planner. The lines of one instance are neighbours. */
static void hold(const struct versus *versus, uint32_t other, struct duel *duel)
{
    double sum = 0, ratio;
    uint32_t rows = 0;
    *duel = (struct duel){.instance_log = duel->instance_log};
    for (uint32_t i = 0; i < versus->grid->lines; i++) {
        if (i && strcmp(get_instance(versus->grid, i), get_instance(versus->grid, i - 1)) != 0) {
            end_instance(duel, sum, rows);
            sum = rows = 0;
        }
        if (!find_ratio(versus, i, other, &ratio))
            continue;
        duel->wins += ratio < 0;
        duel->ties += !(ratio < 0) && !(ratio > 0);
        duel->losses += ratio > 0;
        duel->log_sum += ratio;
        if (!duel->rows++ || ratio > duel->worst_log) {
            duel->worst_log = ratio;
            duel->worst_line = i;
        }
        sum += ratio;
        rows++;
    }
    end_instance(duel, sum, rows);
}

static enum status add_duel(const struct versus *versus, uint32_t other, const struct duel *duel,
                            struct error *error)
{
    struct table *table = versus->table;
    const struct result_row *worst = &versus->grid->set->row[versus->grid->first[duel->worst_line]];
    double rank_p;
    TRY(statistics_signed_rank_test(duel->instance_log, duel->instances, &rank_p, error));
    table_add(table, cell_text(names_get(&versus->grid->planners, other)), cell_number(duel->rows),
              cell_number(duel->wins), cell_number(duel->ties), cell_number(duel->losses),
              cell_real(exp(duel->log_sum / duel->rows), 4), cell_real(exp(duel->worst_log), 4));
    if (duel->worst_log > 0) {
        table_add(table, cell_instance(worst->instance), cell_text(worst->policy));
    } else {
        table_repeat(table, 2, cell_missing());
    }
    table_add(table, cell_number(duel->instances),
              cell_real(statistics_sign_test(duel->better, duel->worse), 4), cell_real(rank_p, 4));
    return STATUS_OK;
}

/* Adds a row for each of the other planners. Those with an unsafe plan come last and are marked. */
static enum status add_rows(const struct versus *versus, const struct names *others,
                            struct error *error)
{
    const struct standings *standings = versus->standings;
    struct duel duel = {0};
    enum status status = STATUS_OK;
    TRY(memory_create(&duel.instance_log, versus->grid->lines + (size_t)1,
                      sizeof *duel.instance_log, error));
    for (unsigned unsafe = 0; unsafe < 2 && !status; unsafe++)
        for (uint32_t i = 0; i < standings->count && !status; i++) {
            const struct standing *standing = &standings->standing[i];
            const char *name = names_get(&versus->grid->planners, standing->planner);
            if (standing->planner == versus->mine || (standing->refused > 0) != unsafe ||
                (others && names_find(others, name) == NAMES_NONE))
                continue;
            hold(versus, standing->planner, &duel);
            if (!duel.rows)
                continue;
            status = add_duel(versus, standing->planner, &duel, error);
            table_add(versus->table, cell_text(unsafe ? "has unsafe plans" : ""));
        }
    memory_free(duel.instance_log);
    return status;
}

static enum status fill(struct table_making *making)
{
    struct table *table = making->table;
    const struct names *subject = making->choice.subject;
    struct versus versus = {
        .grid = &making->contest.grid, .standings = &making->contest.standings, .table = table};
    /* Finds "mine": the first planner that the user named, or the best ranked one. */
    if (subject && subject->count)
        versus.mine = names_find(&versus.grid->planners, names_get(subject, 0));
    else
        versus.mine = versus.standings->count ? versus.standings->standing[0].planner : NAMES_NONE;
    if (versus.mine == NAMES_NONE)
        return error_set(making->error, STATUS_NO, "no results of %s among those that were chosen",
                         subject && subject->count ? names_get(subject, 0) : "any planner");
    const char *mine = names_get(&versus.grid->planners, versus.mine);
    char caption[128];
    snprintf(caption, sizeof caption, "%s against the others", mine);
    table_set_title(table, caption);
    TRY(add_rows(&versus, subject && subject->count > 1 ? subject : NULL, making->error));
    table_add_note(table,
                   "Rows: an instance under a safe policy where both have a valid plan. A win is a "
                   "lower peak of %s; the ratios are its peak / the other's, the mean geometric.",
                   mine);
    table_add_note(table, "p: how likely so uneven a result is where both are equally good, by the "
                          "sign test and by Wilcoxon's signed-rank test, two-sided, over instances "
                          "(means over their policies), without correction for several opponents.");
    picker_add_notes(&making->picker, table);
    making->picker.used = true;
    if (!table_rows(table) && !table->failed)
        return error_set(making->error, STATUS_NO,
                         "no rows that %s has in common with another planner", mine);
    return STATUS_OK;
}

const struct table_recipe table_versus = {
    .name = "versus",
    .title = "one planner against the others: wins, ratios, worst, and whether it may be luck",
    .columns = "against | rows: | wins: | ties: | losses: | mean ratio: | worst ratio: | "
               "worst on | policy ~2 | instances: ~1 | p, signs: | p, ranks: | remark",
    .source = TABLE_OF_CONTEST,
    .fill = fill,
    .subject = TABLE_OF_PLANNERS,
    .example = "versus large_first,naive",
};
