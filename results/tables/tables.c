#include "results/tables/tables.h"

#include "core/rows.h"

static const struct table_recipe *const recipes[] = {
#define TABLE(name) &table_##name,
#include "results/tables/tables.def"
#undef TABLE
};

ROWS_DEFINE_POINTERS(tables, struct table_recipe, recipes);
ROWS_DEFINE_FIND(tables, struct table_recipe);

enum status tables_build(const char *name, struct store *store, const char *run,
                         struct table *table, struct error *error)
{
    const struct table_recipe *recipe = tables_find(name);
    if (!recipe)
        return error_set(error, STATUS_USAGE, "no table '%s', expected one of memplan list tables",
                         name);
    return recipe->build(store, run, table, error);
}
