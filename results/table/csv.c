/* A table as CSV for other programs: raw numbers, headings of letters, digits and underscores, and
   neither notes nor foot. */

#include <ctype.h>
#include <string.h>

#include "results/table/escape.h"
#include "results/table/formats.h"

/* Letters, digits and single underscores: what spreadsheets and scripts take as a name. */
static void append_name(struct text *text, const char *raw, bool *open)
{
    bool wanted = *open;
    for (; *raw; raw++) {
        char letter = (char)tolower((unsigned char)*raw);
        bool plain = isalnum((unsigned char)letter) && !((unsigned char)letter & 0x80);
        if (plain && wanted)
            text_append(text, "_");
        if (plain)
            text_append_bytes(text, &letter, 1);
        else if (*raw == '%')
            text_append(text, "%spercent", *open ? "_" : "");
        *open |= plain || *raw == '%';
        wanted = *open && !plain;
    }
}

static void append_heading(struct text *text, const struct table *table, uint32_t column)
{
    bool open = false;
    append_name(text, names_get(&table->headings, column), &open);
    append_name(text, names_get(&table->units, column), &open);
}

static void write_table(const struct table *table, struct text *text)
{
    uint32_t columns = table_columns(table);
    for (uint32_t i = 0; i < columns; i++) {
        text_append(text, i ? "," : "");
        append_heading(text, table, i);
    }
    text_append(text, "\n");
    for (uint32_t row = 0; row < table_rows(table) - table->foot_rows; row++) {
        for (uint32_t i = 0; i < columns; i++) {
            text_append(text, i ? "," : "");
            escape_csv(text, table_raw(table, row, i));
        }
        text_append(text, "\n");
    }
}

const struct table_format table_format_csv = {"csv", "comma separated values, raw numbers",
                                              write_table};
