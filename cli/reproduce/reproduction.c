#include "cli/reproduce/reproduction.h"

#include <string.h>

#include "core/rows.h"

#define REPRODUCTION(name) extern const struct reproduction reproduction_##name;
#include "cli/reproduce/reproductions.def"
#undef REPRODUCTION

static const struct reproduction *const rows[] = {
#define REPRODUCTION(name) &reproduction_##name,
#include "cli/reproduce/reproductions.def"
#undef REPRODUCTION
};

ROWS_DEFINE_POINTERS(reproduction, struct reproduction, rows);
ROWS_DEFINE_FIND(reproduction, struct reproduction);
ROWS_DEFINE_REFUSE(reproduction, "reproduction", "memplan list reproductions");

bool reproduction_names(const char *const *names, const char *name)
{
    for (; names && *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}
