#ifndef MEMPLAN_RESULTS_VIEWS_STANDINGS_H
#define MEMPLAN_RESULTS_VIEWS_STANDINGS_H

#include "results/views/planners/common_lines.h"

/* How planners compare over a grid: their ranks, and the numbers behind them. */

struct standing {
    uint32_t planner; /* of the grid */
    uint32_t rank;    /* from 1, equal means share one; 0 where it is not ranked */
    uint32_t plans;   /* number of lines on which it has a plan that counts */
    uint32_t met;     /* number of these lines where it is at the bound */
    uint32_t wins;    /* number of common lines where no ranked planner has a lower peak */
    uint32_t refused; /* number of lines under safe policies with a plan that a check refused */
    uint32_t without; /* number of lines where it was run and found no plan */
    /* Geometric means of peak / bound: over the common lines, or its own where it is not ranked;
       over the hard ones, 0 where there are none or it is not ranked. */
    double mean_ratio, hard_ratio;
    double worst_ratio; /* the greatest ratio on its own lines */
    uint32_t worst_line;
    uint64_t median_ns; /* of the lines of mean_ratio */
};

struct standings {
    struct standing *standing; /* [count] planners with a number: by rank, then by mean and name */
    uint32_t count;
    struct common_lines common;
    uint64_t *least_bytes; /* [lines] least peak of ranked plans that split nothing; 0: none */
    uint32_t *reached;     /* [lines] number of ranked planners that have this peak */
    uint32_t hard;         /* number of common lines that are hard */
};

/* A common line is hard where fewer than half of the ranked planners reach the least peak. The
   caller zeroes *standings before, and frees them, also after an error. O(planners * lines). */
enum status standings_create(const struct grid *grid, struct standings *standings,
                             struct error *error);
void standings_free(struct standings *standings);

/* How one planner stands on those of the common lines that are marked in taken[lines]. */
struct standing_part {
    uint32_t lines;    /* common lines that are taken */
    uint32_t least;    /* of these, lines where no ranked planner is lower */
    uint32_t rank;     /* 1 + ranked planners with a lower mean; 0 where it is not ranked */
    double mean_ratio; /* geometric, 0 without lines */
};
void standings_judge_part(const struct grid *grid, const struct standings *standings,
                          uint32_t planner, const bool *taken, struct standing_part *part);

bool standings_is_hard(const struct standings *standings, uint32_t line);

#endif
