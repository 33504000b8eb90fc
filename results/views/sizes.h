#ifndef MEMPLAN_RESULTS_VIEWS_SIZES_H
#define MEMPLAN_RESULTS_VIEWS_SIZES_H

#include "results/store/measures.h"

/* Plans for sizes that depend on parameters, as `memplan reproduce sizes` stores them: for each
   instance and rule, which is the variant, the measures greatest_bytes (at the greatest sizes),
   worst_ppm and mean_ppm (of peak over load, in millionths), points, overlapping (points at which
   buffers overlap), place_ns, and "N peak_bytes" at point N, from 000, which is the greatest one.
   The rule SIZES_OURS also has proved_ppm, optimal and plan_ns. The variant SIZES_POINTS has
   parameters, and "N load_bytes" and "N place_ppm", where the point is from the least to the
   greatest one. */
#define SIZES_TOPIC "sizes"
#define SIZES_OURS "ours"
#define SIZES_POINTS "points"
enum { SIZES_MOST_POINTS = 16 };

/* The rules in the order in which they are shown. */
enum { SIZES_RULES = 12 };
const char *sizes_view_rule(unsigned index);

/* A point at which a rule was looked at. */
struct sizes_point {
    double place; /* from 0, the least, to 1, the greatest */
    double ratio; /* of peak and load */
};
/* Fills point[SIZES_MOST_POINTS] in rising order for an instance with one parameter, and returns
   how many there are; 0 for others. */
unsigned sizes_view_points(const struct measure_set *set, const char *instance, const char *rule,
                           struct sizes_point *point);

#endif
