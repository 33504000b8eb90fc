#include "plots/report/overview.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "core/plural.h"
#include "plots/report/data.h"
#include "plots/report/page.h"
#include "results/compare/comparison_tables.h"
#include "results/compare/verdict.h"
#include "results/store/runs.h"
#include "results/table/escape.h"
#include "results/tables/tables.h"
#include "results/views/planners/standings.h"

enum { MOST_RUNS = 8, MOST_RANKED = 10, MOST_NAMED = 3 };

static void append_count(struct text *html, uint64_t count, const char *word)
{
    text_append(html, "%" PRIu64 " %s%s", count, word, plural_ending(count));
}

static void append_escaped(struct text *html, const char *before, const char *raw,
                           const char *after)
{
    if (!*raw)
        return;
    text_append(html, "%s<bdi>", before);
    escape_html(html, raw);
    text_append(html, "</bdi>%s", after);
}

/* The first digits of a commit's hash, with "-dirty" if that follows the hash. */
enum { COMMIT_BYTES = 24 };
static void shorten_commit(const char *hash, char shortened[COMMIT_BYTES])
{
    const char *rest = strchr(hash, '-');
    snprintf(shortened, COMMIT_BYTES, "%.10s%.12s", hash, rest ? rest : "");
}

static void append_newest(struct text *html, const struct run_summary *newest)
{
    const struct run_row *run = &newest->run;
    char commit[COMMIT_BYTES];
    shorten_commit(run->source_commit, commit);
    append_escaped(html, "<p>The newest run is <strong>", run->label, "</strong>");
    append_escaped(html, ", begun ", run->started, " (UTC)");
    append_escaped(html, ", on ", run->host, "");
    append_escaped(html, " (", run->cpu, ")");
    append_escaped(html, ", commit <code>", commit, "</code>");
    text_append(html, ": ");
    append_count(html, newest->rows, "result");
    text_append(html, " on ");
    append_count(html, newest->instances, "instance");
    text_append(html, " by ");
    append_count(html, newest->planners, "planner");
    text_append(html, ".</p>\n");
    append_escaped(html, "<p><code>", run->command, "</code></p>\n");
    append_escaped(html, "<p class=\"problem\">Its times cannot be trusted: ", run->noise,
                   ".</p>\n");
}

static enum status append_runs(struct store *store, const struct run_list *runs, struct text *html,
                               struct error *error)
{
    SCOPED(table_free) struct table table = {0};
    SCOPED(table_free) struct table side_by_side = {0};
    struct error reason = ERROR_NONE;
    if (runs->count)
        append_newest(html, &runs->run[0]);
    if (runs->count < 2)
        return STATUS_OK;
    table_set_title(&table, "Runs of this database");
    /* "(UTC)" is part of a heading here, no unit. */
    table_add_column(&table, "run", "", TABLE_LEFT);
    table_add_column(&table, "begun (UTC)", "", TABLE_LEFT);
    table_add_column(&table, "ended (UTC)", "", TABLE_LEFT);
    table_add_columns(&table, "host | commit | results: | instances: | planners: | failed:");
    for (uint32_t i = 0; i < runs->count && i < MOST_RUNS; i++) {
        const struct run_summary *summary = &runs->run[i];
        char commit[COMMIT_BYTES];
        shorten_commit(summary->run.source_commit, commit);
        table_add(&table, cell_text(summary->run.label), cell_text(summary->run.started),
                  cell_text(summary->run.ended), cell_text(summary->run.host), cell_text(commit),
                  cell_number(summary->rows), cell_number(summary->instances),
                  cell_number(summary->planners), cell_number(summary->failed));
    }
    if (runs->count > MOST_RUNS)
        table_add_note(&table, "The newest %d of %u runs; memplan runs lists them all.", MOST_RUNS,
                       runs->count);
    TRY(report_page_table(html, &table, error));
    enum status status = tables_build("runs", store, NULL, &side_by_side, &reason);
    if (!status)
        return report_page_table(html, &side_by_side, error);
    *error = reason;
    return status == STATUS_NO ? STATUS_OK : status;
}

/* Says who has the best plans: a sentence that names those who share the first rank, which are at
   the front of the standings, and the first of the table leaderboard, among them `mine` if it is
   not NULL. O(planners * lines). */
