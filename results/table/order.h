#ifndef MEMPLAN_RESULTS_TABLE_ORDER_H
#define MEMPLAN_RESULTS_TABLE_ORDER_H

#include "results/table/table.h"

/* The rows of a full table in another order, and fewer of them. The foot stays where it is. */

/* column: a heading, or its name for programs ("lower_bound_bytes"); "-" before it puts the
   greatest first. Numbers come before texts, and cells without a value last in either direction;
   rows that are alike stay in order. STATUS_USAGE for a column that is not there, with those that
   are. O(rows log rows). */
enum status table_sort(struct table *table, const char *column, struct error *error);

/* Leaves only the columns of a list that is separated by commas, in its order; each is named as for
   table_sort. STATUS_USAGE for one that is not there or is named twice. O(cells). */
enum status table_choose_columns(struct table *table, const char *list, struct error *error);

/* Keeps only the first rows and adds a note that says how many there were; does nothing where there
   are no more. If `mine` is not NULL and a later row has this text, it is kept as the last of
   them. */
void table_keep(struct table *table, uint32_t rows, const char *mine);

#endif
