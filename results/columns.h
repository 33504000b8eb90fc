#ifndef MEMPLAN_RESULTS_COLUMNS_H
#define MEMPLAN_RESULTS_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/text.h"

/* The columns of the table "result", in the order of struct result_row. Adding a field to the row
   is one line in columns.c and a new schema version. */

enum column_kind { COLUMN_TEXT, COLUMN_INTEGER };

struct column {
    const char *name; /* also the field of struct result_row */
    enum column_kind kind;
    size_t offset;
    bool key; /* part of what makes a row one job */
};

unsigned columns_count(void);
const struct column *columns_at(unsigned index);

/* Appends "name, name, ..." of all columns, or of the key, each between before and after. */
void columns_list(struct text *sql, const char *before, const char *after, bool key_only);

#endif
