#include <stdio.h>

#include "cli/arguments/select.h"
#include "cli/output/picture.h"
#include "core/text.h"
#include "plots/figures/plots.h"
#include "plots/report/report.h"
#include "results/tables/tables.h"

static enum status write_text(const struct arguments *arguments, const struct text *text,
                              struct error *error)
{
    if (arguments->output)
        return text_write_file(arguments->output, text, error);
    fputs(text->bytes, stdout);
    return STATUS_OK;
}

static enum status write_table(const struct arguments *arguments, struct store *store,
                               struct error *error)
{
    struct table table = {0};
    struct text text = {0};
    enum status status = tables_build(arguments->operand[0], store, arguments->run, &table, error);
    if (!status)
        status = table_write(&table, arguments->format, &text, error);
    if (!status)
        status = write_text(arguments, &text, error);
    text_free(&text);
    table_free(&table);
    return status;
}

enum status command_table(const struct arguments *arguments, struct error *error)
{
    struct store *store;
    if (!tables_find(arguments->operand[0]))
        return error_set(error, STATUS_USAGE, "no table '%s', memplan list tables names them",
                         arguments->operand[0]);
    TRY(store_open(arguments->database, STORE_READ, &store, error));
    enum status status = write_table(arguments, store, error);
    store_close(store);
    return status;
}

enum status command_plot(const struct arguments *arguments, struct error *error)
{
    struct store *store;
    if (!arguments->output)
        return error_set(error, STATUS_USAGE, "no output, expected -o FILE.svg, .pdf, .png or .gp");
    if (!plots_find(arguments->operand[0]))
        return error_set(error, STATUS_USAGE, "no plot '%s', memplan list plots names them",
                         arguments->operand[0]);
    TRY(store_open(arguments->database, STORE_READ, &store, error));
    const struct plot_request request = {.store = store,
                                         .run = arguments->run,
                                         .instance = arguments->instance,
                                         .policy = arguments->policies,
                                         .planner = arguments->planners};
    enum status status = picture_draw(arguments->operand[0], &request, arguments->output, error);
    store_close(store);
    return status;
}

enum status command_report(const struct arguments *arguments, struct error *error)
{
    struct store *store;
    unsigned failed_figures;
    if (!arguments->output)
        return error_set(error, STATUS_USAGE, "no output, expected -o FOLDER");
    TRY(store_open(arguments->database, STORE_READ, &store, error));
    enum status status =
        plots_write_index(store, arguments->output, arguments->database, &failed_figures, error);
    store_close(store);
    if (!status && failed_figures)
        status = error_set(error, STATUS_NO, "%u figures could not be drawn", failed_figures);
    return status;
}
