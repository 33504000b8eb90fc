/* The command rows: the rows of a database as they were stored. */
#include <string.h>

#include "cli/arguments/chosen.h"
#include "cli/arguments/command.h"
#include "cli/output/print.h"
#include "core/text.h"
#include "results/store/columns.h"
#include "results/store/query.h"
#include "results/store/store.h"
#include "results/table/table.h"

static bool is_one_of(const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

/* Whether only the most important columns are shown: people see what tells jobs apart and how they
   ended, programs get everything. */
static bool is_for_people(const char *format)
{
    static const char *const formats[] = {"text", "md", "tex", "html"};
    return is_one_of(format, formats, sizeof formats / sizeof *formats);
}

static bool is_shown(const struct column *column, bool for_people)
{
    static const char *const shown[] = {"run",        "instance", "policy",    "planner",
                                        "options",    "settings", "seed",      "repetition",
                                        "status",     "verdict",  "execution", "stop_reason",
                                        "peak_bytes", "wall_ns",  "fault"};
    return !for_people || is_one_of(column->name, shown, sizeof shown / sizeof *shown);
}

static void add_field(const struct column *column, const struct result_row *row,
                      struct table *table)
{
    const char *field = (const char *)row + column->offset;
    const char *text;
    uint64_t number;
    if (column->kind == COLUMN_TEXT) {
        memcpy(&text, field, sizeof text);
        table_add(table, cell_text(text));
    } else {
        memcpy(&number, field, sizeof number);
        table_add(table, cell_number(number));
    }
}

static enum status run_rows(const struct arguments *arguments, struct error *error)
{
    SCOPED(chosen_clear) struct chosen chosen = {0};
    const struct result_filter filter = {.choice = &chosen.choice, .stored = true};
    SCOPED(query_free) struct result_set set = {0};
    SCOPED(store_release) struct store *store = NULL;
    TRY(store_open(arguments->database, STORE_READ, &store, error));
    TRY(chosen_find(arguments, store, &chosen, error));
    TRY(query_newest(store, &filter, &set, error));
    SCOPED(table_free) struct table table = {0};
    bool for_people = is_for_people(print_choose_format(arguments->format, arguments->output));
    table_set_title(&table, "Rows");
    for (unsigned i = 0; i < columns_of_results.columns; i++) {
        const struct column *column = &columns_of_results.column[i];
        if (is_shown(column, for_people))
            table_add_column(&table, column->name, "",
                             column->kind == COLUMN_TEXT ? TABLE_LEFT : TABLE_RIGHT);
    }
    for (uint32_t row = 0; row < set.count; row++)
        for (unsigned i = 0; i < columns_of_results.columns; i++)
            if (is_shown(&columns_of_results.column[i], for_people))
                add_field(&columns_of_results.column[i], &set.row[row], &table);
    return print_table(&table, arguments->format, arguments->output, error);
}

const struct command command_rows = {
    .name = "rows",
    .summary = "the stored rows as they are, for other programs",
    .operands = "",
    .options = OPTIONS(OPTIONS_OF_RESULTS, OPTION_DB, OPTION_FORMAT, OPTION_OUTPUT),
    .description =
        "Formats csv, json and jsonl have every column of the database, docs/database.md tells "
        "their meaning; the others have those that say what was run and how it ended.",
    .examples = "memplan rows -f csv --db my.db\n"
                "memplan rows -f jsonl --run today --db my.db -o today.jsonl",
    .run = run_rows,
};
