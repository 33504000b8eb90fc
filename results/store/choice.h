#ifndef MEMPLAN_RESULTS_STORE_CHOICE_H
#define MEMPLAN_RESULTS_STORE_CHOICE_H

#include <stdbool.h>

#include "core/names.h"
#include "results/store/row.h"

/* What the user may name as the subject of a table or a figure. */
enum table_subject { TABLE_OF_ALL, TABLE_OF_INSTANCE, TABLE_OF_PLANNERS };

/* What a user wants to see of a store; it applies to every table and figure. NULL stands for no
   restriction, and a zeroed choice for everything. All texts are borrowed. */
struct result_choice {
    const char *run; /* label */
    const struct names *instances, *policies, *planners;
    const struct names *subject; /* the planners or the instance that a table is about; NULL where
                                    none was named */
    /* The planner, or by_orders the order, that figures highlight and never leave out, and the run
       that its rows are from; NULL for none and for any. */
    const char *mine, *mine_run;
    /* Only rows of plans that had this limit; 0 for any. A row that does not say has none. */
    uint64_t time_limit_ns;
    /* Orders of operators are compared instead of planners, see results/store/order_rows.h. */
    bool by_orders;
    /* Heading or key of the column to sort by; a leading "-" puts the greatest first. */
    const char *sort;
    uint32_t top; /* the number of rows of a table or lines of a figure, counted from the first; 0
                     for all */
};

/* Which rows to read; NULL stands for no restriction. */
struct result_filter {
    const struct result_choice *choice;
    const char *instance, *policy, *planner; /* only rows of this one as well */
    bool with_rectangles;                    /* only rows that were written with rectangles */
    bool each;   /* every seed and repetition; else one row stands for all of them */
    bool stored; /* every row of every run, exactly as it was written */
};

/* Whether a row belongs to the chosen instances (by name or path), policies and planners; choice
   may be NULL. O(1) on average. */
bool choice_takes(const struct result_choice *choice, const struct result_row *row);

/* Whether the choice takes an instance, whatever the row. */
bool choice_takes_instance(const struct result_choice *choice, const char *instance,
                           const char *path);

/* Whether every row belongs to the choice, and no orders compete. */
bool choice_takes_all(const struct result_choice *choice);

struct store;

/* Adds all different texts of a column to *names, each once. The table is "result", "measure" or
   "run"; stores of older versions may lack the table or the column, which is no error. O(rows). */
enum status choice_list(struct store *store, const char *table, const char *column,
                        struct names *names, struct error *error);

#endif
