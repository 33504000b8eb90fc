#ifndef MEMPLAN_RESULTS_VIEWS_RUN_LINES_H
#define MEMPLAN_RESULTS_VIEWS_RUN_LINES_H

#include "core/names.h"
#include "results/store/query.h"
#include "results/store/runs.h"

/* How the figures of planners changed from run to run. */

enum run_figure {
    RUN_BYTES, /* valid peak / best known lower bound */
    RUN_NODES, /* of searches that ended by themselves */
    RUN_TIME,  /* milliseconds */
};

struct run_lines {
    const char **run; /* [runs] labels in the order in which they were started, borrowed */
    uint32_t runs;
    struct names planners; /* those with a mean in at least two runs, by name */
    double *mean;          /* [planners.count * runs] geometric means; 0 where there is none */
    uint32_t *jobs;        /* [planners.count] number of jobs in each mean */
};

/* The means of one planner are over the same jobs in every run, so that a line moves only where
   results change. These are the jobs that the planner has in all runs but the small ones; a small
   run has less than half the jobs of the planner's largest run, and gets no mean. Jobs are the same
   by content, policy, options and seed; the repetitions of one, of which runs may have different
   numbers, count as their geometric mean. Rows and labels of set and runs are borrowed;
   rows are as they were stored. The caller zeroes *lines before. O(rows log rows). */
enum status run_lines_create(const struct result_set *set, const struct run_list *runs,
                             enum run_figure figure, struct run_lines *lines, struct error *error);
void run_lines_free(struct run_lines *lines);

/* How far the greatest mean of a planner is from its least, as a ratio of at least 1. */
double run_lines_range(const struct run_lines *lines, uint32_t planner);

#endif
