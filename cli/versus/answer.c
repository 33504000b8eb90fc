#include "cli/versus/answer.h"

#include <string.h>

#include "cli/output/print.h"
#include "core/memory.h"
#include "core/plural.h"
#include "datasets/suite.h"
#include "results/tables/tables.h"

/* Says which of the others give mine's plans, byte for byte. */
static enum status append_twins(const struct versus *versus, struct text *text, struct error *error)
{
    const char *before = "same plans   ";
    for (uint32_t i = 0; i < versus->duels.count; i++) {
        const struct duel *duel = &versus->duels.duel[i];
        struct duel_layouts layouts;
        if (duel->ties < duel->rows)
            continue;
        TRY(duel_compare_layouts(versus->store, &versus->contest, versus->duels.mine, duel,
                                 &layouts, error));
        if (!layouts.known || layouts.same < layouts.known)
            continue;
        text_append(text, "%s%s: every offset alike on %u of %u row%s\n", before,
                    contest_name(&versus->contest, duel->standing), layouts.same, duel->rows,
                    plural_ending(duel->rows));
        before = "             ";
    }
    if (*before != ' ')
        text_append(text, "%snone of the others gives all of these plans\n", before);
    return STATUS_OK;
}

static enum status append_facts(const struct versus *versus, struct text *text, struct error *error)
{
    const struct contest *contest = &versus->contest;
    const struct standings *standings = &contest->standings;
    const struct standing *mine = &standings->standing[versus->place];
    const struct common_lines *common = &standings->common;
    uint32_t verdicts[3] = {0};
    for (uint32_t i = 0; i < versus->duels.count; i++) {
        const char *verdict = duel_describe(contest, &versus->duels.duel[i]);
        verdicts[0] += strcmp(verdict, "better") == 0;
        verdicts[1] += strcmp(verdict, "worse") == 0;
        verdicts[2] += strcmp(verdict, "unclear") == 0;
    }
    text_append(text, "%s%s%s against %u %s%s on %u row%s (instances under policies)\n\n",
                versus->mine, versus->run_label ? " of run " : "",
                versus->run_label ? versus->run_label : "", versus->duels.count,
                versus->by_orders ? "order" : "planner", plural_ending(versus->duels.count),
                common->comparable, plural_ending(common->comparable));
    if (mine->rank)
        text_append(text,
                    "rank         %u of %u, mean %.4f on %u common row%s\n"
                    "first        %s, mean %.4f\n",
                    mine->rank, common->ranked, mine->mean_ratio, common->common,
                    plural_ending(common->common), contest_name(contest, 0),
                    standings->standing[0].mean_ratio);
    else
        text_append(text, "rank         none: %u unsafe plan%s, %u row%s without a plan\n",
                    mine->refused, plural_ending(mine->refused), mine->without,
                    plural_ending(mine->without));
    text_append(text, "lowest       on %u of %u common rows nobody is lower\n", mine->wins,
                common->common);
    if (versus->duels.count)
        text_append(text, "at 5 %%       better than %u, worse than %u, unclear against %u\n",
                    verdicts[0], verdicts[1], verdicts[2]);
    text_append(text, "time         median %.3f ms%s\n", (double)mine->median_ns / 1e6,
                versus->by_orders ? ", with finding the order" : "");
    if (!versus->by_orders && versus->duels.count)
        TRY(append_twins(versus, text, error));
    if (!versus->duels.count)
        text_append(text, "opponents    none of them has a valid plan on a row where %s has one\n",
                    versus->mine);
    text_append(text, "\n");
    return text_check(text, error);
}

