#include "cli/standings/changes.h"

#include <math.h>
#include <string.h>

#include "cli/standings/entries.h"
#include "core/memory.h"
#include "core/text.h"
#include "datasets/collection.h"
#include "results/table/escape.h"

/* Means are shown with four decimals; what is nearer is no change. */
static const double least_difference = 5e-5;

/* Adds the row of a planner in one table of both versions; NULL where it does not stand in it. */
static void add_planner(const char *name, const struct standing *before, const struct standing *now,
                        struct table *table)
{
    bool both = before && now;
    if (both && before->rank == now->rank &&
        fabs(before->mean_ratio - now->mean_ratio) < least_difference)
        return;
    table_add(table, cell_words("%.*s", (int)strcspn(name, ":"), name),
              cell_text(strchr(name, ':') + 2),
              cell_text(!before                    ? "new"
                        : !now                     ? "gone"
                        : now->rank < before->rank ? "up"
                        : now->rank > before->rank ? "down"
                                                   : "mean"),
              cell_known(before && before->rank, before ? before->rank : 0),
              cell_known(now && now->rank, now ? now->rank : 0),
              cell_known_real(before, before ? before->mean_ratio : 0, 4),
              cell_known_real(now, now ? now->mean_ratio : 0, 4));
}

static enum status add_planners(struct report *report, const struct standings_lines *last,
                                const struct standings_lines *now, struct error *error)
{
    SCOPED(table_free) struct table table = {.links = "#results"};
    table_set_title(&table, "Planners that are new, gone, or stand elsewhere");
    table_add_columns(&table, "table | planner | change | rank before: | rank: | mean before: | "
                              "mean:");
    for (uint32_t i = 0; i < now->names.count; i++) {
        const char *name = names_get(&now->names, i);
        uint32_t before = names_find(&last->names, name);
        add_planner(name, before == NAMES_NONE ? NULL : &last->line[before], &now->line[i], &table);
    }
    for (uint32_t i = 0; i < last->names.count; i++)
        if (names_find(&now->names, names_get(&last->names, i)) == NAMES_NONE)
            add_planner(names_get(&last->names, i), &last->line[i], NULL, &table);
    table_add_note(&table, "Means before are over the rows that all planners had then. A planner "
                           "that got slower or quicker may have gone to another table.");
    return table_rows(&table)
               ? report_add_table(report, "changes", &table, error)
               : report_add_section(report, "", "All planners stand as they did.", error);
}

static enum status add_entries(struct report *report, const struct result_set *last,
                               const struct result_set *now, struct error *error)
{
    SCOPED(table_free) struct table table = {.links = "#results"};
    SCOPED(memory_release) struct standings_entry_best *best = NULL;
    struct standings_entry_best *before;
    TRY(memory_create(&best, 2 * (size_t)collection_count(), sizeof *best, error));
    before = best + collection_count();
    standings_entries_best(now, best);
    standings_entries_best(last, before);
    table_set_title(&table, "Entries whose least peak or bound is another");
    table_add_columns(&table, "instance | peak before (bytes): | peak (bytes): | bound before "
                              "(bytes): | bound (bytes): | planner before | planner");
    for (uint32_t i = 0; i < collection_count(); i++) {
        const struct result_row *row[2] = {before[i].row, best[i].row};
        uint64_t peak[2];
        for (int side = 0; side < 2; side++)
            peak[side] = row[side] ? row[side]->peak_bytes : 0;
        if (peak[0] == peak[1] && before[i].bound_bytes == best[i].bound_bytes)
            continue;
        table_add(
            &table, cell_text(collection_at(i)->name), cell_known(row[0], peak[0]),
            cell_known(row[1], peak[1]), cell_known(before[i].bound_bytes, before[i].bound_bytes),
            cell_known(best[i].bound_bytes, best[i].bound_bytes),
            cell_text(row[0] ? row[0]->planner : ""), cell_text(row[1] ? row[1]->planner : ""));
    }
    return table_rows(&table)
               ? report_add_table(report, "changed-entries", &table, error)
               : report_add_section(report, "",
                                    "All entries have the least peaks and bounds that they had.",
                                    error);
}

enum status standings_changes_add(const struct standings_version *last,
                                  const struct standings_version *now, struct error *error)
{
    SCOPED(text_free) struct text html = {0};
    text_append(&html, "<p>Against <code>");
    escape_html(&html, last->name);
    text_append(&html, "</code>, %u rows, of the same class; here are %u rows.</p>\n",
                last->set.count, now->set.count);
    TRY(text_check(&html, error));
    TRY(report_add_part(now->report, "changes", "What changed", html.bytes, error));
    TRY(add_planners(now->report, &last->lines, &now->lines, error));
    return add_entries(now->report, &last->set, &now->set, error);
}
