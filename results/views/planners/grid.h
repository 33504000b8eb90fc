#ifndef MEMPLAN_RESULTS_VIEWS_GRID_H
#define MEMPLAN_RESULTS_VIEWS_GRID_H

#include "core/names.h"
#include "results/store/query.h"

/* A result set with one line per (instance, policy) and one column per planner, both sorted by
   name. Zero-initialise it; it borrows the set. */
struct grid {
    const struct result_set *set;
    uint32_t lines;
    /* [lines] a row of the set on that line, which has its instance, policy and bound */
    uint32_t *first;
    uint32_t *row; /* [lines * planners.count] index into the set, UINT32_MAX for none */
    struct names planners;
    size_t first_capacity;
};

/* O(rows * log(planners)). */
enum status grid_create(const struct result_set *set, struct grid *grid, struct error *error);
void grid_free(struct grid *grid);

/* The planner's row on a line; NULL where it has none. */
const struct result_row *grid_at(const struct grid *grid, uint32_t line, uint32_t planner);

/* peak / best known lower bound; false where one of them is unknown or the peak does not count. */
bool grid_ratio(const struct grid *grid, uint32_t line, uint32_t planner, double *ratio);

/* The geometric mean of a planner's ratios over the lines where it has one; 0 for none. *lines is
   the number of these lines. Means of two planners can be compared only over common lines, see
   results/views/planners/common_lines.h. */
double grid_mean_ratio(const struct grid *grid, uint32_t planner, uint32_t *lines);

#endif
