#ifndef MEMPLAN_RESULTS_STORE_SQLITE_H
#define MEMPLAN_RESULTS_STORE_SQLITE_H

#include <sqlite3.h>

#include "results/store/store.h"

/* What the files of the store share: SQLite behind struct error. */

/* Version 2 has the columns split_buffers, pool_bytes and pools. */
enum { HANDLE_SCHEMA_VERSION = 3 };

/* SQL: the options of a row that change the problem, from "inplace=" to the end. Bounds and peaks
   of rows that differ in them say nothing about each other, though content and policy be the same.
 */
#define HANDLE_INPLACE                                                                             \
    "CASE WHEN instr(options, 'inplace=') THEN substr(options, instr(options, 'inplace='))"        \
    " ELSE '' END AS inplace"

struct store {
    sqlite3 *database;
    sqlite3_stmt *insert, *find, *forget_rectangles, *insert_rectangle;
    char *path;
    int version; /* of the file's schema */
};

/* Sets the error from SQLite's last message for this store: STATUS_LIMIT where another program kept
   it locked, else STATUS_BAD_INPUT with the path. */
enum status handle_error(const struct store *store, const char *doing, struct error *error);

/* Runs statements that answer nothing. */
enum status handle_run(struct store *store, const char *sql, struct error *error);

/* The caller finalises *statement. */
enum status handle_prepare(struct store *store, const char *sql, sqlite3_stmt **statement,
                           struct error *error);

/* Moves to the next row of an answer; *found is 0 after the last. */
enum status handle_step(struct store *store, sqlite3_stmt *statement, int *found,
                        struct error *error);

/* A copy of the text in a column of the row, "" for NULL; the caller frees it. */
enum status handle_text(sqlite3_stmt *statement, int column, char **copy, struct error *error);

/* Creates the tables in an empty file and adds the columns that a file of an older schema lacks;
   refuses what is no store. */
enum status handle_create_schema(struct store *store, struct error *error);
/* Refuses what is no store of this schema version or an older one, and sets store->version. */
enum status handle_check_schema(struct store *store, struct error *error);

/* Writing takes turns between processes: from begin to end this one has the file. handle_end takes
   back everything where status is a failure, and returns it. */
enum status handle_begin(struct store *store, struct error *error);
enum status handle_end(struct store *store, enum status status, struct error *error);

#endif
