#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/utf8.h"

static void __attribute__((format(printf, 4, 0)))
fill_error(struct error *error, enum status status, unsigned line, const char *format,
           va_list arguments)
{
    error->status = status;
    error->line = line;
    error->file[0] = '\0';
    vsnprintf(error->text, sizeof error->text, format, arguments);
    utf8_make_printable(error->text, sizeof error->text);
}

enum status error_set(struct error *error, enum status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill_error(error, status, 0, format, arguments);
    va_end(arguments);
    return status;
}

enum status error_set_at(struct error *error, enum status status, const char *file, unsigned line,
                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill_error(error, status, line, format, arguments);
    va_end(arguments);
    error_name_file(error, file);
    return status;
}

enum status error_set_byte(struct error *error, const char *file, size_t at, const char *format,
                           ...)
{
    char message[sizeof error->text - 40];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return error_set_at(error, STATUS_BAD_INPUT, file, 0, "byte offset %zu: %s", at, message);
}

void error_name_file(struct error *error, const char *file)
{
    if (error->file[0])
        return;
    snprintf(error->file, sizeof error->file, "%s", file);
    utf8_make_printable(error->file, sizeof error->file);
}

static const char no_memory[] = "out of memory";

enum status error_no_memory(struct error *error)
{
    return error_set(error, STATUS_INTERNAL, "%s", no_memory);
}

bool error_is_no_memory(const struct error *error)
{
    return error->status == STATUS_INTERNAL && strcmp(error->text, no_memory) == 0;
}
