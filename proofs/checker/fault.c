#include "proofs/checker/fault.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool check_fault(struct fault *fault, enum fault_kind kind, const char *format, ...)
{
    va_list values;
    assert(kind != FAULT_NONE);
    fault->kind = kind;
    va_start(values, format);
    vsnprintf(fault->text, sizeof fault->text, format, values);
    va_end(values);
    return false;
}

bool check_grow(void **items, size_t *room, size_t count, size_t bytes, struct fault *fault)
{
    if (count < *room)
        return true;
    size_t wanted = *room ? 2 * *room : 16;
    void *grown = wanted <= SIZE_MAX / bytes ? realloc(*items, wanted * bytes) : NULL;
    if (!grown)
        return check_fault(fault, FAULT_INTERNAL, "no memory is left");
    *items = grown;
    *room = wanted;
    return true;
}

void *check_create(size_t count, size_t bytes, struct fault *fault)
{
    void *created = calloc(count ? count : 1, bytes);
    if (!created)
        check_fault(fault, FAULT_INTERNAL, "no memory is left");
    return created;
}
