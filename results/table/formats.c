#include "results/table/formats.h"

#include <ctype.h>
#include <string.h>

#include "core/rows.h"
#include "results/table/escape.h"

enum { SENTENCE_WIDTH = 40 }; /* characters that are shown in one line */

static const struct table_format *const formats[] = {
#define TABLE_FORMAT(name) &table_format_##name,
#include "results/table/formats.def"
#undef TABLE_FORMAT
};

ROWS_DEFINE_POINTERS(table_formats, struct table_format, formats);
ROWS_DEFINE_FIND(table_formats, struct table_format);

ROWS_DEFINE_REFUSE(table_formats, "table format", NULL);

enum status table_write(const struct table *table, const char *format_name, struct text *text,
                        struct error *error)
{
    TRY(table_check(table, error));
    const struct table_format *format = table_formats_find(format_name);
    if (!format)
        return table_formats_refuse(format_name, strlen(format_name), error);
    format->write(table, text);
    return text_check(text, error);
}

/* Appends a number, given as text. */
static void append_number(struct text *text, const char *raw, const struct cell_style *style)
{
    bool is_negative = *raw == '-';
    const char *at = raw + is_negative;
    size_t digits = strspn(at, "0123456789"), length = strlen(style->between);
    text_append_bytes(text, style->minus, is_negative ? strlen(style->minus) : 0);
    for (size_t i = 0, part; i < digits; i += part) {
        part = (digits - i) % 3 ? (digits - i) % 3 : 3;
        text_append_bytes(text, style->between, i ? length : 0);
        text_append_bytes(text, at + i, part);
    }
    text_append_bytes(text, at + digits, strlen(at + digits));
}

void table_append_cell(struct text *text, const struct table *table, uint32_t row, uint32_t column,
                       const struct cell_style *style)
{
    const char *raw = table_raw(table, row, column);
    const struct table_cell *cell = table_cell_at(table, row, column);
    text_append_bytes(text, style->begin_mark, cell->marked ? strlen(style->begin_mark) : 0);
    if (cell->kind == TABLE_NUMBER)
        append_number(text, raw, style);
    else if (cell->kind == TABLE_MISSING)
        text_append_bytes(text, style->missing, strlen(style->missing));
    else
        style->escape(text, raw);
    text_append_bytes(text, style->end_mark, cell->marked ? strlen(style->end_mark) : 0);
}

bool table_is_sentence(const char *raw)
{
    return strchr(raw, ' ') && escape_width(raw) > SENTENCE_WIDTH;
}

void table_append_blanks(struct text *text, size_t count)
{
    static const char blanks[] = "                                ";
    for (size_t left = count, part; left; left -= part) {
        part = left < sizeof blanks - 1 ? left : sizeof blanks - 1;
        text_append_bytes(text, blanks, part);
    }
}

void table_append_heading(struct text *text, const struct table *table, uint32_t column,
                          void (*escape)(struct text *text, const char *raw))
{
    const char *unit = names_get(&table->units, column);
    struct text heading = {0};
    text_append(&heading, "%s", names_get(&table->headings, column));
    if (*unit)
        text_append(&heading, " (%s)", unit);
    if (heading.failed)
        text->failed = true;
    else
        escape(text, heading.bytes);
    text_free(&heading);
}

static bool is_plain(char letter)
{
    unsigned char byte = (unsigned char)letter;
    return byte < 0x80 && isalnum(byte);
}

/* Appends a text with only letters, digits and single underscores, as spreadsheets and scripts
   expect of names. */
static void append_name(struct text *text, const char *raw, bool *open)
{
    bool wanted = *open;
    for (; *raw; raw++) {
        char letter = (char)tolower((unsigned char)*raw);
        if (is_plain(*raw)) {
            text_append_bytes(text, "_", wanted);
            text_append_bytes(text, &letter, 1);
        } else if (*raw == '%') {
            text_append(text, "%spercent", *open ? "_" : "");
        }
        *open |= is_plain(*raw) || *raw == '%';
        wanted = *open && !is_plain(*raw);
    }
}

void table_append_key(struct text *text, const struct table *table, uint32_t column)
{
    bool open = false;
    append_name(text, names_get(&table->headings, column), &open);
    append_name(text, names_get(&table->units, column), &open);
}

static void append_value(struct text *text, const struct table *table, uint32_t row,
                         uint32_t column)
{
    const char *raw = table_raw(table, row, column);
    switch (table_cell_at(table, row, column)->kind) {
    case TABLE_NUMBER:
        text_append_bytes(text, raw, strlen(raw));
        break;
    case TABLE_MISSING:
        text_append_bytes(text, "null", 4);
        break;
    default:
        escape_json(text, raw);
    }
}

void table_append_objects(struct text *text, const struct table *table, const char *before,
                          const char *between)
{
    SCOPED(text_free) struct text keys = {0};
    for (uint32_t i = 0; i < table_columns(table); i++) {
        text_append(&keys, "%s", i ? ", \"" : "{\"");
        table_append_key(&keys, table, i);
        text_append_bytes(&keys, "\": ", sizeof "\": ");
    }
    text->failed |= keys.failed;
    for (uint32_t row = 0; row < table_rows(table) - table->foot_rows && !text->failed; row++) {
        const char *key = keys.bytes;
        text_append(text, "%s", row ? between : before);
        for (uint32_t i = 0; i < table_columns(table); i++, key += strlen(key) + 1) {
            text_append_bytes(text, key, strlen(key));
            append_value(text, table, row, i);
        }
        text_append_bytes(text, "}", 1);
    }
}
