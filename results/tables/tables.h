#ifndef MEMPLAN_RESULTS_TABLES_TABLES_H
#define MEMPLAN_RESULTS_TABLES_TABLES_H

#include <stdbool.h>

#include "results/store/store.h"
#include "results/table/table.h"

/* The tables that can be made from a store, see tables.def. They use the newest rows, see
   query_newest; a peak that verify or execute refused is shown as "invalid". */
struct table_recipe {
    const char *name;
    const char *title;

    /* run: only rows of that label, NULL for any. Fills a zeroed table, which the caller frees also
       after a failure. STATUS_NO where the store has nothing for it; the error says which results
       are wanted. */
    enum status (*build)(struct store *store, const char *run, struct table *table,
                         struct error *error);
};

#define TABLE(name) extern const struct table_recipe table_##name;
#include "results/tables/tables.def"
#undef TABLE

/* False where it is made of what is compiled in, also with NULL for the store. */
bool tables_needs_store(const struct table_recipe *recipe);

unsigned tables_count(void);
const struct table_recipe *tables_at(unsigned index);
const struct table_recipe *tables_find(const char *name); /* NULL for none */

/* tables_find and build; STATUS_USAGE for an unknown name. */
enum status tables_build(const char *name, struct store *store, const char *run,
                         struct table *table, struct error *error);

#endif
