#ifndef MEMPLAN_RESULTS_VIEWS_GROWTH_H
#define MEMPLAN_RESULTS_VIEWS_GROWTH_H

#include "results/views/grid.h"

/* How the time of a planner grows with the number of buffers: time = factor * buffers ^ exponent,
   by least squares over the logarithms. Rows that a limit cut short say nothing of it and are left
   out, as are those of fewer than two buffers. */

struct growth {
    uint32_t planner; /* of the grid */
    uint32_t rows;
    uint64_t least_buffers, most_buffers;
    bool is_fitted; /* false where the numbers of buffers lie too near to each other */
    double exponent, factor_ns;
    double deviation; /* of the exponent, the standard error; 0 with two rows */
    double explained; /* share of the variance, R^2 */
};

/* Least ratio of the greatest number of buffers to the least, and least rows, for a fit. */
enum { GROWTH_LEAST_RANGE = 4, GROWTH_LEAST_ROWS = 3 };

/* growth: [planners of the grid]. O(planners * lines). */
void growth_fit(const struct grid *grid, uint32_t planner, struct growth *growth);

/* Whether the planner's row on the line counts, and its buffers and time. */
bool growth_point(const struct grid *grid, uint32_t line, uint32_t planner, uint64_t *buffers,
                  uint64_t *time_ns);

#endif
