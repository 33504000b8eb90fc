#include "cli/standings/entries.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/embedded.h"
#include "core/memory.h"
#include "datasets/collection.h"
#include "plots/figures/plots.h"
#include "plots/render.h"
#include "plots/report/page.h"
#include "results/best/list.h"
#include "results/store/failure.h"
#include "results/store/order_rows.h"
#include "results/table/escape.h"
#include "results/tables/tables.h"

extern const struct embedded_file collection_features[];

void standings_entries_best(const struct result_set *set, struct standings_entry_best *best)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const struct result_row *row = &set->row[i];
        const struct collection_entry *entry = collection_find(row->digest, row->instance);
        if (!entry)
            continue;
        struct standings_entry_best *found = &best[entry - collection_at(0)];
        bool orders = strcmp(entry->track, "orders") == 0;
        if (orders && row->order_bound_bytes > found->bound_bytes)
            found->bound_bytes = row->order_bound_bytes;
        if (query_worth(row) != RESULT_NUMBER)
            continue;
        if (!found->row || row->peak_bytes < found->row->peak_bytes) {
            found->row = row;
            found->rows = 0;
            found->bound_bytes = orders ? found->bound_bytes : set->bound_bytes[i];
        }
        found->rows += row->peak_bytes == found->row->peak_bytes;
    }
}

/* Appends the features of an entry by which it was chosen: the columns behind the digest in the
   list of candidates, of which most are logarithms there. */
static enum status append_features(const struct collection_entry *entry, struct text *html,
                                   struct error *error)
{
    static const char plain[] = "flatness sizes density gap load_bytes";
    const char *heading = strstr(collection_features->bytes, "digest,");
    const char *value = strstr(collection_features->bytes, entry->digest);
    SCOPED(table_free) struct table table = {0};
    struct cell cell[32];
    size_t cells = 0;
    table_set_title(&table, "Features");
    table_add_columns(&table, "track | class | half | source | licence");
    while (value && cells < sizeof cell / sizeof *cell && heading[strcspn(heading, ",\n")] == ',') {
        char name[32];
        heading += strcspn(heading, ",") + 1;
        value += strcspn(value, ",\n") + 1;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(heading, ",\n"), heading);
        double number = strtod(value, NULL);
        table_add_column(&table, name, "", TABLE_RIGHT);
        number = strstr(plain, name) ? number : pow(10, number);
        cell[cells++] = cell_real(number, number < 10 ? 3 : 0);
    }
    table_add(&table, cell_text(entry->track), cell_text(entry->rank), cell_text(entry->half),
              cell_text(entry->source), cell_text(entry->licence));
    table_add_cells(&table, cell, cells);
    table_add_note(&table, "docs/collection.md says what each is.");
    report_page_element(html, "h2", table_title(&table));
    return report_page_table(html, &table, error);
}

/* Appends what is known of the entry from any source: under each policy that the list has. */
static enum status append_known(const struct best_list *known, const struct collection_entry *entry,
                                struct text *html, struct error *error)
{
    SCOPED(table_free) struct table table = {0};
    table_set_title(&table, "Best known values");
    table_add_columns(&table, "policy | options | peak (bytes): | bound (bytes): | gap (%): | "
                              "status | planner | prover | checked | since | plan");
    for (uint32_t i = 0; i < known->count; i++) {
        const struct best_known *line = &known->line[i];
        if (strcmp(line->digest, entry->digest) != 0)
            continue;
        bool both = line->peak_bytes && line->lower_bound_bytes;
        table_add(
            &table, cell_text(line->policy), cell_any_text(line->options),
            cell_known(line->peak_bytes, line->peak_bytes),
            cell_known(line->lower_bound_bytes, line->lower_bound_bytes),
            cell_known_real(
                both, both ? query_gap_percent(line->peak_bytes, line->lower_bound_bytes) : 0, 2),
            cell_text(line->status), cell_any_text(line->planner), cell_any_text(line->prover),
            cell_any_text(line->proof), cell_any_text(line->since), cell_any_text(line->witness));
    }
    if (!table_rows(&table))
        return STATUS_OK;
    report_page_element(html, "h2", table_title(&table));
    table_add_note(&table, "memplan best lists them; plans are files of results/best_known. Of a "
                           "graph in the track orders they are those in its stored order.");
    return report_page_table(html, &table, error);
}

