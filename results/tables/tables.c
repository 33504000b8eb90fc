#include "results/tables/tables.h"

#include <assert.h>
#include <string.h>

#include "core/rows.h"
#include "results/store/reconstructions.h"
#include "results/table/order.h"

static const struct table_recipe *const recipes[] = {
#define TABLE(name) &table_##name,
#include "results/tables/tables.def"
#undef TABLE
};

ROWS_DEFINE_POINTERS(tables, struct table_recipe, recipes);
ROWS_DEFINE_FIND(tables, struct table_recipe);
ROWS_DEFINE_REFUSE(tables, "table", "memplan list tables");

static enum status arrange(struct table *table, const struct result_choice *choice,
                           struct error *error)
{
    if (choice->sort)
        TRY(table_sort(table, choice->sort, error));
    if (choice->top)
        table_keep(table, choice->top, choice->mine);
    return table_check(table, error);
}

enum status tables_build(const char *name, struct store *store, const struct result_choice *choice,
                         struct table *table, struct error *error)
{
    const struct table_recipe *recipe = tables_find(name);
    if (!recipe)
        return tables_refuse(name, strlen(name), error);
    assert(store || recipe->source == TABLE_OF_ITS_OWN);
    struct names reconstructions = {0};
    enum status status = store ? reconstructions_read(store, &reconstructions, error) : STATUS_OK;
    table->name = recipe->name;
    table_set_label(table, reconstructions.count ? &reconstructions : NULL, RECONSTRUCTIONS_LABEL);
    if (!status)
        status = table_recipe_make(recipe, store, choice, table, error);
    if (!status && choice)
        status = arrange(table, choice, error);
    table_set_label(table, NULL, NULL);
    names_free(&reconstructions);
    return status;
}
