#ifndef MEMPLAN_RESULTS_VIEWS_COMMON_LINES_H
#define MEMPLAN_RESULTS_VIEWS_COMMON_LINES_H

#include "results/views/planners/grid.h"

/* Which planners of a grid can be ranked against each other, and on which of its lines: means over
   different lines say nothing about who is better. Zero-initialise it. */
struct common_lines {
    /* [planners] it has a number on every common line, and no unsafe plan anywhere */
    bool *is_ranked;
    bool *is_common;     /* [lines] every ranked planner has a number there */
    bool *is_comparable; /* [lines] some planner has a number there, and the policy is safe */
    /* Numbers of ranked planners, of common lines, and of comparable lines. */
    uint32_t ranked, common, comparable;
};

/* Where most plans of an instance under a policy are refused, the policy is unsafe, and none of its
   lines is common. Planners with an unsafe plan elsewhere are not ranked. The others leave the
   ranking one after another, the one with the fewest numbers first (among equals the last by name),
   until at least half of the comparable lines are common. O(planners * (lines + planners)). */
enum status common_lines_find(const struct grid *grid, struct common_lines *common,
                              struct error *error);
void common_lines_free(struct common_lines *common);

/* The geometric mean of a planner's ratios over those common lines where it has one; 0 for none.
 *lines is the number of these lines, which for a ranked planner are all common ones. */
double common_lines_mean_ratio(const struct common_lines *common, const struct grid *grid,
                               uint32_t planner, uint32_t *lines);

#endif
