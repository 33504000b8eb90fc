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

static enum status append_runs(const struct run_list *runs, struct text *html, struct error *error)
{
    struct table table = {0};
    if (runs->count)
        append_newest(html, &runs->run[0]);
    if (runs->count < 2)
        return STATUS_OK;
    table_set_title(&table, "Runs of this database");
    table_add_column(&table, "run", "", TABLE_LEFT);
    table_add_column(&table, "begun (UTC)", "", TABLE_LEFT);
    table_add_column(&table, "ended (UTC)", "", TABLE_LEFT);
    table_add_columns(&table, "host | commit | results: | instances: | planners: | failed:");
    for (uint32_t i = 0; i < runs->count && i < MOST_RUNS; i++) {
        const struct run_summary *summary = &runs->run[i];
        char commit[COMMIT_BYTES];
        shorten_commit(summary->run.source_commit, commit);
        table_add_text(&table, summary->run.label);
        table_add_text(&table, summary->run.started);
        table_add_text(&table, summary->run.ended);
        table_add_text(&table, summary->run.host);
        table_add_text(&table, commit);
        table_add_number(&table, summary->rows);
        table_add_number(&table, summary->instances);
        table_add_number(&table, summary->planners);
        table_add_number(&table, summary->failed);
    }
    if (runs->count > MOST_RUNS)
        table_add_note(&table, "The newest %d of %u runs; memplan runs lists them all.", MOST_RUNS,
                       runs->count);
    enum status status = report_page_table(html, &table, error);
    table_free(&table);
    return status;
}

static bool is_answer(const char *outcome)
{
    return strcmp(outcome, RESULT_OPTIMAL) == 0 || strcmp(outcome, RESULT_FEASIBLE) == 0 ||
           strcmp(outcome, RESULT_INFEASIBLE) == 0;
}

static enum status append_failures(const struct result_set *set, struct text *html,
                                   struct error *error)
{
    struct names outcomes = {0};
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < set->count && !status; i++) {
        const char *outcome = rows_outcome(&set->row[i]);
        if (!is_answer(outcome) && names_find(&outcomes, outcome) == NAMES_NONE)
            status = names_add(&outcomes, outcome, error);
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