/* Appends a row for each suite that has some of the rows, but not all of them. */
static enum status append_suites(const struct versus *versus, const char *format, struct text *text,
                                 struct error *error)
{
    SCOPED(table_free) struct table table = {0};
    SCOPED(memory_release) bool *taken = NULL;
    const struct grid *grid = &versus->contest.grid;
    TRY(memory_create(&taken, grid->lines, sizeof *taken, error));
    table_set_title(&table, "By suite");
    table_add_columns(&table, "suite | rows: | rank: | of: | mean: | nobody lower:");
    for (uint32_t i = 0; i < suite_count(); i++) {
        SCOPED(names_free) struct names members = {0};
        uint32_t lines = 0;
        struct standing_part part;
        const char *member;
        for (uint32_t k = 0; (member = suite_instance(suite_at(i), k)) != NULL; k++)
            TRY(names_add(&members, member, error));
        for (uint32_t line = 0; line < grid->lines; line++) {
            const char *name = grid->set->row[grid->first[line]].instance;
            taken[line] = names_find(&members, name) != NAMES_NONE;
            lines += taken[line];
        }
        if (!lines || lines == grid->lines)
            continue;
        standings_judge_part(grid, &versus->contest.standings, versus->duels.mine, taken, &part);
        table_add(&table, cell_text(suite_at(i)->name), cell_number(part.lines),
                  cell_known(part.rank && part.lines, part.rank),
                  cell_number(versus->contest.standings.common.ranked),
                  cell_known_real(part.lines > 0, part.mean_ratio, 4), cell_number(part.least));
    }
    table_add_note(&table, "Over the common rows of each suite; a row may be in several.");
    if (!table_rows(&table))
        return STATUS_OK;
    TRY(print_append_table(&table, format, text, error));
    text_append(text, "\n");
    return text_check(text, error);
}

enum { USUAL_OPPONENTS = 10, EXTREMES = 5 };

enum status versus_append_table(const struct versus *versus, const char *name, uint32_t top,
                                const char *format, struct text *text, struct error *error)
{
    SCOPED(table_free) struct table table = {0};
    struct result_choice choice = versus->chosen.choice;
    choice.sort = NULL;
    choice.top = top;
    TRY(tables_build(name, versus->store, &choice, &table, error));
    TRY(print_append_table(&table, format, text, error));
    text_append(text, "\n");
    return text_check(text, error);
}

/* The rows of the table versus-instances that come first when sorted so; which: the five best, say,
   "" where all stand there. */
static enum status append_instances(const struct versus *versus, const char *sort,
                                    const char *which, const char *format, struct text *text,
                                    struct error *error)
{
    SCOPED(table_free) struct table table = {0};
    struct result_choice choice = versus->chosen.choice;
    char title[256];
    choice.sort = sort;
    choice.top = *which ? EXTREMES : 0;
    TRY(tables_build("versus-instances", versus->store, &choice, &table, error));
    snprintf(title, sizeof title, "%.200s%s", table_title(&table), which);
    table_set_title(&table, title);
    TRY(print_append_table(&table, format, text, error));
    text_append(text, "\n");
    return text_check(text, error);
}

static enum status append_duels(const struct versus *versus, const char *format, struct text *text,
                                struct error *error)
{
    uint64_t top = versus->arguments.top ? versus->arguments.top : USUAL_OPPONENTS;
    bool has_few = versus->contest.standings.common.comparable <= 2 * EXTREMES;
    TRY(versus_append_table(versus, "versus", (uint32_t)top, format, text, error));
    TRY(append_suites(versus, format, text, error));
    if (has_few)
        return append_instances(versus, NULL, "", format, text, error);
    TRY(append_instances(versus, NULL, ": the five best rows", format, text, error));
    return append_instances(versus, "-ratio", ": the five worst rows", format, text, error);
}

enum status versus_append_answer(const struct versus *versus, const char *format, struct text *text,
                                 struct error *error)
{
    if (strcmp(format, "text") != 0 && strcmp(format, "md") != 0)
        return versus_append_table(versus, "versus", 0, format, text, error);
    TRY(append_facts(versus, text, error));
    return versus->duels.count ? append_duels(versus, format, text, error)
                               : versus_append_table(versus, "leaderboard", 0, format, text, error);
}
