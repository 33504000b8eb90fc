#ifndef MEMPLAN_RESULTS_TABLE_RECIPE_H
#define MEMPLAN_RESULTS_TABLE_RECIPE_H

#include "results/table/table.h"

struct store;
struct result_choice;

/* What the user may name as the subject of a table or a figure. */
enum table_subject { TABLE_OF_ALL, TABLE_OF_INSTANCE, TABLE_OF_PLANNERS };

/* How a table is made from a store, a row of results/tables/tables.def. Tables use the newest rows,
   see query_newest; a peak that verify or execute refused is shown as "invalid". */
struct table_recipe {
    const char *name;
    const char *title;

    /* Fills a zeroed table, which the caller frees, also after an error. choice may be NULL.
       STATUS_NO where the store has no results for the table; the error says which are needed. */
    enum status (*build)(struct store *store, const struct result_choice *choice,
                         struct table *table, struct error *error);

    enum table_subject subject;
    const char *example; /* the table's name and options; NULL for its name alone */
};

#endif
