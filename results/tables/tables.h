#ifndef MEMPLAN_RESULTS_TABLES_TABLES_H
#define MEMPLAN_RESULTS_TABLES_TABLES_H

#include <stdbool.h>

#include "results/store/choice.h"
#include "results/store/store.h"
#include "results/table/recipe.h"

/* The tables that can be made from a store. */

#define TABLE(name) extern const struct table_recipe table_##name;
#include "results/tables/tables.def"
#undef TABLE

/* False where it is made of what is compiled in, also with NULL for the store. */
bool tables_needs_store(const struct table_recipe *recipe);

unsigned tables_count(void);
const struct table_recipe *tables_at(unsigned index);
const struct table_recipe *tables_find(const char *name); /* NULL for none */
/* STATUS_USAGE for a name that is none, with those it may stand for. */
enum status tables_refuse(const char *name, size_t length, struct error *error);

/* tables_find and build, then the rows in the order chosen and so many as chosen; STATUS_USAGE for
   an unknown name and for a column that the table does not have. choice: NULL for all there is. */
enum status tables_build(const char *name, struct store *store, const struct result_choice *choice,
                         struct table *table, struct error *error);

#endif
