/* A table as text for people: aligned columns without markup, no line wider than the terminal.
   Headings and sentences are broken into lines; columns that still do not fit are left out, and a
   line below the table says so. */

#include <assert.h>
#include <string.h>

#include "core/memory.h"
#include "results/table/escape.h"
#include "results/table/formats.h"
#include "results/table/wrap.h"

enum {
    BETWEEN = 2,               /* number of blanks between two columns */
    LEAST_SENTENCE_WIDTH = 28, /* least width of a line of a sentence that is broken */
    MOST_NAMED = 4             /* how many of the columns left out are named, at most */
};

/* How a column is shown. */
struct shape {
    size_t width;
    uint32_t column;
    bool is_shown, is_sentence;
    bool is_marked; /* some cell of the column is marked, so all leave room for the mark */
};

struct page {
    size_t width; /* of a line */
    const struct table *table;
    struct shape *shape; /* [columns] */
    struct text *field;  /* [columns] the cells of one row */
    size_t *at;          /* [columns] how much of each has been written */
};

static const struct cell_style style = {" ", "-", "-", "", "*", escape_plain};

/* Replaces the field of a column by the text of a cell; row UINT32_MAX stands for the heading. */
static void render_field(struct page *page, uint32_t row, uint32_t column)
{
    struct text *field = &page->field[column];
    field->length = 0;
    page->at[column] = 0;
    text_append_bytes(field, "", 0);
    if (row == UINT32_MAX) {
        table_append_heading(field, page->table, column, escape_plain);
        return;
    }
    table_append_cell(field, page->table, row, column, &style);
    if (page->shape[column].is_marked && !table_cell_at(page->table, row, column)->marked)
        text_append_bytes(field, " ", 1);
}

/* The width of a cell as render_field writes it, without a mark. */
static size_t measure_cell(const struct table *table, uint32_t row, uint32_t column)
{
    const char *raw = table_raw(table, row, column);
    enum table_kind kind = table_cell_at(table, row, column)->kind;
    if (kind == TABLE_TEXT)
        return escape_width(raw);
    if (kind == TABLE_MISSING)
        return 1;
    size_t digits = strspn(raw + (*raw == '-'), "0123456789");
    return strlen(raw) + (digits ? (digits - 1) / 3 : 0);
}

static size_t measure_page(const struct page *page)
{
    size_t width = 0;
    for (uint32_t i = 0; i < table_columns(page->table); i++)
        if (page->shape[i].is_shown)
            width += page->shape[i].width + (width ? BETWEEN : 0);
    return width;
}

/* Makes columns narrower until the table fits, the widest first: those of sentences, or all, which
   breaks long names too. */
static void narrow(struct page *page, bool sentences)
{
    for (size_t width = measure_page(page); width > page->width; width--) {
        struct shape *widest = NULL;
        for (uint32_t i = 0; i < table_columns(page->table); i++) {
            struct shape *shape = &page->shape[i];
            if (shape->is_shown && (shape->is_sentence || !sentences) &&
                shape->width > LEAST_SENTENCE_WIDTH && (!widest || shape->width > widest->width))
                widest = shape;
        }
        if (!widest)
            return;
        widest->width--;
    }
}

/* Leaves out columns until the table fits: those of the highest rank first, of equal ones the one
   farthest to the right. */
static void leave_columns_out(struct page *page)
{
    const uint32_t *rank = page->table->rank;
    while (measure_page(page) > page->width) {
        struct shape *leaving = NULL;
        for (uint32_t i = 1; i < table_columns(page->table); i++)
            if (page->shape[i].is_shown && (!leaving || rank[i] >= rank[leaving->column]))
                leaving = &page->shape[i];
        if (!leaving)
            break;
        leaving->is_shown = false;
    }
    struct shape *first = &page->shape[0];
    first->width = first->width > page->width ? page->width : first->width;
}

static void end_line(struct text *text, size_t start)
{
    while (text->length > start && text->bytes[text->length - 1] == ' ')
        text->length--;
    text_append(text, "\n");
}

/* The number of characters in the bytes, which are valid UTF-8. */
static size_t count_letters(const char *text, size_t bytes)
{
    size_t letters = 0;
    for (size_t i = 0; i < bytes; i++)
        letters += ((unsigned char)text[i] & 0xc0) != 0x80;
    return letters;
}

/* Appends the next line of a column's field. */
static void append_piece(struct page *page, uint32_t column, struct text *text)
{
    const struct shape *shape = &page->shape[column];
    const char *rest = page->field[column].bytes + page->at[column];
    size_t left = page->field[column].length - page->at[column];
    size_t length = left <= shape->width ? left : wrap_find_break(rest, shape->width);
    size_t shown = length;
    assert(length || !*rest);
    while (rest[length] && shown > 1 && rest[shown - 1] == ' ')
        shown--;
    size_t padding = shape->width - count_letters(rest, shown);
    bool right = page->table->alignment[column] == TABLE_RIGHT;
    table_append_blanks(text, right ? padding : 0);
    text_append_bytes(text, rest, shown);
    table_append_blanks(text, right ? 0 : padding);
    page->at[column] += length + strspn(rest + length, " ");
}

