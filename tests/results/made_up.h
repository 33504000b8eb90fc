#ifndef MEMPLAN_TESTS_RESULTS_MADE_UP_H
#define MEMPLAN_TESTS_RESULTS_MADE_UP_H

#include "results/store/store.h"

/* Results that nobody measured, for tests of tables and plots. */

/* A valid, feasible row; the caller changes what a test is about. */
struct result_row made_up_row(const char *instance, const char *policy, const char *planner,
                              uint64_t peak_bytes);

/* Writes a row without rectangles and asserts that this works. */
void made_up_write(struct store *store, struct result_row row);

/* A fresh database in the folder for temporary files; the caller closes it and hands both to
   made_up_remove. */
struct store *made_up_open(char path[64]);
void made_up_remove(struct store *store, const char *path);

/* Rows for every table and plot: the LUNA models at their published figures, worked examples, and a
   few networks under several planners, with layouts where a figure wants one. */
void made_up_fill(struct store *store);

#endif
