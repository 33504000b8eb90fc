#ifndef MEMPLAN_RESULTS_STORE_ROWS_FILE_H
#define MEMPLAN_RESULTS_STORE_ROWS_FILE_H

#include "results/store/merge.h"

/* Takes the rows of a CSV file into a store that is open for writing, and the runs that they name.
   The file has a heading with names of columns of rows, as `memplan table rows -f csv` writes it;
   what it lacks is "" or 0. It may be compressed, with .gz behind its name. A row that is there
   already is replaced. STATUS_BAD_INPUT with the line where it is no such file. O(rows). */
enum status rows_file_import(struct store *store, const char *path, struct merge_transferred *done,
                             struct error *error);

#endif
