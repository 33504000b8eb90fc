/* plots_write_index: a report of everything that a store has results for. */

#include <string.h>

#include "plots/figures/plots.h"
#include "plots/report/report.h"
#include "results/tables/tables.h"

static enum status add_table(struct report *report, struct store *store,
                             const struct table_recipe *recipe, struct error *error)
{
    struct table table = {0};
    struct error reason = ERROR_NONE;
    enum status status = recipe->build(store, NULL, &table, &reason);
    if (!status)
        status = report_add_table(report, recipe->name, &table, error);
    else if (status == STATUS_NO)
        status = report_add_absent(report, recipe->name, reason.text, error);
    else
        *error = reason;
    table_free(&table);
    return status;
}

static enum status add_figure(struct report *report, struct store *store,
                              const struct plot_recipe *recipe, struct error *error)
{
    struct plot_request request = {.store = store};
    struct text script = {0};
    struct error reason = ERROR_NONE;
    enum status status = plot_script(recipe->name, &request, &script, &reason);
    if (!status)
        status = report_add_figure(report, recipe->name, recipe->title, script.bytes, error);
    else if (status == STATUS_NO)
        status = report_add_absent(report, recipe->name, reason.text, error);
    else
        *error = reason;
    text_free(&script);
    return status;
}

static enum status add_all(struct report *report, struct store *store, struct error *error)
{
    for (unsigned i = 0; i < tables_count(); i++)
        TRY(add_table(report, store, tables_at(i), error));
    for (unsigned i = 0; i < plots_count(); i++)
        TRY(add_figure(report, store, plots_at(i), error));
    TRY(report_add_facts(report, store, error));
    return report_finish(report, error);
}

enum status plots_write_index(struct store *store, const char *folder, const char *title,
                              unsigned *failed_figures, struct error *error)
{
    struct report *report;
    TRY(report_create(folder, title, &report, error));
    enum status status = add_all(report, store, error);
    if (failed_figures)
        *failed_figures = report_figures_failed(report);
    report_free(report);
    return status;
}
