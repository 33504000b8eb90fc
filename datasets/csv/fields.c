#include "datasets/csv/fields.h"

#include <inttypes.h>
#include <stdarg.h>

enum { SHOWN = 60 };

int csv_field_shown(struct csv_field field)
{
    return field.length < SHOWN ? (int)field.length : SHOWN;
}

enum status csv_fields_fail(const struct csv_rows *rows, struct error *error, const char *format,
                            ...)
{
    char message[sizeof error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return error_set_at(error, STATUS_BAD_INPUT, rows->file, rows->line.number, "%s", message);
}

struct csv_field csv_field_trim(const char *start, size_t length)
{
    while (length && (*start == ' ' || *start == '\t')) {
        start++;
        length--;
    }
    while (length && (start[length - 1] == ' ' || start[length - 1] == '\t'))
        length--;
    return (struct csv_field){start, length};
}

enum status csv_field_number(const struct csv_rows *rows, struct csv_field field,
                             struct csv_range range, uint64_t *number, struct error *error)
{
    if (text_parse_u64(field.start, field.length, number) && *number >= range.least &&
        *number <= range.most)
        return STATUS_OK;
    return csv_fields_fail(
        rows, error, "found '%.*s' as %s, expected an integer from %" PRIu64 " to %" PRIu64,
        csv_field_shown(field), field.start, range.what, range.least, range.most);
}
