#include "cli/output/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/file.h"

enum status print_text(const struct text *text, const char *path, struct error *error)
{
    if (path)
        return text_write_file(path, text, error);
    TRY(text_check(text, error));
    if (text->length)
        fputs(text->bytes, stdout);
    return STATUS_OK;
}

const char *print_choose_format(const char *named, const char *path)
{
    const char *extension = path ? file_name_extension(path) : "";
    return named ? named : table_formats_find(extension) ? extension : "text";
}

enum status print_append_table(struct table *table, const char *format, struct text *text,
                               struct error *error)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    uint64_t width = 0;
    if (!columns || !text_parse_u64(columns, strlen(columns), &width) || width > UINT16_MAX)
        width = 0;
    if (!width && isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
        width = size.ws_col;
    if (width)
        table->width = width < TABLE_LEAST_WIDTH ? TABLE_LEAST_WIDTH : (uint32_t)width;
    return table_write(table, format, text, error);
}

enum status print_table(struct table *table, const char *format, const char *path,
                        struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    TRY(print_append_table(table, print_choose_format(format, path), &text, error));
    return print_text(&text, path, error);
}
