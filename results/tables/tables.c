#include "results/tables/tables.h"

#include <assert.h>
#include <string.h>

static const struct table_recipe *const recipes[] = {
#define TABLE(name) &table_##name,
#include "results/tables/tables.def"
#undef TABLE
};

unsigned tables_count(void)
{
    return sizeof recipes / sizeof *recipes;
}

const struct table_recipe *tables_at(unsigned index)
{
    assert(index < tables_count());
    return recipes[index];
}

const struct table_recipe *tables_find(const char *name)
{
    for (unsigned i = 0; i < tables_count(); i++)
        if (strcmp(recipes[i]->name, name) == 0)
            return recipes[i];
    return NULL;
}

enum status tables_build(const char *name, struct store *store, const char *run,
                         struct table *table, struct error *error)
{
    const struct table_recipe *recipe = tables_find(name);
    if (!recipe)
        return error_set(error, STATUS_USAGE, "no table '%s', expected one of memplan list tables",
                         name);
    return recipe->build(store, run, table, error);
}
