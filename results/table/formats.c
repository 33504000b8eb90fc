#include "results/table/formats.h"

#include <assert.h>
#include <string.h>

static const struct table_format formats[] = {
    {"md", "Markdown", table_write_markdown},
    {"csv", "comma separated values, raw numbers", table_write_csv},
    {"tex", "LaTeX tabular", table_write_tex},
    {"html", "HTML fragment", table_write_html},
};

unsigned table_formats_count(void)
{
    return sizeof formats / sizeof *formats;
}

const struct table_format *table_formats_at(unsigned index)
{
    assert(index < table_formats_count());
    return &formats[index];
}

static enum status refuse_format(const char *name, struct error *error)
{
    char known[128] = "";
    for (unsigned i = 0; i < table_formats_count(); i++) {
        strcat(known, i ? ", " : "");
        strcat(known, formats[i].name);
    }
    return error_set(error, STATUS_USAGE, "no table format '%s', expected one of %s", name, known);
}

enum status table_write(const struct table *table, const char *format_name, struct text *text,
                        struct error *error)
{
    TRY(table_check(table, error));
    for (unsigned i = 0; i < table_formats_count(); i++)
        if (strcmp(formats[i].name, format_name) == 0) {
            formats[i].write(table, text);
            return text_check(text, error);
        }
    return refuse_format(format_name, error);
}

void table_group_digits(struct text *text, const char *raw, const char *separator)
{
    size_t sign = *raw == '-';
    size_t digits = strspn(raw + sign, "0123456789");
    text_append_bytes(text, raw, sign);
    for (size_t i = 0; i < digits; i++) {
        if (i && (digits - i) % 3 == 0)
            text_append(text, "%s", separator);
        text_append_bytes(text, raw + sign + i, 1);
    }
    text_append(text, "%s", raw + sign + digits);
}

void table_append_heading(struct text *text, const struct table *table, uint32_t column)
{
    const char *unit = names_get(&table->units, column);
    text_append(text, "%s", names_get(&table->headings, column));
    if (*unit)
        text_append(text, " (%s)", unit);
}
