#ifndef MEMPLAN_RESULTS_STORE_CHOICE_H
#define MEMPLAN_RESULTS_STORE_CHOICE_H

#include <stdbool.h>

#include "core/names.h"
#include "results/store/row.h"

/* What somebody wants to see of a store, for every table and figure; zero for all there is. NULL
   stands for any. All of it is borrowed. */
struct result_choice {
    const char *run; /* label */
    const struct names *instances, *policies, *planners;
    const struct names *subject; /* planners or an instance that a table is about, see
                                    results/table/recipe.h; NULL where none was named */
    const char *sort; /* heading or key of a column, "-" before it for the greatest first */
    uint32_t top;     /* so many rows of a table, lines of a figure; 0 for all */
};

/* Which rows: NULL for any. */
struct result_filter {
    const struct result_choice *choice;
    const char *instance, *policy, *planner; /* besides, only of this one */
    bool with_rectangles;                    /* only rows that were written with some */
    bool each;   /* every seed and repetition, not one row for all of them */
    bool stored; /* every row of every run, just as it was written */
};

/* Whether the row is of the chosen instances (by name or path), policies and planners; choice may
   be NULL. O(1) on average. */
bool choice_takes(const struct result_choice *choice, const struct result_row *row);

/* The same for an instance alone. */
bool choice_takes_instance(const struct result_choice *choice, const char *instance,
                           const char *path);

struct store;

/* Adds the different texts of a column to *names, each once: of the table "result", "measure" or
   "run", which older stores need not have, as they need not have the column. O(rows). */
enum status choice_list(struct store *store, const char *table, const char *column,
                        struct names *names, struct error *error);

#endif