static enum status append_winners(struct store *store, const struct result_set *set,
                                  const char *mine, struct text *html, struct error *error)
{
    SCOPED(grid_free) struct grid grid = {0};
    SCOPED(standings_free) struct standings standings = {0};
    SCOPED(table_free) struct table table = {0};
    const struct result_choice choice = {.top = MOST_RANKED, .mine = mine};
    TRY(grid_create(set, &grid, error));
    TRY(standings_create(&grid, &standings, error));
    const struct standing *best = standings.standing;
    uint32_t first = 0;
    while (first < standings.count && best[first].rank == 1)
        first++;
    text_append(html, "<h3>What won</h3>\n%s",
                first ? "<p>" : "<p>No planner has enough safe plans to be ranked.</p>\n");
    for (uint32_t i = 0; i < first && i < MOST_NAMED; i++) {
        text_append(html, "%s<strong>", i ? ", " : "");
        escape_html(html, names_get(&grid.planners, best[i].planner));
        text_append(html, "</strong>");
    }
    if (first > MOST_NAMED)
        text_append(html, " and %u more", first - MOST_NAMED);
    if (first)
        text_append(
            html,
            " %s: %u of %u times nobody has a lower peak, and on average it is %.4f times the "
            "best known lower bound. That is over the instances and policies for which each of "
            "the %u ranked planners has a safe plan.</p>\n",
            first == 1 ? "comes first" : "come first together", best->wins, standings.common.common,
            best->mean_ratio, standings.common.ranked);
    if (!standings.count)
        return STATUS_OK;
    TRY(tables_build("leaderboard", store, &choice, &table, error));
    return report_page_table(html, &table, error);
}

static enum status append_failures(const struct result_set *set, struct text *html,
                                   struct error *error)
{
    SCOPED(names_free) struct names outcomes = {0};
    for (uint32_t i = 0; i < set->count; i++) {
        const char *outcome = rows_outcome(&set->row[i]);
        bool is_answer = strcmp(outcome, RESULT_OPTIMAL) == 0 ||
                         strcmp(outcome, RESULT_FEASIBLE) == 0 ||
                         strcmp(outcome, RESULT_INFEASIBLE) == 0;
        if (!is_answer && names_find(&outcomes, outcome) == NAMES_NONE)
            TRY(names_add(&outcomes, outcome, error));
    }
    text_append(html, "<h3>What failed</h3>\n<p>%s</p>\n",
                outcomes.count ? "Results without a plan that counts:" : "Nothing.");
    text_append(html, outcomes.count ? "<ul>\n" : "");
    for (uint32_t i = 0; i < outcomes.count; i++) {
        const char *outcome = names_get(&outcomes, i);
        uint64_t count = 0;
        for (uint32_t k = 0; k < set->count; k++)
            count += strcmp(rows_outcome(&set->row[k]), outcome) == 0;
        text_append(html, "<li><a href=\"#results?outcome=");
        for (const unsigned char *at = (const unsigned char *)outcome; *at; at++)
            text_append(html, isalnum(*at) ? "%c" : "%%%02X", *at);
        text_append(html, "\">%" PRIu64 " ", count);
        escape_html(html, outcome);
        text_append(html, "</a></li>\n");
    }
    text_append(html, outcomes.count ? "</ul>\n" : "");
    return STATUS_OK;
}

/* How many runs before the newest one are searched, at most, for jobs in common. */
enum { MOST_TRIED = 8 };

