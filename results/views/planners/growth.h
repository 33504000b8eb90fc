#ifndef MEMPLAN_RESULTS_VIEWS_GROWTH_H
#define MEMPLAN_RESULTS_VIEWS_GROWTH_H

#include "results/views/planners/grid.h"

/* How the time or the memory of a planner grows with the number of buffers: value = factor *
   buffers ^ exponent, by least squares over the logarithms. Left out are rows that a limit cut
   short, which do not show the growth, rows of fewer than two buffers, and rows whose memory is not
   known. */

enum growth_quantity { GROWTH_TIME_NS, GROWTH_MEMORY_BYTES, GROWTH_QUANTITIES };

struct growth {
    uint32_t planner; /* of the grid */
    uint32_t rows;
    uint64_t least_buffers, most_buffers;
    bool is_fitted; /* false where the numbers of buffers are too close to each other */
    double exponent, factor;
    double deviation; /* standard error of the exponent; 0 with two rows */
    double explained; /* share of the variance, R^2 */
};

/* What a fit needs: a least ratio of the greatest to the least number of buffers, and a least
   number of rows. */
enum { GROWTH_LEAST_RANGE = 4, GROWTH_LEAST_ROWS = 3 };

/* One fit of a planner. O(lines). */
void growth_fit(const struct grid *grid, uint32_t planner, enum growth_quantity quantity,
                struct growth *growth);

/* The value that the fit gives for a number of buffers. */
double growth_value(const struct growth *growth, double buffers);

/* A row that counts for a fit. */
struct growth_point {
    uint64_t buffers, value[GROWTH_QUANTITIES]; /* 0 where it is not known */
};
/* Whether the planner's row on the line counts. */
bool growth_point(const struct grid *grid, uint32_t line, uint32_t planner,
                  struct growth_point *point);

#endif
