/* A table as one JSON object for other programs: raw numbers, and rows by the names of the columns,
   without the foot. */

#include "results/table/escape.h"
#include "results/table/formats.h"

static void write_table(const struct table *table, struct text *text)
{
    text_append(text, "{\n  \"format\": \"memplan-table/1\",\n  \"title\": ");
    escape_json(text, table_title(table));
    text_append(text, ",\n  \"columns\": [");
    for (uint32_t i = 0; i < table_columns(table); i++) {
        text_append(text, "%s\n    {\"name\": \"", i ? "," : "");
        table_append_key(text, table, i);
        text_append(text, "\", \"heading\": ");
        escape_json(text, names_get(&table->headings, i));
        text_append(text, ", \"unit\": ");
        escape_json(text, names_get(&table->units, i));
        text_append(text, "}");
    }
    text_append(text, "\n  ],\n  \"rows\": [");
    table_append_objects(text, table, "\n    ", ",\n    ");
    text_append(text, "\n  ],\n  \"notes\": [");
    for (uint32_t i = 0; i < table->notes.count; i++) {
        text_append(text, "%s\n    ", i ? "," : "");
        escape_json(text, names_get(&table->notes, i));
    }
    text_append(text, "\n  ]\n}\n");
}

const struct table_format table_format_json = {"json", "one JSON object, raw numbers", false,
                                               write_table, false};
