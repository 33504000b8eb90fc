/* A table as an HTML fragment, for the report: numbers have narrow spaces between groups of three
   digits, sentences may be broken into lines, and notes become a list below the part of the table
   that can scroll. The same is written where the table is a file of its own, which has no style
   sheet. */

#include <string.h>

#include "results/table/escape.h"
#include "results/table/formats.h"

static const struct cell_style style = {"\xe2\x80\xaf", "-",         "-",
                                        "<strong>",     "</strong>", escape_html};

static void append_notes(struct text *text, const struct table *table)
{
    if (!table->notes.count)
        return;
    text_append(text, "<ul class=\"notes\">\n");
    for (uint32_t i = 0; i < table->notes.count; i++) {
        text_append(text, "<li>");
        escape_html(text, names_get(&table->notes, i));
        text_append(text, "</li>\n");
    }
    text_append(text, "</ul>\n");
}

/* Appends the beginning of a cell; what is called a verdict has a class of its own. */
static void begin_cell(const struct table *table, uint32_t column, const char *tag,
                       bool is_sentence, struct text *text)
{
    bool is_verdict = strcmp(names_get(&table->headings, column), "verdict") == 0;
    const char *class = table->alignment[column] == TABLE_RIGHT ? "number"
                        : is_verdict && is_sentence             ? "verdict sentence"
                        : is_verdict                            ? "verdict"
                        : is_sentence                           ? "sentence"
                                                                : NULL;
    text_append(text, "<%s", tag);
    if (class)
        text_append(text, " class=\"%s\"", class);
    text_append(text, ">");
}

/* Appends the beginning of a link from the name of a planner, an instance or an order to its
 * results. */
static bool begin_link(const struct table *table, uint32_t row, uint32_t column, struct text *text)
{
    const char *heading = names_get(&table->headings, column);
    unsigned link = table_cell_at(table, row, column)->link;
    if (link) {
        text_append(text, "<a href=\"");
        escape_html(text, names_get(&table->addresses, link - 1));
        text_append(text, "\">");
        return true;
    }
    bool leads =
        table->links && (strcmp(heading, "planner") == 0 || strcmp(heading, "instance") == 0 ||
                         strcmp(heading, "order") == 0);
    if (!leads)
        return false;
    text_append(text, "<a href=\"%s%s%s=", table->links, strchr(table->links, '?') ? "&amp;" : "?",
                heading);
    escape_url(text, table_raw(table, row, column));
    text_append(text, "\">");
    return true;
}

static void write_table(const struct table *table, struct text *text)
{
    text_append(text, "<div class=\"scroll\" style=\"overflow-x: auto\">\n<table>\n<caption>");
    escape_html(text, table_title(table));
    text_append(text, "</caption>\n<thead>\n<tr>");
    for (uint32_t i = 0; i < table_columns(table); i++) {
        const char *unit = names_get(&table->units, i);
        begin_cell(table, i, "th scope=\"col\"", false, text);
        escape_html(text, names_get(&table->headings, i));
        if (*unit) {
            text_append(text, " <span class=\"unit\">(");
            escape_html(text, unit);
            text_append(text, ")</span>");
        }
        text_append(text, "</th>");
    }
    text_append(text, "</tr>\n</thead>\n<tbody>\n");
    for (uint32_t row = 0; row < table_rows(table); row++) {
        if (table->foot_rows && row == table_rows(table) - table->foot_rows)
            text_append(text, "</tbody>\n<tfoot>\n");
        text_append(text, "<tr>");
        for (uint32_t i = 0; i < table_columns(table); i++) {
            begin_cell(table, i, "td", table_is_sentence(table_raw(table, row, i)), text);
            bool leads = begin_link(table, row, i, text);
            table_append_cell(text, table, row, i, &style);
            text_append(text, "%s</td>", leads ? "</a>" : "");
        }
        text_append(text, "</tr>\n");
    }
    text_append(text, "%s\n</table>\n</div>\n", table->foot_rows ? "</tfoot>" : "</tbody>");
    append_notes(text, table);
}

const struct table_format table_format_html = {"html", "HTML fragment", false, write_table, true};
