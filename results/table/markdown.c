/* A table as Markdown whose columns are padded, so that it can be read as text too. */

#include "core/memory.h"
#include "results/table/escape.h"
#include "results/table/formats.h"

static const struct cell_style style = {" ", "-", "-", "**", "**", escape_markdown};

/* Replaces the text of `field` by that of a cell; row UINT32_MAX stands for the heading. */
static void render_field(const struct table *table, uint32_t row, uint32_t column,
                         struct text *field)
{
    field->length = 0;
    text_append_bytes(field, "", 0);
    if (row == UINT32_MAX)
        table_append_heading(field, table, column, escape_markdown);
    else
        table_append_cell(field, table, row, column, &style);
}

static size_t measure_column(const struct table *table, uint32_t column, struct text *field)
{
    size_t widest = 3;
    for (uint32_t i = 0; i <= table_rows(table); i++) {
        render_field(table, i - 1, column, field);
        size_t width = field->failed ? 0 : escape_width(field->bytes);
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void append_row(struct text *text, const struct table *table, uint32_t row,
                       const size_t *widths, struct text *field)
{
    for (uint32_t i = 0; i < table_columns(table); i++) {
        render_field(table, row, i, field);
        if (field->failed)
            text->failed = true;
        else {
            bool right = table->alignment[i] == TABLE_RIGHT;
            size_t used = escape_width(field->bytes);
            size_t padding = used < widths[i] ? widths[i] - used : 0;
            text_append_bytes(text, "| ", 2);
            table_append_blanks(text, right ? padding : 0);
            text_append_bytes(text, field->bytes, field->length);
            table_append_blanks(text, right ? 1 : padding + 1);
        }
    }
    text_append_bytes(text, "|\n", 2);
}

static void write_table(const struct table *table, struct text *text)
{
    size_t *widths = memory_allocate(table_columns(table), sizeof *widths);
    if (!widths) {
        text->failed = true;
        return;
    }
    text_append(text, "## ");
    escape_markdown(text, table_title(table));
    text_append(text, "\n\n");
    struct text field = {0};
    for (uint32_t i = 0; i < table_columns(table); i++)
        widths[i] = measure_column(table, i, &field);
    append_row(text, table, UINT32_MAX, widths, &field);
    for (uint32_t i = 0; i < table_columns(table); i++) {
        bool right = table->alignment[i] == TABLE_RIGHT;
        text_append(text, "| ");
        for (size_t k = right; k < widths[i]; k++)
            text_append(text, "-");
        text_append(text, "%s ", right ? ":" : "");
    }
    text_append(text, "|\n");
    for (uint32_t i = 0; i < table_rows(table); i++)
        append_row(text, table, i, widths, &field);
    text_free(&field);
    for (uint32_t i = 0; i < table->notes.count; i++) {
        text_append(text, "%s- ", i ? "" : "\n");
        escape_markdown(text, names_get(&table->notes, i));
        text_append(text, "\n");
    }
    memory_free(widths);
}

const struct table_format table_format_markdown = {"md", "Markdown", true, write_table, true};
