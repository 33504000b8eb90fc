#include "cli/standings/page.h"

#include <string.h>

#include "cli/standings/changes.h"
#include "cli/standings/entries.h"
#include "cli/standings/memories.h"
#include "cli/standings/tables.h"
#include "cli/standings/tracks.h"
#include "core/gzip.h"
#include "core/memory.h"
#include "plots/report/page.h"
#include "results/table/escape.h"
#include "results/tables/tables.h"

static const char introduction[] =
    "<p>How planners stand on <strong>" COLLECTION_VERSION "</strong>, the collection of memplan. "
    "Classes say how hard an entry was when it was chosen: easy, a quick rule reaches the optimum; "
    "medium, proved within a minute; hard, the optimum is known, but not proved within a minute; "
    "open. Of what is made by seeds, a part has seeds that nobody may tune on: the columns "
    "<em>open half</em> and <em>held back</em>.</p>\n"
    "<p>Planners whose origin is <em>ours</em> are this project's own. They were tuned on "
    "minimalloc/A to F, on the suites and on generators with seeds below 9000, all of them in the "
    "open half; others run as their sources say. A name leads to its rows below, and a number to "
    "those that it is from, each with its verdict, the command that repeats it and writes its "
    "plan, and its layout "
    "where it was kept.</p>\n";

/* The runs that the rows are from: with which command, on what machine, and why their times cannot
   be trusted. */
static enum status append_runs(const struct standings_version *version, struct text *html,
                               struct error *error)
{
    SCOPED(table_free) struct table table = {0};
    table_set_title(&table, "Where the rows come from");
    table_add_columns(&table, "run | begun (UTC) | command | commit | processor | cores: | load: | "
                              "why its times cannot be trusted");
    for (uint32_t i = 0; i < version->runs.count; i++) {
        const struct run_row *run = &version->runs.run[i].run;
        uint32_t row = 0;
        while (row < version->set.count && strcmp(version->set.row[row].run, run->label) != 0)
            row++;
        if (row == version->set.count)
            continue;
        table_add(&table, cell_text(run->label), cell_any_text(run->started),
                  cell_any_text(run->command), cell_any_text(run->source_commit),
                  cell_any_text(run->cpu), cell_known(run->cores > 0, run->cores),
                  cell_known_real(*run->cpu, (double)run->load_start_thousandths / 1e3, 1),
                  cell_any_text(run->noise));
    }
    table_add_note(&table, "What is not known of a run, as of rows that were imported, is missing. "
                           "load: processes that ran or waited in the minute before.");
    return report_page_table(html, &table, error);
}

static enum status write_overview(const struct standings_version *version, struct error *error)
{
    SCOPED(text_free) struct text html = {0};
    const struct arguments *arguments = version->arguments;
    double seconds = (double)arguments->time_limit_ns / 1e9;
    text_append(
        &html,
        "%s<p>The class of %.3g s: only rows of plans that had this limit stand here. Made by "
        "<code>memplan standings --time-limit %.3g</code>.",
        introduction, seconds, seconds);
    if (arguments->mine) {
        text_append(&html, " Highlighted: <code>");
        escape_html(&html, arguments->mine);
        text_append(&html, "</code>.");
    }
    text_append(&html, "</p>\n");
    TRY(append_runs(version, &html, error));
    return report_add_part(version->report, "about", "Standings", html.bytes, error);
}

/* Names each track and each of its parts as a suite, by which the page's results can be chosen. */
static enum status add_suites(const struct standings_version *version, struct error *error)
{
    SCOPED(memory_release) const char **instance = NULL;
    struct report_suite suite[STANDINGS_TRACKS * (STANDINGS_PARTS + 1)];
    SCOPED(names_free) struct names names = {0};
    uint32_t used = 0, suites = 0;
    TRY(memory_create(&instance,
                      (size_t)version->instances.count * STANDINGS_TRACKS * (STANDINGS_PARTS + 1),
                      sizeof *instance, error));
    for (int i = 0; i < STANDINGS_TRACKS; i++)
        for (unsigned part = 0; part <= STANDINGS_PARTS; part++) {
            SCOPED(text_free) struct text name = {0};
            text_append(&name, "%s%s%s", standings_tracks[i].name,
                        part < STANDINGS_PARTS ? " " : "",
                        part < STANDINGS_PARTS ? standings_parts[part] : "");
            TRY(text_check(&name, error));
            TRY(names_add(&names, name.bytes, error));
            suite[suites] = (struct report_suite){.instance = instance + used};
            for (uint32_t k = 0; k < version->set.count; k++) {
                const struct result_row *row = &version->set.row[k];
                const struct collection_entry *entry = collection_find(row->digest, row->instance);
                bool is_new = !k || strcmp(row->instance, row[-1].instance) != 0;
                if (!is_new || !entry || !standings_track_has(&standings_tracks[i], entry) ||
                    (part < STANDINGS_PARTS && !standings_part_has(part, entry)))
                    continue;
                instance[used++] = row->instance;
                suite[suites].instances++;
            }
            suites++;
        }
    for (uint32_t i = 0; i < suites; i++)
        suite[i].name = names_get(&names, i);
    return report_add_suites(version->report, version->folder, suite, suites, error);
}

/* Writes all rows of the class beside the page, those too that newer ones have replaced. */
static enum status write_rows(const struct standings_version *version, struct error *error)
{
    const struct result_choice choice = {.instances = &version->instances,
                                         .time_limit_ns = version->arguments->time_limit_ns};
    SCOPED(text_free) struct text path = {0}, csv = {0};
    SCOPED(table_free) struct table table = {0};
    TRY(tables_build("rows", version->store, &choice, &table, error));
    TRY(table_write(&table, "csv", &csv, error));
    text_append(&path, "%s/rows.csv.gz", version->folder);
    TRY(text_check(&path, error));
    return gzip_write_file(path.bytes, &csv, error);
}

enum status standings_page_write(struct standings_version *version,
                                 const struct standings_version *base, struct error *error)
{
    SCOPED(best_list_free) struct best_list known = {0};
    TRY(write_overview(version, error));
    TRY(standings_tables_add(version, error));
    TRY(standings_memories_add(version, error));
    if (base)
        TRY(standings_changes_add(base, version, error));
    if (version->arguments->pages)
        TRY(best_list_read(NULL, &known, error));
    TRY(standings_entries_add(version, version->arguments->pages ? &known : NULL, error));
    TRY(report_add_results(version->report, version->store, version->folder, &version->set, true,
                           error));
    TRY(add_suites(version, error));
    TRY(report_add_facts(version->report, version->store, error));
    TRY(report_finish(version->report, error));
    return write_rows(version, error);
}
