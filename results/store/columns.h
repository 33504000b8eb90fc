#ifndef MEMPLAN_RESULTS_STORE_COLUMNS_H
#define MEMPLAN_RESULTS_STORE_COLUMNS_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/text.h"

/* Tables whose columns are the fields of a struct: declared, written and read by their rows in
   columns.def and run_columns.def. */

struct store;

enum column_kind { COLUMN_TEXT, COLUMN_INTEGER };

struct column {
    const char *name; /* also the field of the table's struct */
    enum column_kind kind;
    size_t offset; /* of the field */
    bool key;      /* part of what makes a row unique */
    int since;     /* schema version of the files that have it */
};

struct column_table {
    const char *name;
    const struct column *column; /* [columns] */
    unsigned columns;
};

extern const struct column_table columns_of_results; /* struct result_row */
extern const struct column_table columns_of_runs;    /* struct run_row */

/* The newest version of any column. */
int columns_version(void);

/* Appends "name, name, ..." of all columns or of the key, each with `before` in front. */
void columns_list(const struct column_table *table, struct text *sql, const char *before,
                  bool key_only);

/* Appends the columns of a table for reading them all: the name it has in the query and a dot
   before each, and what stands for none where a file of that version lacks it. */
void columns_list_to_read(const struct column_table *table, struct text *sql, const char *alias,
                          int version);

/* Appends "name TYPE ..., name TYPE ...", as SQL declares them; columns_declare only one. */
void columns_declare_all(const struct column_table *table, struct text *sql);
void columns_declare(const struct column *column, struct text *sql);

/* Where the next value of a statement goes. */
struct column_binding {
    struct store *store;
    sqlite3_stmt *statement;
    int place; /* of the last value, from 1 */
};

/* STATUS_BAD_INPUT for a number above 2^63 - 1. NULL is "". */
enum status columns_bind_integer(struct column_binding *binding, const char *name, uint64_t value,
                                 struct error *error);
enum status columns_bind_text(struct column_binding *binding, const char *value,
                              struct error *error);

/* The fields of a struct, all or those of the key, as the values of a statement. */
enum status columns_bind(const struct column_table *table, struct column_binding *binding,
                         const void *row, bool key_only, struct error *error);

/* Fills the fields of a struct from the columns of an answer, the first of which is at `first`.
   While the text grows and moves, the struct's texts are places in it; columns_point makes them
   pointers at last. The caller checks the text. */
void columns_read(const struct column_table *table, sqlite3_stmt *statement, int first, void *row,
                  struct text *text);
void columns_point(const struct column_table *table, void *row, const struct text *text);

#endif
