#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static enum status fill_error(struct error *error, enum status status, const char *file,
                              unsigned line, const char *format, va_list arguments)
{
    error->status = status;
    error->line = line;
    snprintf(error->file, sizeof error->file, "%s", file);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    return status;
}

enum status error_set(struct error *error, enum status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill_error(error, status, "", 0, format, arguments);
    va_end(arguments);
    return status;
}

enum status error_set_at(struct error *error, enum status status, const char *file, unsigned line,
                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill_error(error, status, file, line, format, arguments);
    va_end(arguments);
    return status;
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
