/* The commands table, plot and report, which show stored results. */

#include <stdio.h>
#include <string.h>

#include "cli/arguments/chosen.h"
#include "cli/arguments/command.h"
#include "cli/output/picture.h"
#include "cli/output/print.h"
#include "cli/results/compare.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/plural.h"
#include "core/text.h"
#include "datasets/suite.h"
#include "plots/figures/plots.h"
#include "plots/report/report.h"
#include "results/table/order.h"
#include "results/tables/tables.h"

/* STATUS_USAGE where the extension of the output names no format, and the user none. */
static enum status check_output(const struct arguments *arguments, struct error *error)
{
    const char *extension = arguments->output ? file_name_extension(arguments->output) : "";
    const char *format = arguments->format ? arguments->format : extension;
    bool is_text = !arguments->format && (!*extension || strcmp(extension, "txt") == 0);
    return is_text || table_formats_find(format)
               ? STATUS_OK
               : table_formats_refuse(format, strlen(format), error);
}

static enum status choose(const struct arguments *arguments, enum table_subject subject,
                          struct store *store, struct chosen *chosen, struct error *error)
{
    if (store)
        TRY(chosen_find(arguments, store, chosen, error));
    return chosen_find_subject(arguments, subject, store, chosen, error);
}

static enum status run_table(const struct arguments *arguments, struct error *error)
{
    const struct table_recipe *recipe = tables_find(arguments->operand[0]);
    SCOPED(store_release) struct store *store = NULL;
    SCOPED(chosen_clear)
    struct chosen chosen = {.choice = {.sort = arguments->sort, .top = (uint32_t)arguments->top}};
    if (!recipe)
        return tables_refuse(arguments->operand[0], strlen(arguments->operand[0]), error);
    TRY(check_output(arguments, error));
    if (recipe->source != TABLE_OF_ITS_OWN)
        TRY(store_open(arguments->database, STORE_READ, &store, error));
    TRY(choose(arguments, recipe->subject, store, &chosen, error));
    SCOPED(table_free) struct table table = {0};
    TRY(tables_build(arguments->operand[0], store, &chosen.choice, &table, error));
    const char *format = print_choose_format(arguments->format, arguments->output);
    const char *columns = arguments->columns                          ? arguments->columns
                          : table_formats_find(format)->is_for_people ? recipe->shown
                                                                      : NULL;
    if (columns)
        TRY(table_choose_columns(&table, columns, error));
    if (arguments->caption)
        table_set_title(&table, arguments->caption);
    table.reference = arguments->label;
    return print_table(&table, arguments->format, arguments->output, error);
}

static enum status run_plot(const struct arguments *arguments, struct error *error)
{
    SCOPED(store_release) struct store *store = NULL;
    SCOPED(chosen_clear) struct chosen chosen = {0};
    const struct plot_recipe *recipe = plots_find(arguments->operand[0]);
    if (!arguments->output)
        return error_set(error, STATUS_USAGE, "no output, expected -o FILE.svg, .pdf, .png or .gp");
    if (!recipe)
        return plots_refuse(arguments->operand[0], strlen(arguments->operand[0]), error);
    TRY(store_open(arguments->database, STORE_READ, &store, error));
    const struct plot_request request = {
        .store = store, .choice = &chosen.choice, .is_dark = arguments->is_dark};
    TRY(choose(arguments, recipe->subject, store, &chosen, error));
    return picture_draw(arguments->operand[0], &request, arguments->output, error);
}

/* Every suite with the names of its instances. */
struct suites {
    struct report_suite *suite;
    const char **instance; /* of all suites, one after the other */
};

static void clear_suites(struct suites *suites)
{
    memory_free_all(suites->suite, suites->instance);
}

static enum status list_suites(struct suites *suites, struct error *error)
{
    uint32_t instances = 0;
    for (uint32_t i = 0; i < suite_count(); i++)
        instances += suite_instances(suite_at(i));
    TRY(memory_create(&suites->suite, suite_count(), sizeof *suites->suite, error));
    TRY(memory_create(&suites->instance, instances, sizeof *suites->instance, error));
    const char **next = suites->instance;
    for (uint32_t i = 0; i < suite_count(); i++) {
        const struct suite *suite = suite_at(i);
        suites->suite[i] = (struct report_suite){suite->name, next, suite_instances(suite)};
        for (uint32_t k = 0; k < suites->suite[i].instances; k++)
            *next++ = suite_instance(suite, k);
    }
    return STATUS_OK;
}