static void append_row(struct page *page, uint32_t row, struct text *text)
{
    for (uint32_t i = 0; i < table_columns(page->table); i++)
        if (page->shape[i].is_shown) {
            render_field(page, row, i);
            text->failed |= page->field[i].failed;
        }
    for (bool is_left = true; is_left && !text->failed;) {
        size_t start = text->length;
        is_left = false;
        for (uint32_t i = 0; i < table_columns(page->table); i++)
            if (page->shape[i].is_shown) {
                table_append_blanks(text, i ? BETWEEN : 0);
                append_piece(page, i, text);
                is_left |= page->at[i] < page->field[i].length;
            }
        end_line(text, start);
    }
}

static void append_rule(const struct page *page, struct text *text)
{
    for (uint32_t i = 0; i < table_columns(page->table); i++)
        if (page->shape[i].is_shown) {
            table_append_blanks(text, i ? BETWEEN : 0);
            for (size_t k = 0; k < page->shape[i].width; k++)
                text_append_bytes(text, "-", 1);
        }
    text_append(text, "\n");
}

static void append_left_out(const struct page *page, struct text *text)
{
    struct text note = {0};
    uint32_t left_out = 0;
    for (uint32_t i = 0; i < table_columns(page->table); i++)
        left_out += !page->shape[i].is_shown;
    text_append(&note, "%u of %u columns are left out, for they do not fit in %zu letters (",
                left_out, table_columns(page->table), page->width);
    for (uint32_t i = 0, named = 0; i < table_columns(page->table) && named <= MOST_NAMED; i++)
        if (!page->shape[i].is_shown && named++ <= MOST_NAMED)
            text_append(&note, "%s%s", named > 1 ? ", " : "",
                        named > MOST_NAMED ? "..." : names_get(&page->table->headings, i));
    text_append(&note, "): --format md, csv or json has them.");
    text->failed |= note.failed;
    if (!note.failed)
        wrap_append(text, "- ", note.bytes, page->width);
    text_free(&note);
}

/* Finds how wide the columns are with nothing broken, but for headings, which may be at their
   blanks. */
static void measure_columns(struct page *page)
{
    const struct table *table = page->table;
    const uint32_t columns = table_columns(table);
    for (uint32_t i = 0; i < columns; i++)
        page->shape[i] = (struct shape){.column = i, .is_shown = true};
    for (uint32_t k = 0; k < table_rows(table); k++)
        for (uint32_t i = 0; i < columns; i++) {
            struct shape *shape = &page->shape[i];
            size_t width = measure_cell(table, k, i);
            shape->width = width > shape->width ? width : shape->width;
            shape->is_marked |= table_cell_at(table, k, i)->marked;
            shape->is_sentence |= table_is_sentence(table_raw(table, k, i));
        }
    for (uint32_t i = 0; i < columns; i++) {
        struct shape *shape = &page->shape[i];
        render_field(page, UINT32_MAX, i);
        size_t heading = page->field[i].failed ? 0 : wrap_longest_piece(page->field[i].bytes);
        shape->width += shape->is_marked;
        shape->width = heading > shape->width ? heading : shape->width;
    }
}

static void append_page(struct page *page, struct text *text)
{
    const struct table *table = page->table;
    measure_columns(page);
    narrow(page, true);
    narrow(page, false);
    leave_columns_out(page);
    wrap_append(text, "", table_title(table), page->width);
    text_append(text, "\n");
    append_row(page, UINT32_MAX, text);
    append_rule(page, text);
    for (uint32_t i = 0; i < table_rows(table); i++) {
        if (table->foot_rows && i == table_rows(table) - table->foot_rows)
            append_rule(page, text);
        append_row(page, i, text);
    }
    bool is_whole = true;
    for (uint32_t i = 0; i < table_columns(table); i++)
        is_whole &= page->shape[i].is_shown;
    text_append(text, "%s", table->notes.count || !is_whole ? "\n" : "");
    if (!is_whole)
        append_left_out(page, text);
    for (uint32_t i = 0; i < table->notes.count; i++)
        wrap_append(text, "- ", names_get(&table->notes, i), page->width);
}

static void write_table(const struct table *table, struct text *text)
{
    uint32_t columns = table_columns(table);
    struct page page = {.width = table->width ? table->width : TABLE_USUAL_WIDTH, .table = table};
    page.shape = memory_allocate(columns, sizeof *page.shape);
    page.field = memory_allocate(columns, sizeof *page.field);
    page.at = memory_allocate(columns, sizeof *page.at);
    if (page.shape && page.field && page.at)
        append_page(&page, text);
    else
        text->failed = true;
    for (uint32_t i = 0; page.field && i < columns; i++)
        text_free(&page.field[i]);
    memory_free_all(page.shape, page.field, page.at);
}

const struct table_format table_format_plain = {
    "text", "text no wider than the terminal, else 80 letters", false, write_table, true};