/* Appends the layout of the best plan, and the command that makes this plan again. */
static enum status append_layout(const struct standings_version *version, const char *name,
                                 const struct result_row *row, struct text *html,
                                 struct error *error)
{
    SCOPED(names_free) struct names instance = {0}, policy = {0}, planner = {0};
    SCOPED(text_free) struct text script = {0}, path = {0}, command = {0};
    const struct result_choice choice = {.instances = &instance,
                                         .policies = &policy,
                                         .planners = &planner,
                                         .time_limit_ns = version->arguments->time_limit_ns};
    struct error reason = ERROR_NONE;
    TRY(names_add(&instance, row->instance, error));
    TRY(names_add(&policy, row->policy, error));
    TRY(names_add(&planner, row->planner, error));
    enum status status =
        plot_script("layout", &(struct plot_request){.store = version->store, .choice = &choice},
                    &script, &reason);
    text_append(&path, "%s/%s.svg", version->folder, name);
    TRY(text_check(&path, error));
    if (!status)
        status = plot_render(script.bytes, path.bytes, &reason);
    failure_repeat(row, runs_command(&version->runs, row->run), &command);
    TRY(text_check(&command, error));
    report_page_element(html, "h2", "The best plan of this class");
    text_append(html, "<p><code>");
    escape_html(html, command.bytes);
    text_append(html, " -o plan.json</code></p>\n");
    if (status)
        report_page_element(html, "p",
                            status == STATUS_NO ? "Its layout was not kept." : reason.text);
    else
        text_append(html,
                    "<figure><img src=\"%s.svg\" alt=\"The layout of this plan\" /></figure>\n",
                    name);
    return STATUS_OK;
}

static enum status write_entry(const struct standings_version *version,
                               const struct best_list *known, uint32_t number,
                               const struct result_row *best, struct error *error)
{
    const struct collection_entry *entry = collection_at(number);
    SCOPED(table_free) struct table table = {0};
    SCOPED(names_free) struct names names = {0};
    SCOPED(text_free) struct text html = {0}, path = {0}, links = {0};
    bool orders = strcmp(entry->track, "orders") == 0;
    const struct result_choice choice = {.subject = orders ? NULL : &names,
                                         .instances = &names,
                                         .time_limit_ns = version->arguments->time_limit_ns};
    struct error reason = ERROR_NONE;
    char name[32];
    snprintf(name, sizeof name, "entry-%u", number);
    report_page_begin(&html, entry->name, "");
    text_append(&html, "<main>\n<p><a href=\"index.html#entries\">All entries</a></p>\n");
    TRY(append_features(entry, &html, error));
    TRY(append_known(known, entry, &html, error));
    TRY(append_layout(version, name, best, &html, error));
    TRY(names_add(&names, entry->name, error));
    for (uint32_t i = 0; orders && i < version->set.count; i++)
        if (collection_find("", version->set.row[i].instance) == entry)
            TRY(names_add(&names, version->set.row[i].instance, error));
    enum status status =
        tables_build(orders ? "orders" : "instance", version->store, &choice, &table, &reason);
    for (uint32_t i = 0; i < names.count; i++) {
        text_append(&links, i ? "&amp;instance=" : "index.html#results?instance=");
        escape_url(&links, names_get(&names, i));
    }
    TRY(text_check(&links, error));
    table.links = links.bytes;
    report_page_element(&html, "h2", table_title(&table));
    if (status)
        report_page_element(&html, "p", reason.text);
    else
        TRY(report_page_table(&html, &table, error));
    text_append(&html, "</main>\n");
    report_page_end(&html);
    text_append(&path, "%s/%s.html", version->folder, name);
    TRY(text_check(&html, error));
    TRY(text_check(&path, error));
    return text_write_file(path.bytes, &html, error);
}

enum status standings_entries_add(const struct standings_version *version,
                                  const struct best_list *known, struct error *error)
{
    SCOPED(table_free) struct table table = {.links = "#results"};
    SCOPED(memory_release) struct standings_entry_best *best = NULL;
    TRY(memory_create(&best, collection_count(), sizeof *best, error));
    standings_entries_best(&version->set, best);
    table_set_title(&table, "Entries");
    table_add_columns(&table,
                      "instance | track | class | half | source | policy | order | "
                      "peak (bytes): | bound (bytes): | gap (%): | lowest: | first of them");
    for (uint32_t i = 0; i < collection_count(); i++) {
        const struct collection_entry *entry = collection_at(i);
        const struct result_row *row = best[i].row;
        uint64_t bound_bytes = best[i].bound_bytes;
        table_add(&table, cell_text(entry->name), cell_text(entry->track), cell_text(entry->rank),
                  cell_text(entry->half), cell_text(entry->source));
        if (!row) {
            table_repeat(&table, 7, cell_missing());
            continue;
        }
        if (known) {
            char address[32];
            snprintf(address, sizeof address, "entry-%u.html", i);
            table_link(&table, i, 0, address);
            TRY(write_entry(version, known, i, row, error));
        }
        bool has_bound = bound_bytes > 0;
        double gap = has_bound ? query_gap_percent(row->peak_bytes, bound_bytes) : 0;
        table_add(&table, cell_text(row->policy),
                  order_rows_is_stored(row) ? cell_missing() : cell_text(row->order_name),
                  cell_number(row->peak_bytes), cell_known(has_bound, bound_bytes),
                  cell_known_real(has_bound, gap, 2), cell_number(best[i].rows),
                  cell_text(row->planner));
    }
    table_add_note(&table,
                   "peak: the least in this run under any policy and in any order, those of "
                   "`policy` and `order`, missing as stored; bound: of the track orders on all "
                   "orders; lowest: rows that have it. A click on an instance shows all of its "
                   "rows, each with the command that repeats it, and its layout.");
    TRY(report_add_part(version->report, "entries", "Entries", "", error));
    return report_add_table(version->report, "entries", &table, error);
}
