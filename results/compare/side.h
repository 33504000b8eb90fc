#ifndef MEMPLAN_RESULTS_COMPARE_SIDE_H
#define MEMPLAN_RESULTS_COMPARE_SIDE_H

#include "results/store/query.h"

/* One side of a comparison, as a user names it. */

enum { SIDE_LEAST_COMMIT = 4 };

enum side_kind { SIDE_RUN, SIDE_PLANNER, SIDE_ORDER, SIDE_DATABASE };

struct side {
    enum side_kind kind;
    struct result_set set; /* owned */
    char *command;         /* owned: the command line that made the run; "" where not known */
};

/* Loads the newest rows of the side that `name` stands for. It is, in this order: another database
   (an existing file, or a name that ends in .db); a run's label in the database at `path`; a
   planner in it; an order of operators in it, whose rows are then those of the graphs, with the
   order's own time (order_rows.h); or at least SIDE_LEAST_COMMIT digits of a commit's hash, for the
   newest run of that commit. run: only rows of that run, for a planner or a database; NULL for any.
   STATUS_USAGE, with the runs of the database, where the name is none of these or several commits
   begin with these digits. Free with side_free (a zeroed side is fine). */
enum status side_load(const char *path, const char *name, const char *run, struct side *side,
                      struct error *error);
void side_free(struct side *side);

#endif
