#ifndef MEMPLAN_RESULTS_TABLES_TABLES_H
#define MEMPLAN_RESULTS_TABLES_TABLES_H

#include <stdbool.h>

#include "results/store/store.h"
#include "results/views/recipe.h"

/* The tables that can be made from a store. */

#define TABLE(name) extern const struct table_recipe table_##name;
#include "results/tables/tables.def"
#undef TABLE

unsigned tables_count(void);
const struct table_recipe *tables_at(unsigned index);
const struct table_recipe *tables_find(const char *name); /* NULL for none */
/* STATUS_USAGE for a name that is not that of a table, with the names that may be meant. */
enum status tables_refuse(const char *name, size_t length, struct error *error);

/* Finds a table and builds it, then sorts its rows and keeps as many as were chosen. STATUS_USAGE
   for an unknown name and for a column that the table does not have. choice may be NULL. */
enum status tables_build(const char *name, struct store *store, const struct result_choice *choice,
                         struct table *table, struct error *error);

#endif
