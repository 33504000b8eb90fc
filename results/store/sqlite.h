#ifndef MEMPLAN_RESULTS_STORE_SQLITE_H
#define MEMPLAN_RESULTS_STORE_SQLITE_H

#include <sqlite3.h>
#include <stdbool.h>

#include "core/names.h"
#include "core/text.h"
#include "results/store/options.h"

/* What the sources of the store share: SQLite's functions with struct error, and the members of a
   store. */

struct store {
    sqlite3 *database;
    sqlite3_stmt *insert_run, *insert, *find, *forget_rectangles, *insert_rectangle;
    struct reading *kept; /* all rows, once they are read; NULL unless they are to be kept */
    /* Of a store that keeps its rows: the answers for all of them, one row for each question, and
       each row; NULL until they are asked for. */
    struct result_set *answers[2];
    char *path;
    int version; /* of the file's schema */
    bool begun;  /* a transaction is open, which store_end ends */
    bool logs_changes;
};

/* SQL: the value of an option in a column that holds options; NULL where the option is not
   there. */
#define SQLITE_OPTION(column, name) "option_value(" column ", '" name "')"

/* SQL: the options of a row that change the problem. Bounds and peaks of rows that differ in these
   options say nothing about each other, even if content and policy are the same. */
#define SQLITE_INPLACE                                                                             \
    "CASE options WHEN '' THEN ' ' ELSE"                                                           \
    " ifnull(" SQLITE_OPTION("options", OPTIONS_INPLACE) ", '') || ' ' || ifnull(" SQLITE_OPTION(  \
        "options", OPTIONS_DISABLE_INPLACE) ", '') END AS inplace"

/* Opens the file at store->path. Reading works in a folder where nothing can be written too. */
enum status sqlite_open(struct store *store, bool writing, struct error *error);

/* From now on changes are logged beside the file, so that readers need not wait for writers. */
enum status sqlite_log_changes(struct store *store, struct error *error);

/* Closes the file. If no other process has it open, the log is ended, so that the file alone has
   all data. */
void sqlite_close(struct store *store);

/* For SCOPED. */
SCOPED_POINTER(sqlite3_stmt, sqlite_release, sqlite3_finalize);

/* Sets the error from SQLite's last message for this store: STATUS_LIMIT where another program kept
   it locked, else STATUS_BAD_INPUT with the path. */
enum status sqlite_error(const struct store *store, const char *doing, struct error *error);

/* Runs statements that return no rows. */
enum status sqlite_run(struct store *store, const char *sql, struct error *error);

/* The caller finalises *statement. The second form takes SQL in a struct text, which it frees. */
enum status sqlite_prepare(struct store *store, const char *sql, sqlite3_stmt **statement,
                           struct error *error);
enum status sqlite_prepare_made(struct store *store, struct text *sql, sqlite3_stmt **statement,
                                struct error *error);

/* Moves to the next row of an answer; *found is 0 after the last. */
enum status sqlite_step(struct store *store, sqlite3_stmt *statement, int *found,
                        struct error *error);

/* Runs a prepared statement whose answer does not matter, and makes it ready for its next run. */
enum status sqlite_once(struct store *store, sqlite3_stmt *statement, struct error *error);

/* Runs a statement with texts for its first parameters, of which NULL is SQL's NULL, and calls
   take, which may be NULL, with each row of the answer. The second form takes SQL that was put
   together, and frees it. */
typedef enum status sqlite_take(void *context, sqlite3_stmt *row, struct error *error);
struct sqlite_question {
    const char *const *text; /* [texts] */
    int texts;
    sqlite_take *take;
    void *context; /* of take */
};
enum status sqlite_ask(struct store *store, const char *sql, const struct sqlite_question *question,
                       struct error *error);
enum status sqlite_ask_made(struct store *store, struct text *sql,
                            const struct sqlite_question *question, struct error *error);

/* For sqlite_ask: takes the text in the first column into a struct names, unless it is empty or
 * there already. */
enum status sqlite_take_name(void *names, sqlite3_stmt *row, struct error *error);

/* The number in the first column of the answer's only row; 0 where it has none.
   text may be NULL. */
enum status sqlite_number(struct store *store, const char *sql, const char *text, int64_t *number,
                          struct error *error);

/* Whether the file has a table of this name. */
enum status sqlite_has_table(struct store *store, const char *name, bool *found,
                             struct error *error);

/* A copy of the text in a column of the row, "" for NULL; the caller frees it. */
enum status sqlite_text(sqlite3_stmt *statement, int column, char **copy, struct error *error);

/* Begins a transaction: until its end no other process can write to the file. sqlite_end undoes
   everything if `status` is a failure, and returns `status`. */
enum status sqlite_begin(struct store *store, struct error *error);
enum status sqlite_end(struct store *store, enum status status, struct error *error);

#endif
