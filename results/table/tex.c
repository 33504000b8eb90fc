/* A table as a LaTeX tabular without rules beyond \hline, which needs no package. */

#include "results/table/escape.h"
#include "results/table/formats.h"

static const struct cell_style style = {"\\,", "$-$", "--", "\\textbf{", "}", escape_tex};

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
            table_append_cell(text, table, row, i, &style);
        }
        text_append(text, " \\\\\n");
    }
    text_append(text, "\\hline\n\\end{tabular}\n");
}

const struct table_format table_format_tex = {"tex", "LaTeX tabular", true, write_table};
