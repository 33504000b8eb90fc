/* plots_write_index: a report of everything that a store has results for. */

#include <stdbool.h>
#include <string.h>

#include "core/memory.h"
#include "plots/figures/plots.h"
#include "plots/report/data.h"
#include "plots/report/data_script.h"
#include "plots/report/overview.h"
#include "plots/report/report.h"
#include "results/table/escape.h"
#include "results/tables/tables.h"

static const char layouts_introduction[] =
    "<p id=\"layouts-help\" class=\"notes\">Time runs to the right, offsets upwards; each "
    "rectangle is a tensor in its place, the shaded steps are where the plan reaches its peak. "
    "Drag to move; the wheel zooms once the picture has the focus (Shift: time only, Alt: bytes "
    "only), else with Ctrl. Keys: arrows move, + and - zoom, 0 shows all, p the peak, n and b "
    "choose the next tensor and the one before, Escape none.</p>\n"
    "<noscript><p class=\"problem\">This part needs JavaScript.</p></noscript>\n";

static const char timelines_introduction[] =
    "<p id=\"timelines-help\" class=\"notes\">What the processor and the channel that brings "
    "weights do from when to when, along the likeliest path of the graph. The pictures are zoomed "
    "and moved as the memory layouts are; n and b choose the next event and the one before.</p>\n"
    "<noscript><p class=\"problem\">This part needs JavaScript.</p></noscript>\n";

static const char no_layouts[] =
    "<p>No result has kept where its buffers lie: <code>memplan bench</code> keeps layouts of up "
    "to 4096 rectangles, <code>--layouts 1000000</code> those of larger plans, too.</p>\n";

/* Goes on where a table or figure was made; where it could not be since there are no results for
   it, says so on the page. */
static enum status tell_absent(struct report *report, const char *name, enum status made,
                               const struct error *reason, struct error *error)
{
    if (made == STATUS_NO)
        return report_add_absent(report, name, reason->text, error);
    *error = *reason;
    return made;
}

/* Adds a table; one where most cells are without a result, so that a line which says so is more
   useful, is only told of. */
static enum status add_table(struct report *report, struct store *store,
                             const struct table_recipe *recipe, const struct report_request *asked,
                             struct error *error)
{
    SCOPED(table_free) struct table table = {0};
    struct error reason = ERROR_NONE;
    uint32_t missing = 0;
    enum status status = tables_build(recipe->name, store, asked->choice, &table, &reason);
    for (uint32_t i = 0; i < table.cells && !status; i++)
        missing += table.cell[i].kind == TABLE_MISSING;
    if (!status && missing > table.cells / 3)
        status = error_set(&reason, STATUS_NO, "%u of its %u cells have no result", missing,
                           table.cells);
    return status ? tell_absent(report, recipe->name, status, &reason, error)
                  : report_add_table(report, recipe->name, &table, error);
}

static enum status add_figure(struct report *report, struct store *store,
                              const struct plot_recipe *recipe, const struct report_request *asked,
                              struct error *error)
{
    const struct plot_request request = {.store = store, .choice = asked->choice};
    SCOPED(text_free) struct text script = {0};
    struct error reason = ERROR_NONE;
    enum status status = plot_script(recipe->name, &request, &script, &reason);
    return status ? tell_absent(report, recipe->name, status, &reason, error)
                  : report_add_figure(report, recipe->name, recipe->title, script.bytes, error);
}

/* Keeps, of the rows of each instance, which stand together, the first with the least peak. */
static void keep_best(const struct result_set *set, bool *kept)
{
    for (uint32_t begin = 0, end = 0; begin < set->count; begin = end) {
        uint32_t best = UINT32_MAX;
        for (; end < set->count && strcmp(set->row[end].instance, set->row[begin].instance) == 0;
             end++)
            if (query_worth(&set->row[end]) == RESULT_NUMBER &&
                (best == UINT32_MAX || set->row[end].peak_bytes < set->row[best].peak_bytes))
                best = end;
        for (uint32_t i = begin; i < end; i++)
            kept[i] = i == best;
    }
}

