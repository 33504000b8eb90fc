#include "planning/inplace/types.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "core/rows.h"

enum { FIRST = 1, BOTH = 3 };

static const struct inplace_type types[] = {
#define TYPE(name, inputs, view) {#name, inputs, view},
#include "planning/inplace/types.def"
#undef TYPE
};

static int get_letter(const char **at, const char *end)
{
    while (*at < end && **at == '_')
        ++*at;
    return *at < end ? tolower((unsigned char)*(*at)++) : 0;
}

bool inplace_type_is(const char *type, const char *name, size_t length)
{
    const char *type_end = type + strlen(type), *name_end = name + length;
    int letter;
    assert(type && name);
    do {
        letter = get_letter(&type, type_end);
        if (letter != get_letter(&name, name_end))
            return false;
    } while (letter);
    return true;
}

ROWS_DEFINE(inplace_types, struct inplace_type, types);

const struct inplace_type *inplace_type_find(const char *type)
{
    for (uint32_t i = 0; i < inplace_types_count(); i++)
        if (inplace_type_is(type, types[i].name, strlen(types[i].name)))
            return &types[i];
    return NULL;
}
