/* A table as JSON lines: an object for each row, raw numbers, neither notes nor foot. */

#include "results/table/formats.h"

static void write_table(const struct table *table, struct text *text)
{
    table_append_objects(text, table, "", "\n");
    text_append(text, "%s", table_rows(table) > table->foot_rows ? "\n" : "");
}

const struct table_format table_format_jsonl = {"jsonl", "a JSON object on a line for each row",
                                                false, write_table, false};
