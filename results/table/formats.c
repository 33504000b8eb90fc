#include "results/table/formats.h"

#include <string.h>

#include "core/rows.h"

static const struct table_format *const formats[] = {
#define TABLE_FORMAT(name) &table_format_##name,
#include "results/table/formats.def"
#undef TABLE_FORMAT
};

ROWS_DEFINE_POINTERS(table_formats, struct table_format, formats);
ROWS_DEFINE_FIND(table_formats, struct table_format);

static enum status refuse_format(const char *name, struct error *error)
{
    struct text known = {0};
    rows_append_names(&known, table_formats_count(), table_formats_name);
    error_set(error, STATUS_USAGE, "no table format '%s', expected one of %s", name,
              known.failed ? "" : known.bytes);
    text_free(&known);
    return STATUS_USAGE;
}

enum status table_write(const struct table *table, const char *format_name, struct text *text,
                        struct error *error)
{
    TRY(table_check(table, error));
    const struct table_format *format = table_formats_find(format_name);
    if (!format)
        return refuse_format(format_name, error);
    format->write(table, text);
    return text_check(text, error);
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