static enum status run_report(const struct arguments *arguments, struct error *error)
{
    SCOPED(store_release) struct store *store = NULL;
    SCOPED(clear_suites) struct suites suites = {0};
    SCOPED(text_free) struct text verdict = {0};
    SCOPED(chosen_clear) struct chosen chosen = {0};
    unsigned failed;
    const char *folder = arguments->output ? arguments->output : "report";
    TRY(store_open(arguments->database, STORE_READ, &store, error));
    TRY(list_suites(&suites, error));
    TRY(chosen_find(arguments, store, &chosen, error));
    if (arguments->verdict)
        TRY(text_read_file(arguments->verdict, &verdict, error));
    const struct report_request request = {.title = arguments->database,
                                           .suite = suites.suite,
                                           .suites = suite_count(),
                                           .base =
                                               arguments->operands ? arguments->operand[0] : NULL,
                                           .rules = compare_rules(arguments),
                                           .verdict = verdict.bytes,
                                           .choice = &chosen.choice};
    TRY(plots_write_index(store, folder, &request, &failed, error));
    fprintf(stderr, "%s/index.html is the page, every table and figure stands beside it\n", folder);
    return failed ? error_set(error, STATUS_NO, "%u figure%s could not be drawn", failed,
                              plural_ending(failed))
                  : STATUS_OK;
}

/* What each table of any results says, and how those are asked for that take more than their
   name. */
static void list_tables(struct text *help)
{
    text_append(help, "Tables of any results (memplan list tables has those of sources, too):\n");
    for (unsigned i = 0; i < tables_count(); i++) {
        const struct table_recipe *recipe = tables_at(i);
        if (recipe->source == TABLE_OF_MEASURES || recipe->source == TABLE_OF_ITS_OWN)
            continue;
        text_append(help, "%s: %s\n", recipe->name, recipe->title);
        if (recipe->example)
            text_append(help, "    memplan table %s\n", recipe->example);
    }
    text_append(help, "\n");
}

const struct command command_table = {
    .name = "table",
    .summary = "make a table from stored results",
    .operands = "NAME [PLANNERS|INSTANCE]",
    .kind = "tables",
    .least = 1,
    .most = 2,
    .options =
        OPTIONS(OPTIONS_OF_RESULTS, OPTION_MINE, OPTION_BY_ORDERS, OPTION_SORT, OPTION_COLUMNS,
                OPTION_CAPTION, OPTION_LABEL, OPTION_TOP, OPTION_DB, OPTION_FORMAT, OPTION_OUTPUT),
    .help = HELP(HELP_OF_RESULTS),
    .description =
        "Every table takes the options that choose results. A planner that the table versus "
        "is about, or an instance, follows the table's name.",
    .examples = "memplan table summary --db my.db\n"
                "memplan table leaderboard --top 10 --db my.db\n"
                "memplan table versus large_first,naive --db my.db\n"
                "memplan table gaps --planners published --format csv -o gaps.csv",
    .list = list_tables,
    .run = run_table,
};

/* What each plot shows. */
static void list_plots(struct text *help)
{
    text_append(help, "Plots:\n");
    for (unsigned i = 0; i < plots_count(); i++) {
        text_append(help, "%s: %s\n", plots_at(i)->name, plots_at(i)->title);
        if (plots_at(i)->example)
            text_append(help, "    memplan plot %s\n", plots_at(i)->example);
    }
    text_append(help, "\n");
}

const struct command command_plot = {
    .name = "plot",
    .summary = "draw a figure from stored results",
    .operands = "NAME [A,B]",
    .kind = "plots",
    .least = 1,
    .most = 2,
    .options = OPTIONS(OPTIONS_OF_RESULTS, OPTION_MINE, OPTION_BY_ORDERS, OPTION_TOP, OPTION_THEME,
                       OPTION_DB, OPTION_OUTPUT),
    .help = HELP(HELP_OF_RESULTS, {OPTION_TOP, "only the first N planners"}),
    .description = "The extension of the output chooses the form: .svg, .pdf, .png, .gp for the "
                   "gnuplot script with its data, or .dat for the data alone.",
    .examples = "memplan plot gaps -o gaps.svg\n"
                "memplan plot profile --top 6 --theme dark -o profile.png\n"
                "memplan plot scatter large_first,naive -o scatter.pdf\n"
                "memplan plot layout -i luna/denoise --policy recursive -o layout.png",
    .list = list_plots,
    .run = run_plot,
};

const struct command command_report = {
    .name = "report",
    .summary = "make a page of a database: results, layouts, tables and figures",
    .operands = "[BASE]",
    .most = 1,
    .options = OPTIONS(OPTION_DB, OPTION_MINE, OPTION_TOLERANCE, OPTION_VERDICT, OPTION_OUTPUT),
    .description =
        "The page begins with how the newest run stands against the run BASE (default: the run "
        "before that has jobs in common with it). The output is a folder (default report), made "
        "if missing: index.html, which a browser opens without a server, and beside it every "
        "table as .md, .csv and .tex and every figure as .svg and .gp.",
    .examples = "memplan report -o report\nmemplan report yesterday --db my.db -o nightly",
    .run = run_report,
};
