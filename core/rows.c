#include "core/rows.h"

#include <string.h>

uint32_t rows_find(const char *name, uint32_t count, rows_name *name_at)
{
    uint32_t index = 0;
    while (index < count && strcmp(name_at(index), name) != 0)
        index++;
    return index;
}

void rows_append_names(struct text *text, uint32_t count, rows_name *name_at)
{
    for (uint32_t i = 0; i < count; i++)
        text_append(text, "%s%s", i ? ", " : "", name_at(i));
}

enum status rows_refuse(const char *kind, const char *name, uint32_t count, rows_name *name_at,
                        struct error *error)
{
    struct text known = {0};
    rows_append_names(&known, count, name_at);
    error_set(error, STATUS_USAGE, "no %s '%s', expected one of: %s", kind, name,
              known.failed ? "" : known.bytes);
    text_free(&known);
    return STATUS_USAGE;
}
