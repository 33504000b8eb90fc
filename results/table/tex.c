/* A table as LaTeX for the class article: a float with a caption, or a longtable where it is longer
   than a page. It needs the packages booktabs, graphicx and longtable. Nothing is wider than the
   text: a float is scaled down if it must be, a longtable leaves columns out. */

#include <string.h>

#include "core/memory.h"
#include "results/table/escape.h"
#include "results/table/formats.h"

/* MOST_FLOAT_ROWS fit on a page with caption and notes. A line of article has room for LINE_LETTERS
   in \scriptsize, and each column takes one more between it and the next. Columns of sentences in a
   float are FLOAT_SENTENCE_WIDTH letters wide, other texts in a longtable LEAST_WIDTH at least. */
enum { MOST_FLOAT_ROWS = 36, LINE_LETTERS = 72, FLOAT_SENTENCE_WIDTH = 32, LEAST_WIDTH = 18 };

/* The width of a letter in a column that is broken into lines. */
static const double letter_em = 0.55;

/* Allows breaks behind what separates the parts of a name, and in words of more than MOST_LETTERS,
   which a column might be too narrow for. */
static void escape_breakable(struct text *text, const char *raw)
{
    enum { MOST_LETTERS = 16 };
    char piece[4 * MOST_LETTERS + 1];
    for (size_t length; *raw; raw += length) {
        const char *end = raw;
        char letter[5];
        bool is_end = false;
        for (unsigned i = 0; i < MOST_LETTERS && !is_end && escape_next(&end, letter); i++)
            is_end = strchr(" _/?&=@:,", *letter) != NULL;
        length = (size_t)(end - raw);
        memcpy(piece, raw, length);
        piece[length] = '\0';
        escape_tex(text, piece);
        text_append(text, "%s", *end && end[-1] != ' ' ? "\\allowbreak{}" : "");
    }
}

static const struct cell_style style = {"\\,", "$-$", "--", "\\textbf{", "}", escape_tex};
static const struct cell_style broken = {"\\,", "$-$", "--", "\\textbf{", "}", escape_breakable};

struct layout {
    const struct table *table;
    bool is_long;
    /* [columns] letters of the widest cell or piece of a heading; 0 for a column that is
       left out */
    size_t *width;
    bool *is_broken; /* [columns] whether cells are broken into lines */
};

/* The longest word of a heading, which is broken at blanks. */
static size_t measure_heading(const char *heading)
{
    size_t longest = 0;
    for (const char *at = heading; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        longest = length > longest ? length : longest;
        at += length;
    }
    return longest;
}

static size_t measure_column(const struct table *table, uint32_t column, bool *is_sentence)
{
    size_t unit = strlen(names_get(&table->units, column)) + 2;
    size_t widest = measure_heading(names_get(&table->headings, column));
    widest = unit > 2 && unit > widest ? unit : widest;
    for (uint32_t i = 0; i < table_rows(table); i++) {
        const char *raw = table_raw(table, i, column);
        size_t width = escape_width(raw);
        widest = width > widest ? width : widest;
        *is_sentence |= table_is_sentence(raw);
    }
    return widest ? widest : 1;
}

static size_t measure_line(const struct layout *layout)
{
    size_t width = 0;
    for (uint32_t i = 0; i < table_columns(layout->table); i++)
        width += layout->width[i] + (layout->width[i] > 0);
    return width;
}

/* Makes a longtable fit: texts narrower, the widest first, then columns out, those of the highest
   rank and among equals the last first. */
static void fit_line(struct layout *layout)
{
    const struct table *table = layout->table;
    while (measure_line(layout) > LINE_LETTERS) {
        uint32_t widest = 0, leaving = 0;
        bool found = false;
        for (uint32_t i = 0; i < table_columns(table); i++) {
            bool is_text = table->alignment[i] == TABLE_LEFT && layout->width[i] > LEAST_WIDTH;
            if (is_text && (!found || layout->width[i] > layout->width[widest])) {
                widest = i;
                found = true;
            }
            if (i && layout->width[i] && (!leaving || table->rank[i] >= table->rank[leaving]))
                leaving = i;
        }
        if (found) {
            layout->is_broken[widest] = true;
            layout->width[widest]--;
        } else if (leaving) {
            layout->width[leaving] = 0;
        } else {
            return;
        }
    }
}

static void append_comment(struct text *text, const char *raw)
{
    char character[5];
    text_append(text, "%% ");
    while (escape_next(&raw, character))
        text_append(text, "%s", character);
    text_append(text, "\n");
}

/* Appends a heading, a word below the other. */
static void append_heading(const struct layout *layout, uint32_t column, struct text *text)
{
    const struct table *table = layout->table;
    struct text heading = {0};
    bool right = table->alignment[column] == TABLE_RIGHT;
    table_append_heading(&heading, table, column, escape_tex);
    text->failed |= heading.failed;
    text_append(text, "\\shortstack[%s]{", right ? "r" : "l");
    for (const char *at = heading.failed ? "" : heading.bytes; *at; at++)
        text_append(text, "%.*s", *at == ' ' ? 2 : 1, *at == ' ' ? "\\\\" : at);
    text_append(text, "}");
    text_free(&heading);
}

