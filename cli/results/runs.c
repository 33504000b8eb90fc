/* The command runs: lists the runs of a database, shows one, and deletes, exports and imports
   runs. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/arguments/command.h"
#include "cli/output/print.h"
#include "core/file.h"
#include "core/plural.h"
#include "core/text.h"
#include "results/store/merge.h"
#include "results/store/rows_file.h"
#include "results/store/runs.h"
#include "results/table/table.h"

static void add_run(const struct run_summary *summary, struct table *table)
{
    const struct run_row *run = &summary->run;
    table_add(table, cell_text(run->label), cell_number(summary->rows),
              cell_number(summary->instances), cell_number(summary->planners),
              cell_number(summary->failed), cell_text(run->started), cell_text(run->ended),
              cell_text(run->source_commit), cell_text(run->host), cell_text(run->build));
}

static enum status list_runs(const struct arguments *arguments, struct error *error)
{
    SCOPED(runs_free) struct run_list list = {0};
    SCOPED(table_free) struct table table = {0};
    SCOPED(store_release) struct store *store = NULL;
    TRY(store_open(arguments->database, STORE_READ, &store, error));
    TRY(runs_list(store, &list, error));
    table_set_title(&table, "Runs");
    table_add_columns(&table, "run | rows: | instances: | planners: | failed: | started | ended | "
                              "commit | host | build");
    for (uint32_t i = 0; i < list.count; i++)
        add_run(&list.run[i], &table);
    return print_table(&table, arguments->format, NULL, error);
}

/* Adds a fact, unless nothing is known. */
static void add_fact(struct table *table, const char *name, const char *value)
{
    if (!*value)
        return;
    table_add(table, cell_text(name), cell_text(value));
}

static void add_count(struct table *table, const char *name, uint64_t count)
{
    if (!count)
        return;
    table_add(table, cell_text(name), cell_number(count));
}

static void add_load(struct table *table, const char *name, uint64_t thousandths)
{
    table_add(table, cell_text(name), cell_real((double)thousandths / 1000, 2));
}

static void add_facts(const struct run_row *run, struct table *table)
{
    add_fact(table, "run", run->label);
    add_fact(table, "started", run->started);
    add_fact(table, "ended", run->ended);
    add_fact(table, "command", run->command);
    add_fact(table, "build", run->build);
    add_fact(table, "commit", run->source_commit);
    add_fact(table, "host", run->host);
    add_fact(table, "processor", run->cpu);
    add_count(table, "cores", run->cores);
    add_count(table, "memory, bytes", run->memory_bytes);
    add_fact(table, "kernel", run->kernel);
    add_fact(table, "governor", run->governor);
    add_fact(table, "turbo", run->turbo);
    add_fact(table, "throttled", run->throttled);
    add_fact(table, "not to be trusted", run->noise);
    add_load(table, "load at the start", run->load_start_thousandths);
    if (*run->ended)
        add_load(table, "load at the end", run->load_end_thousandths);
}

static enum status show_summary(const struct arguments *arguments,
                                const struct run_summary *summary, struct store *store,
                                struct error *error)
{
    struct run_statuses statuses;
    SCOPED(table_free) struct table table = {0};
    TRY(runs_count_statuses(store, summary->run.label, &statuses, error));
    table_set_title(&table, "Run");
    table_add_columns(&table, "fact | value");
    add_facts(&summary->run, &table);
    add_count(&table, "instances", summary->instances);
    add_count(&table, "planners", summary->planners);
    uint64_t wall_ns = 0;
    char name[32];
    for (uint32_t i = 0; i < statuses.count; i++) {
        snprintf(name, sizeof name, "rows: %s", statuses.of[i].status);
        add_count(&table, name, statuses.of[i].rows);
        wall_ns += statuses.of[i].wall_ns;
    }
    table_add(&table, cell_text("time of all plans, s"), cell_real((double)wall_ns / 1e9, 3));
    add_count(&table, "rows that failed", summary->failed);
    return print_table(&table, arguments->format, NULL, error);
}

static enum status show_run(const struct arguments *arguments, struct error *error)
{
    SCOPED(store_release) struct store *store = NULL;
    SCOPED(runs_free) struct run_list list = {0};
    const char *label = arguments->operand[1];
    TRY(store_open(arguments->database, STORE_READ, &store, error));
    TRY(runs_list(store, &list, error));
    for (uint32_t i = 0; i < list.count; i++)
        if (strcmp(list.run[i].run.label, label) == 0)
            return show_summary(arguments, &list.run[i], store, error);
    return error_set_at(error, STATUS_NO, arguments->database, 0,
                        "no run '%s', memplan runs lists them", label);
}

static enum status delete_run(const struct arguments *arguments, const char *label,
                              struct store *store, struct error *error)
{
    struct runs_deleted deleted;
    const char *planner = arguments->planners;
    TRY(runs_delete(store, label, planner, &deleted, error));
    if (!deleted.rows && !deleted.runs)
        return error_set(error, STATUS_NO, "%s: no rows of run '%s'%s%s", arguments->database,
                         label, planner ? " by planner " : "", planner ? planner : "");
    printf("%" PRIu64 " row%s deleted\n", deleted.rows, plural_ending(deleted.rows));
    return STATUS_OK;
}

