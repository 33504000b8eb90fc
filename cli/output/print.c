#include "cli/output/print.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/file.h"
#include "core/memory.h"
#include "results/table/wrap.h"

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

size_t print_width(void)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    uint64_t width = 0;
    if (!columns || !text_parse_u64(columns, strlen(columns), &width) || width > UINT16_MAX)
        width = 0;
    if (!width && isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
        width = size.ws_col;
    if (!width)
        return SIZE_MAX;
    return width < TABLE_LEAST_WIDTH ? TABLE_LEAST_WIDTH : (size_t)width;
}

void print_lines(const char *format, ...)
{
    SCOPED(text_free) struct text lines = {0};
    SCOPED(memory_release) char *bytes = NULL;
    va_list list;
    va_start(list, format);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    bytes = length < 0 ? NULL : memory_allocate((size_t)length + 1, 1);
    if (!bytes)
        return;
    va_start(list, format);
    vsnprintf(bytes, (size_t)length + 1, format, list);
    va_end(list);
    const struct text text = {.bytes = bytes, .length = (size_t)length};
    struct text_line line = {0};
    while (text_next_line(&text, &line))
        wrap_append_row(&lines, line.start, line.length, print_width());
    fputs(lines.bytes && !lines.failed ? lines.bytes : "", stdout);
}

enum status print_append_table(struct table *table, const char *format, struct text *text,
                               struct error *error)
{
    size_t width = print_width();
    if (width != SIZE_MAX)
        table->width = (uint32_t)width;
    return table_write(table, format, text, error);
}

enum status print_table(struct table *table, const char *format, const char *path,
                        struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    TRY(print_append_table(table, print_choose_format(format, path), &text, error));
    return print_text(&text, path, error);
}
