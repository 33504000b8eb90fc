#ifndef MEMPLAN_RESULTS_STORE_STORE_H
#define MEMPLAN_RESULTS_STORE_STORE_H

#include "core/error.h"
#include "results/store/row.h"

/* Results in one SQLite file (WAL), which several processes may use at once. */

struct store;

enum store_mode { STORE_READ, STORE_WRITE /* creates the file and its schema if missing */ };

enum status store_open(const char *path, enum store_mode mode, struct store **store,
                       struct error *error);
void store_close(struct store *store); /* NULL is fine */

/* Writes the row and its rectangles (count may be 0) in one transaction. A row with the same key is
   replaced. STATUS_BAD_INPUT for an integer above 2^63 - 1. */
enum status store_write(struct store *store, const struct result_row *row,
                        const struct result_rectangle *rectangles, uint32_t count,
                        struct error *error);

/* Between the two calls rows are written in one transaction, which is much quicker than one for
   each and keeps other writers waiting. store_end keeps them where status is STATUS_OK, or forgets
   them and returns status. */
enum status store_begin(struct store *store, struct error *error);
enum status store_end(struct store *store, enum status status, struct error *error);

/* True in *found if a row with the key of *row is there: what a resumed run leaves out.
   Only of a store that is open for writing. */
enum status store_has(struct store *store, const struct result_row *row, int *found,
                      struct error *error);

#endif