static enum status delete_runs(const struct arguments *arguments, struct error *error)
{
    SCOPED(store_release) struct store *store = NULL;
    enum status status = STATUS_OK;
    /* Opens a store that must exist; a missing file is not created. */
    TRY(store_open(arguments->database, STORE_READ, &store, error));
    store_close(store);
    TRY(store_open(arguments->database, STORE_WRITE, &store, error));
    for (uint32_t i = 1; i < arguments->operands && (!status || status == STATUS_NO); i++) {
        struct error reason = ERROR_NONE;
        if (delete_run(arguments, arguments->operand[i], store, &reason)) {
            *error = reason;
            status = reason.status;
        }
    }
    TRY(store_shrink(store, error));
    return status;
}

static void print_transferred(const struct merge_transferred *done)
{
    printf("%" PRIu64 " run%s, %" PRIu64 " row%s\n", done->runs, plural_ending(done->runs),
           done->rows, plural_ending(done->rows));
}

static enum status copy_runs(const char *target, const struct merge_transfer *transfer,
                             struct error *error)
{
    struct merge_transferred done;
    SCOPED(store_release) struct store *store = NULL;
    TRY(store_open(target, STORE_WRITE, &store, error));
    TRY(merge_transfer_runs(store, transfer, &done, error));
    print_transferred(&done);
    return STATUS_OK;
}

static enum status export_runs(const struct arguments *arguments, struct error *error)
{
    SCOPED(text_free) struct text beside = {0};
    if (!arguments->output)
        return error_set(error, STATUS_USAGE, "no output, expected -o FILE");
    text_append(&beside, "%s.part%ld", arguments->output, (long)getpid());
    TRY(text_check(&beside, error));
    /* Writes to a file beside the final one, which is renamed at the end, so that there is never
       half a file. */
    const struct merge_transfer transfer = {.source = arguments->database,
                                            .label = arguments->operand + 1,
                                            .labels = arguments->operands - 1};
    remove(beside.bytes);
    enum status status = copy_runs(beside.bytes, &transfer, error);
    if (!status && rename(beside.bytes, arguments->output) != 0)
        status = error_set_at(error, STATUS_BAD_INPUT, arguments->output, 0, "cannot write");
    if (status)
        remove(beside.bytes);
    return status;
}

/* Imports the rows of a CSV file into the database. */
static enum status import_rows(const struct arguments *arguments, struct error *error)
{
    struct merge_transferred done;
    SCOPED(store_release) struct store *store = NULL;
    TRY(store_open(arguments->database, STORE_WRITE, &store, error));
    TRY(store_begin(store, error));
    TRY(store_end(store, rows_file_import(store, arguments->operand[1], &done, error), error));
    print_transferred(&done);
    return STATUS_OK;
}

/* Imports all runs of a file, which is one that export wrote or any other database of results, or
   rows as a table. */
static enum status import_runs(const struct arguments *arguments, struct error *error)
{
    SCOPED(store_release) struct store *source = NULL;
    const char *path = arguments->operand[1];
    if (file_name_has_extension(path, ".csv") || file_name_has_extension(path, ".csv.gz"))
        return import_rows(arguments, error);
    TRY(store_open(path, STORE_READ, &source, error));
    return copy_runs(arguments->database, &(struct merge_transfer){.source = arguments->operand[1]},
                     error);
}

static const struct action {
    const char *name, *operands;
    uint32_t least, most; /* number of operands behind the name */
    enum status (*run)(const struct arguments *arguments, struct error *error);
} actions[] = {
    {"list", "", 0, 0, list_runs},
    {"show", "LABEL", 1, 1, show_run},
    {"delete", "LABEL...", 1, UINT32_MAX, delete_runs},
    {"export", "LABEL... -o FILE", 1, UINT32_MAX, export_runs},
    {"import", "FILE", 1, 1, import_runs},
};

static enum status run_runs(const struct arguments *arguments, struct error *error)
{
    if (!arguments->operands)
        return list_runs(arguments, error);
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(arguments->operand[0], actions[i].name) == 0) {
            uint32_t operands = arguments->operands - 1;
            if (operands < actions[i].least || operands > actions[i].most)
                return error_set(error, STATUS_USAGE, "found %u operand%s, expected runs %s %s",
                                 operands, plural_ending(operands), actions[i].name,
                                 actions[i].operands);
            return actions[i].run(arguments, error);
        }
    return error_set(error, STATUS_USAGE,
                     "found '%s', expected list, show, delete, export or import",
                     arguments->operand[0]);
}

const struct command command_runs = {
    .name = "runs",
    .summary = "which runs a database holds; show, delete, export or import them",
    .operands = "[list | show LABEL | delete LABEL... | export LABEL... | import FILE]",
    .most = UINT32_MAX,
    .options = OPTIONS(OPTION_DB, OPTION_FORMAT, OPTION_OUTPUT, OPTION_PLANNER),
    .help = HELP({OPTION_PLANNER, "delete the rows of this planner only"}),
    .description =
        "export writes a database of these runs alone, all that is known of them, and import "
        "takes all runs of such a file, or of any other database, or the rows of a .csv or .csv.gz "
        "that table rows wrote, into --db, which is made if missing. delete takes only one "
        "planner's rows with --planner; the file gets smaller, "
        "unless another program has it open. Exit code 1 where a label is not there, or is there "
        "already.",
    .examples = "memplan runs --db my.db\n"
                "memplan runs show yesterday --db my.db\n"
                "memplan runs delete today --planner naive --db my.db\n"
                "memplan runs export yesterday today --db my.db -o two.db\n"
                "memplan runs import two.db --db other.db",
    .run = run_runs,
};
