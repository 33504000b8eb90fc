/* A table as a LaTeX tabular without rules beyond \hline, which needs no package. */

#include "results/table/escape.h"
#include "results/table/formats.h"

static void append_comment(struct text *text, const char *raw)
{
    char character[5];
    text_append(text, "%% ");
    while (escape_next(&raw, character))
        text_append(text, "%s", character);
    text_append(text, "\n");
}

/* Title and notes are comments: the caption belongs to the float of the document that reads it. */
static void write_table(const struct table *table, struct text *text)
{
    uint32_t columns = table_columns(table);
    append_comment(text, table_title(table));
    for (uint32_t i = 0; i < table->notes.count; i++)
        append_comment(text, names_get(&table->notes, i));
    text_append(text, "\\begin{tabular}{");
    for (uint32_t i = 0; i < columns; i++)
        text_append(text, table->alignment[i] == TABLE_RIGHT ? "r" : "l");
    text_append(text, "}\n\\hline\n");
    for (uint32_t i = 0; i < columns; i++) {
        text_append(text, i ? " & " : "");
        table_append_heading(text, table, i, escape_tex);
    }
    text_append(text, " \\\\\n\\hline\n");
    for (uint32_t row = 0; row < table_rows(table); row++) {
        if (table->foot_rows && row == table_rows(table) - table->foot_rows)
            text_append(text, "\\hline\n");
        for (uint32_t i = 0; i < columns; i++) {
            text_append(text, i ? " & " : "");
            const char *raw = table_raw(table, row, i);
            const struct table_cell *cell = table_cell_at(table, row, i);
            text_append(text, cell->marked ? "\\textbf{" : "");
            if (cell->kind == TABLE_NUMBER) {
                text_append(text, *raw == '-' ? "$-$" : "");
                table_group_digits(text, raw + (*raw == '-'), "\\,");
            } else if (cell->kind == TABLE_MISSING)
                text_append(text, "--");
            else
                escape_tex(text, raw);
            text_append(text, cell->marked ? "}" : "");
        }
        text_append(text, " \\\\\n");
    }
    text_append(text, "\\hline\n\\end{tabular}\n");
}

const struct table_format table_format_tex = {"tex", "LaTeX tabular", true, write_table};
