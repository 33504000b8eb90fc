#include "cli/output/print.h"

#include <stdio.h>

enum status print_text(const struct text *text, const char *path, struct error *error)
{
    if (path)
        return text_write_file(path, text, error);
    TRY(text_check(text, error));
    if (text->length)
        fputs(text->bytes, stdout);
    return STATUS_OK;
}

enum status print_table(const struct table *table, const char *format, const char *path,
                        struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    TRY(table_write(table, format, &text, error));
    return print_text(&text, path, error);
}
