#include "core/rows.h"

#include <string.h>

uint32_t rows_find(const char *name, uint32_t count, rows_name *name_at)
{
    uint32_t index = 0;
    while (index < count && strcmp(name_at(index), name) != 0)
        index++;
    return index;
}

static const char *get_name(const void *context, uint32_t index)
{
    const struct rows_kind *rows = context;
    return rows->name_at(index);
}

enum status rows_refuse(const struct rows_kind *rows, const char *name, size_t length,
                        struct error *error)
{
    const struct known_names known = {.kind = rows->kind,
                                      .lister = rows->lister,
                                      .also = rows->also,
                                      .count = rows->count,
                                      .name_at = get_name,
                                      .context = rows};
    return known_names_refuse(&known, name, length, error);
}
