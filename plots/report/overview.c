#include "plots/report/overview.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "core/names.h"
#include "plots/report/changes.h"
#include "plots/report/page.h"
#include "plots/report/rows.h"
#include "plots/report/winners.h"
#include "results/store/runs.h"
#include "results/table/escape.h"
#include "results/table/table.h"

enum { MOST_RUNS = 8 };

static void append_count(struct text *html, uint64_t count, const char *word)
{
    text_append(html, "%" PRIu64 " %s%s", count, word, count == 1 ? "" : "s");
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

static void add_run(struct table *table, const struct run_summary *summary)
{
    const struct run_row *run = &summary->run;
    table_add_text(table, run->label);
    table_add_text(table, run->started);
    table_add_text(table, run->ended);
    table_add_text(table, run->host);
    char commit[COMMIT_BYTES];
    shorten_commit(run->source_commit, commit);
    table_add_text(table, commit);
    table_add_number(table, summary->rows);
    table_add_number(table, summary->instances);
    table_add_number(table, summary->planners);
    table_add_number(table, summary->failed);
}

static void fill_runs(const struct run_list *runs, struct table *table)
{
    static const char *const texts[] = {"run", "begun (UTC)", "ended (UTC)", "host", "commit"};
    static const char *const numbers[] = {"results", "instances", "planners", "failed"};
    table_set_title(table, "Runs of this database");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        table_add_column(table, texts[i], "", TABLE_LEFT);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        table_add_column(table, numbers[i], "", TABLE_RIGHT);
    for (uint32_t i = 0; i < runs->count && i < MOST_RUNS; i++)
        add_run(table, &runs->run[i]);
    if (runs->count > MOST_RUNS)
        table_add_note(table, "The newest %d of %u runs; memplan runs lists them all.", MOST_RUNS,
                       runs->count);
}

static enum status append_runs(const struct run_list *runs, struct text *html, struct error *error)
{
    struct table table = {0};
    if (!runs->count)
        return STATUS_OK;
    append_newest(html, &runs->run[0]);
    fill_runs(runs, &table);
    enum status status = runs->count > 1 ? report_page_table(html, &table, error) : STATUS_OK;
    table_free(&table);
    return status;
}

static void append_address(struct text *html, const char *raw)
{
    for (const unsigned char *at = (const unsigned char *)raw; *at; at++)
        text_append(html, isalnum(*at) ? "%c" : "%%%02X", *at);
}

static bool is_answer(const char *outcome)
{
    return strcmp(outcome, RESULT_OPTIMAL) == 0 || strcmp(outcome, RESULT_FEASIBLE) == 0 ||
           strcmp(outcome, RESULT_INFEASIBLE) == 0;
}

static uint64_t count_outcome(const struct result_set *set, const char *outcome)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < set->count; i++)
        count += strcmp(rows_outcome(&set->row[i]), outcome) == 0;
    return count;
}

static enum status find_failures(const struct result_set *set, struct names *outcomes,
                                 struct error *error)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const char *outcome = rows_outcome(&set->row[i]);
        if (!is_answer(outcome) && names_find(outcomes, outcome) == NAMES_NONE)
            TRY(names_add(outcomes, outcome, error));
    }
    return STATUS_OK;
}

static enum status append_failures(const struct result_set *set, struct text *html,
                                   struct error *error)
{
    struct names outcomes = {0};
    enum status status = find_failures(set, &outcomes, error);
    text_append(html, "<h3>What failed</h3>\n<p>%s</p>\n",
                outcomes.count ? "Results without a plan that counts:" : "Nothing.");
    text_append(html, outcomes.count ? "<ul>\n" : "");
    for (uint32_t i = 0; i < outcomes.count; i++) {
        const char *outcome = names_get(&outcomes, i);
        text_append(html, "<li><a href=\"#results?outcome=");
        append_address(html, outcome);
        text_append(html, "\">%" PRIu64 " ", count_outcome(set, outcome));
        escape_html(html, outcome);
        text_append(html, "</a></li>\n");
    }
    text_append(html, outcomes.count ? "</ul>\n" : "");
    names_free(&outcomes);
    return status;
}

enum status overview_append(struct store *store, const struct result_set *set, struct text *html,
                            struct error *error)
{
    struct run_list runs = {0};
    TRY(runs_list(store, &runs, error));
    enum status status;
    if (!set->count)
        text_append(html, "<p>This database has no results yet. <code>memplan bench --suite quick "
                          "--time-limit 0.2</code> makes some.</p>\n");
    TRY_OR_DONE(status, append_runs(&runs, html, error));
    if (set->count) {
        TRY_OR_DONE(status, winners_append(store, set, html, error));
        TRY_OR_DONE(status, append_failures(set, html, error));
        TRY_OR_DONE(status, changes_append(store, &runs, html, error));
    }
    status = text_check(html, error);
done:
    runs_free(&runs);
    return status;
}
