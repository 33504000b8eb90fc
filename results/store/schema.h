#ifndef MEMPLAN_RESULTS_STORE_SCHEMA_H
#define MEMPLAN_RESULTS_STORE_SCHEMA_H

#include "core/text.h"

/* The tables of a store's file: "result" and "run" with the columns of columns.h, "rectangle" and
   "measure". Its version, kept in the file, is that of the newest column. */

struct store;

/* The first version with a table "run". */
enum { SCHEMA_WITH_RUNS = 5 };

/* Creates the tables in an empty file, and adds to a file of an older schema what it lacks; then
   does what schema_check does. */
enum status schema_create(struct store *store, struct error *error);

/* Refuses a file that is no store or has a newer schema version, and sets store->version. */
enum status schema_check(struct store *store, struct error *error);

/* Appends a SELECT in parentheses that answers the columns of "run" in a file that has no such
   table: what its results know of their runs. */
void schema_append_known_runs(struct text *sql);

#endif
