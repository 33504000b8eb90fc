#ifndef MEMPLAN_RESULTS_STORE_SCHEMA_H
#define MEMPLAN_RESULTS_STORE_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

#include "core/text.h"

/* The tables of a store's file: "result" with the columns of columns.def, "rectangle" and
   "measure". Its version, kept in the file, is that of the newest column. */

struct store;

enum column_kind { COLUMN_TEXT, COLUMN_INTEGER };

struct column {
    const char *name; /* also the field of struct result_row */
    enum column_kind kind;
    size_t offset; /* of the field */
    bool key;      /* part of what makes a row one job */
    int since;     /* schema version of the files that have it */
};

/* In the order of columns.def. */
unsigned schema_columns_count(void);
const struct column *schema_column_at(unsigned index);

/* Appends "name, name, ..." of all columns or of the key, each with `before` in front. */
void schema_list_columns(struct text *sql, const char *before, bool key_only);

/* Appends the columns of a table for reading them all: its name and a dot before each, and what
   stands for none where a file of that version lacks it. */
void schema_list_to_read(struct text *sql, const char *table, int version);

/* Creates the tables in an empty file and adds the columns that a file of an older schema lacks;
   then as schema_check. */
enum status schema_create(struct store *store, struct error *error);

/* Refuses what is no store of this schema version or an older one, and sets store->version. */
enum status schema_check(struct store *store, struct error *error);

#endif
