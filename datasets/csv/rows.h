#ifndef MEMPLAN_DATASETS_CSV_ROWS_H
#define MEMPLAN_DATASETS_CSV_ROWS_H

#include <stdbool.h>

#include "datasets/csv/dialect.h"
#include "datasets/csv/fields.h"
#include "planning/problem/problem.h"

/* The rows of a MiniMalloc CSV file as numbers, for the readers of problems and of plans. */

/* Reads the header, before which one comment line is allowed. text and file are borrowed. Fails
   with STATUS_BAD_INPUT and the line. The rows are to be freed even after an error. */
enum status csv_rows_open(const struct text *text, const char *file, struct csv_rows *rows,
                          struct error *error);

/* Does the same for a file whose columns are id, lower, upper, size, whatever names its header
   has. */
enum status csv_rows_open_positional(const struct text *text, const char *file,
                                     enum csv_lifetimes lifetimes, struct csv_rows *rows,
                                     struct error *error);

/* Sets what the times mean, whatever the header says. */
void csv_rows_set_lifetimes(struct csv_rows *rows, enum csv_lifetimes lifetimes);

/* Reads and checks the next row into rows->row; *found is false at the end. */
enum status csv_rows_next(struct csv_rows *rows, bool *found, struct error *error);
void csv_rows_free(struct csv_rows *rows);

/* If a call of problem_* for the present line has failed, adds the line to its error; returns the
   status. */
enum status csv_rows_place(const struct csv_rows *rows, enum status status, struct error *error);

/* Notes that the next buffer of the problem is on the present line. */
enum status csv_rows_note_buffer(struct csv_rows *rows, struct error *error);
/* Finishes the problem whose buffers were all noted; an error is reported at the line of its
   buffer. */
enum status csv_rows_finish(const struct csv_rows *rows, struct problem *problem,
                            struct error *error);

#endif
