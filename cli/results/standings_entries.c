#include "cli/results/standings_entries.h"

#include <string.h>

#include "core/memory.h"
#include "datasets/collection.h"
#include "results/store/order_rows.h"

void entries_find_best(const struct result_set *set, struct entry_best *best)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const struct result_row *row = &set->row[i];
        const struct collection_entry *entry = collection_find(row->digest, row->instance);
        if (!entry)
            continue;
        struct entry_best *found = &best[entry - collection_at(0)];
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

enum status entries_add(struct report *report, const struct result_set *set, struct error *error)
{
    SCOPED(table_free) struct table table = {.links = "index.html#results"};
    SCOPED(memory_release) struct entry_best *best = NULL;
    TRY(memory_create(&best, collection_count(), sizeof *best, error));
    entries_find_best(set, best);
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
        bool known = bound_bytes > 0;
        double gap = known ? query_gap_percent(row->peak_bytes, bound_bytes) : 0;
        table_add(&table, cell_text(row->policy),
                  order_rows_is_stored(row) ? cell_missing() : cell_text(row->order_name),
                  cell_number(row->peak_bytes), cell_known(known, bound_bytes),
                  cell_known_real(known, gap, 2), cell_number(best[i].rows),
                  cell_text(row->planner));
    }
    table_add_note(&table,
                   "peak: the least in this run under any policy and in any order, those of "
                   "`policy` and `order`, missing as stored; bound: of the track orders on all "
                   "orders; lowest: rows that have it. A click on an instance shows all of its "
                   "rows, each with the command that repeats it, and its layout.");
    TRY(report_add_section(report, "Entries", "", error));
    return report_add_table(report, "entries", &table, error);
}