/* How the newest run stands against its base. The runs are named in the verdict. */
static enum status append_comparison(struct text *html, const struct comparison *comparison,
                                     struct error *error)
{
    SCOPED(text_free) struct text verdict = {0};
    const uint32_t *times = comparison->verdicts[COMPARISON_TIME];
    TRY(verdict_append(comparison, &verdict, error));
    text_append(html, "<p class=\"%s\"><strong>",
                comparison_is_worse(comparison) ? "problem" : "good");
    escape_html(html, verdict.bytes);
    text_append(html, ".</strong></p>\n<ul>\n<li>times: %u better, %u equal, %u worse</li>\n",
                times[COMPARISON_WIN], times[COMPARISON_TIE], times[COMPARISON_LOSS]);
    if (comparison->found[0] || comparison->found[1])
        text_append(html, "<li>plans found: %u only now, %u only before</li>\n",
                    comparison->found[1], comparison->found[0]);
    if (comparison->unmatched[0] || comparison->unmatched[1])
        text_append(html, "<li>jobs: %u only now, %u only before</li>\n", comparison->unmatched[1],
                    comparison->unmatched[0]);
    text_append(html, "</ul>\n<details>\n<summary>Planner by planner and job by job</summary>\n");
    for (unsigned i = 0; i < comparison_tables_count(); i++) {
        const struct comparison_table *recipe = comparison_tables_at(i);
        SCOPED(table_free) struct table table = {0};
        if (recipe->is_list)
            continue;
        TRY(comparison_tables_build(recipe, comparison, &table, error));
        if (!table_rows(&table))
            continue;
        report_page_element(html, "h4", recipe->title);
        TRY(report_page_table(html, &table, error));
    }
    text_append(html, "</details>\n");
    return text_check(html, error);
}

static enum status load_run(struct store *store, const struct run_summary *run,
                            struct result_set *set, struct error *error)
{
    const struct result_choice choice = {.run = run->run.label};
    const struct result_filter filter = {.choice = &choice, .each = true};
    return query_newest(store, &filter, set, error);
}

/* Says what the newest run did better and worse than its base: the run that was asked for, else the
   one before it that has jobs in common with it. runs: those of the store, the newest first.
   O(rows log rows). */
static enum status append_changes(struct store *store, const struct run_list *runs,
                                  const struct report_request *request, struct text *html,
                                  struct error *error)
{
    SCOPED(query_free) struct result_set newest = {0};
    bool is_known = !request->base;
    if (runs->count > 1)
        TRY(load_run(store, &runs->run[0], &newest, error));
    for (uint32_t i = 1, tried = 0; i < runs->count && tried < MOST_TRIED; i++) {
        SCOPED(query_free) struct result_set before = {0};
        SCOPED(comparison_free) struct comparison comparison = {0};
        if (request->base && strcmp(runs->run[i].run.label, request->base) != 0)
            continue;
        is_known = true;
        tried++;
        TRY(load_run(store, &runs->run[i], &before, error));
        struct comparison_sides sides = request->rules;
        for (int side = 0; side < 2; side++) {
            sides.set[side] = side ? &newest : &before;
            sides.name[side] = runs->run[side ? 0 : i].run.label;
        }
        TRY(comparison_create(&sides, &comparison, error));
        if (comparison.pairs)
            return append_comparison(html, &comparison, error);
    }
    if (!is_known)
        return error_set(error, STATUS_USAGE,
                         "no run '%s' before the newest one to compare it with", request->base);
    text_append(html, "<p>There is no run before with the same jobs to compare with.</p>\n");
    return text_check(html, error);
}

/* Escaped line by line, since escaping turns the ends of lines into blanks. */
static enum status append_verdict_text(const char *verdict, struct text *html, struct error *error)
{
    struct text whole = {.bytes = (char *)verdict, .length = strlen(verdict)};
    struct text_line line = {0};
    text_append(html, "<pre>");
    while (text_next_line(&whole, &line)) {
        SCOPED(text_free) struct text copy = {0};
        text_append(&copy, "%.*s", (int)line.length, line.start);
        TRY(text_check(&copy, error));
        escape_html(html, copy.bytes);
        text_append(html, "\n");
    }
    text_append(html, "</pre>\n");
    return STATUS_OK;
}

enum status overview_append(struct store *store, const struct result_set *set,
                            const struct report_request *request, struct text *html,
                            struct error *error)
{
    SCOPED(runs_free) struct run_list runs = {0};
    TRY(runs_list(store, &runs, error));
    if (request->verdict)
        TRY(append_verdict_text(request->verdict, html, error));
    if (!set->count)
        text_append(html, "<p>This database has no results yet. <code>memplan bench --suite quick "
                          "--time-limit 0.2</code> makes some.</p>\n");
    if (set->count)
        TRY(append_changes(store, &runs, request, html, error));
    TRY(append_runs(store, &runs, html, error));
    if (set->count) {
        const char *mine = request->choice ? request->choice->mine : NULL;
        TRY(append_winners(store, set, mine, html, error));
        TRY(append_failures(set, html, error));
    }
    return text_check(html, error);
}
