#ifndef MEMPLAN_RESULTS_VIEWS_CURVE_H
#define MEMPLAN_RESULTS_VIEWS_CURVE_H

#include <stdbool.h>
#include <stdint.h>

/* The text in the column `curve` (struct result_row). */

struct curve_point {
    uint64_t time_ns;     /* since the search began */
    uint64_t bound_bytes; /* no plan is below */
    uint64_t peak_bytes;  /* of the best plan; UINT64_MAX for none yet */
};

/* Takes the next point from the front of *text; false at the end and where the text is none. */
bool curve_next(const char **text, struct curve_point *point);

#endif
