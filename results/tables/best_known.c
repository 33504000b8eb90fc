/* The table best-known: a row for each problem, with its best known values from
   results/best_known.csv beside the best values of the database. */
#include "results/best/findings.h"
#include "results/views/recipe.h"

static enum status add_all(const struct best_findings *findings, struct table *table,
                           struct error *error)
{
    uint32_t rows = 0, reached = 0;
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct best_found *found = &findings->found[i];
        if (!found->known)
            continue;
        const struct result_row *row = best_found_row(found), *peak = found->peak;
        uint64_t known_bytes = found->known->peak_bytes, peak_bytes = peak ? peak->peak_bytes : 0;
        table_add(table, cell_instance(row->instance), cell_text(row->policy),
                  cell_text(found->options),
                  cell_known(found->known->lower_bound_bytes, found->known->lower_bound_bytes),
                  cell_known(known_bytes, known_bytes), cell_known(peak, peak_bytes),
                  cell_text(peak ? peak->planner : ""), picker_gap(peak, peak_bytes, known_bytes));
        if (best_found_improves_peak(found) || best_found_contradicts(found))
            table_mark(table, table_rows(table) - 1, table_columns(table) - 1);
        rows++;
        reached += found->peak && found->peak->peak_bytes <= found->known->peak_bytes;
    }
    table_add_note(
        table,
        "The best known peak is reached for %u of %u problems; gap = (peak - known peak) "
        "/ known peak. What is better than known is marked. memplan best tells who found "
        "it and who proved the bound.",
        reached, rows);
    if (rows < findings->count)
        table_add_note(table, "Of %u other problems nothing is known.", findings->count - rows);
    return rows ? STATUS_OK
                : error_set(error, STATUS_NO,
                            "no results of what memplan best lists, expected some of a suite's "
                            "instances");
}

static enum status fill(struct table_making *making)
{
    SCOPED(best_list_free) struct best_list list = {0};
    SCOPED(best_findings_free) struct best_findings findings = {0};
    TRY(best_list_read(NULL, &list, making->error));
    TRY(best_findings_create(&making->contest.set, &list, &findings, making->error));
    making->picker.used = true;
    return add_all(&findings, making->table, making->error);
}

const struct table_recipe table_best_known = {
    .name = "best-known",
    .title = "the best peak of each problem against the best known one",
    .caption = "Against the best known values",
    .columns = "instance | policy | options | known bound (bytes): | known peak (bytes): | "
               "peak (bytes): | planner | gap to known peak (%):",
    .filter = {.each = true},
    .fill = fill,
};
