#ifndef MEMPLAN_RESULTS_STORE_COLUMNS_H
#define MEMPLAN_RESULTS_STORE_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/text.h"

/* The columns of the table "result", in the order of struct result_row. Adding a field to the row
   is one line at the end of columns.c and a new schema version. */

enum column_kind { COLUMN_TEXT, COLUMN_INTEGER };

struct column {
    const char *name; /* also the field of struct result_row */
    enum column_kind kind;
    size_t offset;
    bool key;  /* part of what makes a row one job */
    int since; /* schema version of the files that have it */
};

unsigned columns_count(void);
const struct column *columns_at(unsigned index);

/* Appends "name, name, ..." of all columns, or of the key, each between before and after. */
void columns_list(struct text *sql, const char *before, const char *after, bool key_only);

/* Appends the columns of a table for reading them all: its name and a dot before each, and what
   stands for none where a file of that version lacks it. */
void columns_read(struct text *sql, const char *table, int version);

/* Appends "name TYPE ..." as SQL declares it; with a value for the rows there are if asked. */
void columns_declare(struct text *sql, const struct column *column, bool with_value);

#endif
