/* The command runs: which runs a database holds, and deleting one of them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/arguments/command.h"
#include "results/store/runs.h"
#include "results/table/table.h"

static void add_columns(struct table *table)
{
    static const char *const numbers[] = {"rows", "instances", "planners", "failed"};
    static const char *const texts[] = {"started", "ended", "commit", "host", "build"};
    table_add_column(table, "run", "", TABLE_LEFT);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        table_add_column(table, numbers[i], "", TABLE_RIGHT);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        table_add_column(table, texts[i], "", TABLE_LEFT);
}

static void add_run(const struct run_summary *summary, struct table *table)
{
    const struct run_row *run = &summary->run;
    table_add_text(table, run->label);
    table_add_number(table, summary->rows);
    table_add_number(table, summary->instances);
    table_add_number(table, summary->planners);
    table_add_number(table, summary->failed);
    table_add_text(table, run->started);
    table_add_text(table, run->ended);
    table_add_text(table, run->source_commit);
    table_add_text(table, run->host);
    table_add_text(table, run->build);
}

static enum status print_runs(const struct run_list *list, const char *format, struct error *error)
{
    struct table table = {0};
    struct text text = {0};
    table_set_title(&table, "Runs");
    add_columns(&table);
    for (uint32_t i = 0; i < list->count; i++)
        add_run(&list->run[i], &table);
    enum status status = table_check(&table, error);
    if (!status)
        status = table_write(&table, format, &text, error);
    if (!status)
        fputs(text.bytes, stdout);
    text_free(&text);
    table_free(&table);
    return status;
}

static enum status list_runs(const struct arguments *arguments, struct error *error)
{
    struct run_list list = {0};
    struct store *store;
    TRY(store_open(arguments->database, STORE_READ, &store, error));
    enum status status = runs_list(store, &list, error);
    store_close(store);
    if (!status)
        status = print_runs(&list, arguments->format, error);
    runs_free(&list);
    return status;
}

/* A file that is not there must not be made. */
static enum status open_existing(const char *path, struct store **store, struct error *error)
{
    TRY(store_open(path, STORE_READ, store, error));
    store_close(*store);
    return store_open(path, STORE_WRITE, store, error);
}

static enum status delete_run(const struct arguments *arguments, struct error *error)
{
    struct store *store;
    struct runs_deleted deleted;
    if (arguments->operands != 2)
        return error_set(error, STATUS_USAGE, "no label, expected runs delete LABEL");
    TRY(open_existing(arguments->database, &store, error));
    enum status status =
        runs_delete(store, arguments->operand[1], arguments->planners, &deleted, error);
    store_close(store);
    if (status)
        return status;
    if (!deleted.rows && !deleted.runs)
        return error_set(error, STATUS_NO, "%s: no rows of run '%s'%s%s", arguments->database,
                         arguments->operand[1], arguments->planners ? " by planner " : "",
                         arguments->planners ? arguments->planners : "");
    printf("%" PRIu64 " rows deleted\n", deleted.rows);
    return STATUS_OK;
}

static const struct action {
    const char *name;
    enum status (*run)(const struct arguments *arguments, struct error *error);
} actions[] = {{"list", list_runs}, {"delete", delete_run}};

static enum status run_runs(const struct arguments *arguments, struct error *error)
{
    if (!arguments->operands)
        return list_runs(arguments, error);
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(arguments->operand[0], actions[i].name) == 0)
            return actions[i].run(arguments, error);
    return error_set(error, STATUS_USAGE, "found '%s', expected list or delete",
                     arguments->operand[0]);
}

const struct command command_runs = {
    .name = "runs",
    .summary = "which runs a database holds; delete one, or one planner's rows in it",
    .operands = "[list | delete LABEL]",
    .most = 2,
    .options = OPTIONS(OPTION_DB, OPTION_FORMAT, OPTION_PLANNER),
    .description = "Exit code 1 when there was nothing to delete.",
    .examples = "memplan runs --db my.db\n"
                "memplan runs delete yesterday --db my.db\n"
                "memplan runs delete today --planner naive --db my.db",
    .run = run_runs,
};
