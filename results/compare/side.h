#ifndef MEMPLAN_RESULTS_COMPARE_SIDE_H
#define MEMPLAN_RESULTS_COMPARE_SIDE_H

#include "results/store/query.h"
#include "results/store/store.h"

/* One side of a comparison, as a user names it. */

enum { SIDE_LEAST_COMMIT = 4 };

enum side_kind { SIDE_RUN, SIDE_PLANNER, SIDE_DATABASE };

struct side {
    enum side_kind kind;
    struct result_set set; /* owned */
};

/* Loads the newest rows of what name says: another database (a file that is there, or a name that
   ends in .db), or in the database at path a run's label, a planner, or at least SIDE_LEAST_COMMIT
   digits of a commit's hash, which is the newest run of that commit; in this order. run: only rows
   of that run, for a planner or a database; NULL for any. STATUS_USAGE with the runs of the
   database where it is none of these, or where several commits begin so. Free with side_free (a
   zeroed side is fine). */
enum status side_load(const char *path, const char *name, const char *run, struct side *side,
                      struct error *error);
void side_free(struct side *side);

#endif
