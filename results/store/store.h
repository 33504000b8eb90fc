#ifndef MEMPLAN_RESULTS_STORE_STORE_H
#define MEMPLAN_RESULTS_STORE_STORE_H

#include "core/error.h"
#include "core/names.h"
#include "core/text.h"
#include "results/store/row.h"

/* Results in one SQLite file (WAL), which several processes may use at once. */

struct store;

enum store_mode { STORE_READ, STORE_WRITE /* creates the file and its schema if missing */ };

/* STATUS_BAD_INPUT with the path where the file is missing, no database, or of another schema;
   STATUS_LIMIT where another process keeps it locked. The caller closes *store. */
enum status store_open(const char *path, enum store_mode mode, struct store **store,
                       struct error *error);
void store_close(struct store *store); /* NULL is fine */
SCOPED_POINTER(struct store, store_release, store_close);

/* From now on the rows are read from the file only once, and sets of results (query.h) share their
   texts, so they are freed before the store is closed. For a store that nobody writes to while it
   is open. */
enum status store_keep_rows(struct store *store, struct error *error);

/* Writes the row and its rectangles (count may be 0) in one transaction. A row with the same key is
   replaced. STATUS_BAD_INPUT for an integer above 2^63 - 1. */
enum status store_write(struct store *store, const struct result_row *row,
                        const struct result_rectangle *rectangles, uint32_t count,
                        struct error *error);

/* Rows that are written between the two calls are in one transaction. That is much faster than one
   for each row, but other writers have to wait. store_end keeps the rows if `status` is STATUS_OK,
   else it drops them and returns `status`. */
enum status store_begin(struct store *store, struct error *error);
enum status store_end(struct store *store, enum status status, struct error *error);

/* Gives the space of deleted rows back to the file system. Where another program uses the file it
   stays as large as it is, which is no error. O(rows that are left). */
enum status store_shrink(struct store *store, struct error *error);

/* Sets *found to whether a row with the key of *row is in the store; a resumed run leaves out such
   rows. Only for a store that is open for writing. */
enum status store_has(struct store *store, const struct result_row *row, int *found,
                      struct error *error);

/* Adds the question of each row of any run to *questions: content, policy, planner, options and
   order as one text, which store_append_question makes for a row that is not stored yet. With a
   setting, as "time_limit_ns=1", only of rows whose settings begin with it; NULL for all rows.
   O(rows). Only for a store that is open for writing. */
enum status store_list_questions(struct store *store, const char *setting, struct names *questions,
                                 struct error *error);
void store_append_question(const struct result_row *row, struct text *question);

#endif
