#ifndef MEMPLAN_PLOTS_COMPARISONS_CURVE_H
#define MEMPLAN_PLOTS_COMPARISONS_CURVE_H

#include <stdbool.h>
#include <stdint.h>

/* The text in the column `curve` (struct result_row). */

struct curve_point {
    uint64_t time_ns;     /* since the search began */
    uint64_t bound_bytes; /* no plan has a lower peak */
    uint64_t peak_bytes;  /* peak of the best plan so far; UINT64_MAX before the first */
};

/* Reads the next point and moves *text behind it; false at the end, and where the text is no
   curve. */
bool curve_next(const char **text, struct curve_point *point);

#endif
