#include "plots/report/changes.h"

#include <string.h>

#include "plots/report/page.h"
#include "results/compare/comparison_tables.h"
#include "results/table/escape.h"

/* At most so many runs before the newest one are searched for jobs in common. */
enum { MOST_TRIED = 8 };

static void append_verdicts(struct text *html, const char *what, const uint32_t *verdict)
{
    text_append(html,
                "<li>%s: <strong>%u better</strong>, %u equal, <strong>%u worse</strong></li>\n",
                what, verdict[COMPARISON_WIN], verdict[COMPARISON_TIE], verdict[COMPARISON_LOSS]);
}

static void append_sums(struct text *html, const struct comparison *comparison)
{
    text_append(html, "<p><bdi>");
    escape_html(html, comparison->sides->name[1]);
    text_append(html, "</bdi> against <bdi>");
    escape_html(html, comparison->sides->name[0]);
    text_append(html, "</bdi>, the run before, over %u jobs that both have:</p>\n<ul>\n",
                comparison->pairs);
    append_verdicts(html, "peaks", comparison->bytes);
    append_verdicts(html, "times", comparison->time);
    if (comparison->found[0] || comparison->found[1])
        text_append(html, "<li>plans found: %u only now, %u only before</li>\n",
                    comparison->found[1], comparison->found[0]);
    if (comparison->unmatched[0] || comparison->unmatched[1])
        text_append(html, "<li>jobs: %u only now, %u only before</li>\n", comparison->unmatched[1],
                    comparison->unmatched[0]);
    text_append(html, "</ul>\n");
}

static enum status append_table(struct text *html, const struct comparison *comparison,
                                const struct comparison_table *recipe, struct error *error)
{
    struct table table = {0};
    enum status status = comparison_tables_build(recipe, comparison, &table, error);
    if (!status && table_rows(&table)) {
        report_page_element(html, "h4", recipe->title);
        status = report_page_table(html, &table, error);
    }
    table_free(&table);
    return status;
}

static enum status append_comparison(struct text *html, const struct comparison *comparison,
                                     struct error *error)
{
    append_sums(html, comparison);
    text_append(html, "<details>\n<summary>Planner by planner and job by job</summary>\n");
    for (unsigned i = 0; i < comparison_tables_count(); i++)
        if (!comparison_tables_at(i)->is_list)
            TRY(append_table(html, comparison, comparison_tables_at(i), error));
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

/* Compares two runs. *found says whether they have jobs in common; only then something is
   appended. */
static enum status compare_with(struct store *store, const struct run_summary *before,
                                struct comparison_sides *sides, struct text *html, bool *found,
                                struct error *error)
{
    struct result_set set = {0};
    struct comparison comparison = {0};
    *found = false;
    enum status status;
    TRY_OR_DONE(status, load_run(store, before, &set, error));
    sides->set[0] = &set;
    sides->name[0] = before->run.label;
    TRY_OR_DONE(status, comparison_create(sides, &comparison, error));
    *found = comparison.pairs != 0;
    if (*found)
        status = append_comparison(html, &comparison, error);
    comparison_free(&comparison);
done:
    query_free(&set);
    return status;
}

enum status changes_append(struct store *store, const struct run_list *runs, struct text *html,
                           struct error *error)
{
    struct result_set newest = {0};
    bool found = false;
    enum status status;
    text_append(html, "<h3>What differs from last time</h3>\n");
    if (runs->count > 1) {
        TRY(load_run(store, &runs->run[0], &newest, error));
        struct comparison_sides sides = {.set = {NULL, &newest},
                                         .name = {NULL, runs->run[0].run.label},
                                         .time_threshold = COMPARISON_TIME_THRESHOLD};
        for (uint32_t i = 1; i < runs->count && i <= MOST_TRIED && !found; i++)
            TRY_OR_DONE(status, compare_with(store, &runs->run[i], &sides, html, &found, error));
    }
    if (!found)
        text_append(html, "<p>There is no run before with the same jobs to compare with.</p>\n");
    status = text_check(html, error);
done:
    query_free(&newest);
    return status;
}
