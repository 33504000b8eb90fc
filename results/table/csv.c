/* A table as CSV for other programs: raw numbers, headings of letters, digits and underscores, and
   neither notes nor foot. */

#include "results/table/escape.h"
#include "results/table/formats.h"

static void write_table(const struct table *table, struct text *text)
{
    uint32_t columns = table_columns(table);
    for (uint32_t i = 0; i < columns; i++) {
        text_append_bytes(text, ",", i > 0);
        table_append_key(text, table, i);
    }
    text_append(text, "\n");
    for (uint32_t row = 0; row < table_rows(table) - table->foot_rows; row++) {
        for (uint32_t i = 0; i < columns; i++) {
            text_append_bytes(text, ",", i > 0);
            escape_csv(text, table_raw(table, row, i));
        }
        text_append_bytes(text, "\n", 1);
    }
}

const struct table_format table_format_csv = {"csv", "comma separated values, raw numbers", true,
                                              write_table, false};
