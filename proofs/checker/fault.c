#include "proofs/checker/fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool fill(struct fault *fault, enum fault_kind kind, const char *format, va_list values)
{
    fault->kind = kind;
    vsnprintf(fault->text, sizeof fault->text, format, values);
    return false;
}

bool check_fault_unreadable(struct fault *fault, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fill(fault, FAULT_UNREADABLE, format, values);
    va_end(values);
    return false;
}

bool check_fault_refused(struct fault *fault, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fill(fault, FAULT_REFUSED, format, values);
    va_end(values);
    return false;
}

bool check_fault_memory(struct fault *fault)
{
    fault->kind = FAULT_INTERNAL;
    snprintf(fault->text, sizeof fault->text, "no memory is left");
    return false;
}

bool check_fault_grow(void **items, size_t *room, size_t count, size_t bytes, struct fault *fault)
{
    if (count < *room)
        return true;
    size_t wanted = *room ? 2 * *room : 16;
    void *grown = wanted <= SIZE_MAX / bytes ? realloc(*items, wanted * bytes) : NULL;
    if (!grown)
        return check_fault_memory(fault);
    *items = grown;
    *room = wanted;
    return true;
}
