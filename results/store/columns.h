#ifndef MEMPLAN_RESULTS_STORE_COLUMNS_H
#define MEMPLAN_RESULTS_STORE_COLUMNS_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/text.h"

/* Tables whose columns are the fields of a struct: declared, written and read by their rows in
   columns.def and run_columns.def. */

struct store;

enum column_kind { COLUMN_TEXT, COLUMN_INTEGER, COLUMN_SIGNED };

struct column {
    const char *name; /* of the column, and of the field in the table's struct */
    enum column_kind kind;
    size_t offset; /* of the field */
    bool key;      /* part of what makes a row unique */
    int since;     /* the first schema version whose files have it */
};

/* A column with the name of its field. */
#define COLUMN(structure, name, kind, key, version)                                                \
    {#name, kind, offsetof(struct structure, name), key, version},

struct column_table {
    const char *name;
    const struct column *column; /* [columns] */
    unsigned columns;
};

extern const struct column_table columns_of_results; /* struct result_row */
extern const struct column_table columns_of_runs;    /* struct run_row */

/* The greatest schema version of any column. */
int columns_version(void);

/* Appends "name, name, ..." of all columns, or only of those in the key, with the text `before` in
   front of each name. */
void columns_list(const struct column_table *table, struct text *sql, const char *before,
                  bool key_only);

/* Appends the columns of a table for a query that reads all of them, each with the alias of the
   table and a dot in front. A column that a file of that version lacks is replaced by its value for
   "none". */
void columns_list_to_read(const struct column_table *table, struct text *sql, const char *alias,
                          int version);

/* Appends "VERB INTO table (columns) VALUES (parameters)"; the verb may say what happens to a row
   with the same key. */
void columns_insert(const struct column_table *table, const char *verb, struct text *sql);

/* Appends "name TYPE ..., name TYPE ...", as SQL declares them; columns_declare only one. */
void columns_declare_all(const struct column_table *table, struct text *sql);
void columns_declare(const struct column *column, struct text *sql);

/* The next parameter of a statement that gets a value. */
struct column_binding {
    struct store *store;
    sqlite3_stmt *statement;
    int place; /* number of the parameter that got a value last, from 1 */
};

/* Give the next parameter a value. STATUS_BAD_INPUT for a number above 2^63 - 1; NULL is written as
   "". */
enum status columns_bind_integer(struct column_binding *binding, const char *name, uint64_t value,
                                 struct error *error);
enum status columns_bind_text(struct column_binding *binding, const char *value,
                              struct error *error);

/* Gives the fields of a struct, all of them or those of the key, to the next parameters of a
   statement. */
enum status columns_bind(const struct column_table *table, struct column_binding *binding,
                         const void *row, bool key_only, struct error *error);

/* Fill the fields of a struct from the columns of an answer, the first of which has number
   `first`. The texts are appended to `text`, which moves while it grows; so columns_read stores
   their positions, and columns_point replaces these by pointers at the end. The caller checks the
   text.

   recent: [COLUMNS_RECENT] positions in `text`, zeroes at first, or NULL. With it most equal texts
   are stored once, so that readers of many rows find the few names of planners and instances in the
   cache, and compare_texts (query.h) by their places. */
enum { COLUMNS_RECENT = 1 << 15 };
void columns_read(const struct column_table *table, sqlite3_stmt *statement, int first, void *row,
                  struct text *text, size_t *recent);
void columns_point(const struct column_table *table, void *row, const struct text *text);

#endif