static void append_row(const struct layout *layout, uint32_t row, struct text *text)
{
    const struct table *table = layout->table;
    const char *before = "";
    for (uint32_t i = 0; i < table_columns(table); i++) {
        if (!layout->width[i])
            continue;
        text_append(text, "%s", before);
        before = " & ";
        if (row == UINT32_MAX)
            append_heading(layout, i, text);
        else
            table_append_cell(text, table, row, i, layout->is_broken[i] ? &broken : &style);
    }
    text_append(text, " \\\\\n");
}

static void append_columns(const struct layout *layout, struct text *text)
{
    text_append(text, "{@{}");
    for (uint32_t i = 0; i < table_columns(layout->table); i++)
        if (layout->is_broken[i] && layout->width[i])
            text_append(text, ">{\\raggedright\\arraybackslash}p{%.1fem}",
                        letter_em * (double)layout->width[i]);
        else if (layout->width[i])
            text_append(text, layout->table->alignment[i] == TABLE_RIGHT ? "r" : "l");
    text_append(text, "@{}}\n");
}

static void append_body(const struct layout *layout, struct text *text)
{
    const struct table *table = layout->table;
    for (uint32_t row = 0; row < table_rows(table); row++) {
        if (table->foot_rows && row == table_rows(table) - table->foot_rows)
            text_append(text, "\\midrule\n");
        append_row(layout, row, text);
    }
    text_append(text, layout->is_long ? "" : "\\bottomrule\n");
}

static void append_caption(const struct table *table, struct text *text)
{
    text_append(text, "\\caption{");
    escape_tex(text, table_title(table));
    text_append(text, "}\\label{%s", table->reference ? table->reference : "tab:");
    for (const char *at = table->reference ? "" : table->name ? table->name : "memplan"; *at; at++)
        text_append(text, "%c", *at == '_' ? '-' : *at);
    text_append(text, "}");
}

static void append_notes(const struct table *table, struct text *text)
{
    for (uint32_t i = 0; i < table->notes.count; i++) {
        text_append(text, "\\par{\\footnotesize\\raggedright ");
        escape_breakable(text, names_get(&table->notes, i));
        text_append(text, "\\par}\n");
    }
}

/* The width of the float is known only when it is set. */
static void append_float(const struct layout *layout, struct text *text)
{
    text_append(text, "\\begin{table}[tbp]\n\\centering\n");
    append_caption(layout->table, text);
    text_append(text,
                "\n\\footnotesize\n\\setlength{\\tabcolsep}{3pt}%%\n\\sbox0{%%\n\\begin{tabular}");
    append_columns(layout, text);
    text_append(text, "\\toprule\n");
    append_row(layout, UINT32_MAX, text);
    text_append(text, "\\midrule\n");
    append_body(layout, text);
    text_append(text, "\\end{tabular}}%%\n\\ifdim\\wd0>\\linewidth"
                      "\\resizebox{\\linewidth}{!}{\\usebox0}\\else\\usebox0\\fi\n");
    append_notes(layout->table, text);
    text_append(text, "\\end{table}\n");
}

static void append_long(const struct layout *layout, struct text *text)
{
    text_append(text, "{\\scriptsize\n\\setlength{\\tabcolsep}{2pt}%%\n\\begin{longtable}");
    append_columns(layout, text);
    append_caption(layout->table, text);
    for (int part = 0; part < 2; part++) {
        text_append(text, part ? "" : "\\\\\n");
        text_append(text, "\\toprule\n");
        append_row(layout, UINT32_MAX, text);
        text_append(text, "\\midrule\n%s\n", part ? "\\endhead" : "\\endfirsthead");
    }
    text_append(text, "\\bottomrule\n\\endfoot\n");
    append_body(layout, text);
    text_append(text, "\\end{longtable}\n");
    append_notes(layout->table, text);
    text_append(text, "}\n");
}

static void write_layout(struct layout *layout, struct text *text)
{
    const struct table *table = layout->table;
    for (uint32_t i = 0; i < table_columns(table); i++) {
        layout->width[i] = measure_column(table, i, &layout->is_broken[i]);
        if (!layout->is_long && layout->is_broken[i] && layout->width[i] > FLOAT_SENTENCE_WIDTH)
            layout->width[i] = FLOAT_SENTENCE_WIDTH;
    }
    append_comment(text, "In the preamble: \\usepackage{array,booktabs,graphicx,longtable}");
    if (layout->is_long)
        fit_line(layout);
    for (uint32_t i = 0; i < table_columns(table); i++)
        if (!layout->width[i]) {
            text_append(text, "%% left out, for it does not fit (--columns chooses): ");
            append_comment(text, names_get(&table->headings, i));
        }
    if (layout->is_long)
        append_long(layout, text);
    else
        append_float(layout, text);
}

static void write_table(const struct table *table, struct text *text)
{
    struct layout layout = {.table = table, .is_long = table_rows(table) > MOST_FLOAT_ROWS};
    layout.width = memory_allocate(table_columns(table), sizeof *layout.width);
    layout.is_broken = memory_allocate(table_columns(table), sizeof *layout.is_broken);
    if (layout.width && layout.is_broken)
        write_layout(&layout, text);
    else
        text->failed = true;
    memory_free_all(layout.width, layout.is_broken);
}

const struct table_format table_format_tex = {
    "tex", "LaTeX table with caption and label, longtable where it is long", true, write_table,
    true};