enum status report_add_results(struct report *report, struct store *store, const char *folder,
                               const struct result_set *set, bool only_best, struct error *error)
{
    static const char without_script[] =
        "<noscript><p class=\"problem\">This part needs JavaScript. The files of the table "
        "summary have the same results.</p></noscript>\n";
    uint32_t instances;
    SCOPED(runs_free) struct run_list runs = {0};
    SCOPED(memory_release) bool *kept = NULL;
    TRY(memory_create(&kept, set->count, sizeof *kept, error));
    memset(kept, true, set->count);
    if (only_best)
        keep_best(set, kept);
    TRY(layouts_write(store, folder, set, kept, &instances, error));
    TRY(runs_list(store, &runs, error));
    TRY(rows_write(folder, set, &runs, kept, error));
    TRY(report_add_data(report, "rows", error));
    TRY(report_add_data(report, "layouts", error));
    TRY(report_add_part(report, "results", "Results", without_script, error));
    return report_add_part(report, "layouts", "Memory layouts",
                           instances ? layouts_introduction : no_layouts, error);
}

enum status report_add_suites(struct report *report, const char *folder,
                              const struct report_suite *suite, uint32_t suites,
                              struct error *error)
{
    SCOPED(text_free) struct text json = {0};
    text_append(&json, "[");
    for (uint32_t i = 0; i < suites; i++) {
        text_append(&json, i ? ",\n{\"name\": " : "{\"name\": ");
        escape_json(&json, suite[i].name);
        text_append(&json, ", \"instances\": [");
        for (uint32_t k = 0; k < suite[i].instances; k++) {
            text_append(&json, k ? ", " : "");
            escape_json(&json, suite[i].instance[k]);
        }
        text_append(&json, "]}");
    }
    text_append(&json, "]\n");
    TRY(data_script_write(folder, "suites", &json, error));
    return report_add_data(report, "suites", error);
}

static enum status add_all(struct report *report, struct store *store, const char *folder,
                           const struct report_request *request, struct error *error)
{
    SCOPED(query_free) struct result_set set = {0};
    SCOPED(timelines_free) struct timelines_set timelines = {0};
    SCOPED(text_free) struct text html = {0};
    TRY(store_keep_rows(store, error));
    TRY(query_newest(store, &(struct result_filter){0}, &set, error));
    TRY(overview_append(store, &set, request, &html, error));
    TRY(report_add_part(report, "overview", "Overview", html.bytes, error));
    if (set.count)
        TRY(report_add_results(report, store, folder, &set, false, error));
    TRY(report_add_suites(report, folder, request->suite, request->suites, error));
    TRY(timelines_read(store, &timelines, error));
    if (timelines.count) {
        TRY(timelines_write_data(folder, &timelines, error));
        TRY(report_add_data(report, "timelines", error));
        TRY(report_add_part(report, "timelines", "Weight transfers", timelines_introduction,
                            error));
    }
    TRY(report_add_part(report, "tables", "Tables", "", error));
    for (unsigned i = 0; i < tables_count(); i++)
        if (tables_at(i)->source != TABLE_OF_ITS_OWN && !tables_at(i)->shown &&
            tables_at(i)->subject != TABLE_OF_INSTANCE)
            TRY(add_table(report, store, tables_at(i), request, error));
    TRY(report_add_part(report, "figures", "Figures", "", error));
    for (unsigned i = 0; i < plots_count(); i++)
        TRY(add_figure(report, store, plots_at(i), request, error));
    TRY(report_add_facts(report, store, error));
    return report_finish(report, error);
}

enum status plots_write_index(struct store *store, const char *folder,
                              const struct report_request *request, unsigned *failed_figures,
                              struct error *error)
{
    struct report *report;
    enum status status = report_create(folder, request->title, &report, error);
    if (!status)
        status = add_all(report, store, folder, request, error);
    if (failed_figures && report)
        *failed_figures = report_figures_failed(report);
    report_free(report);
    return status;
}
