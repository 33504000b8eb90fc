#ifndef MEMPLAN_HEURISTICS_COMMON_PLACING_H
#define MEMPLAN_HEURISTICS_COMMON_PLACING_H

#include "planning/arena/occupancy.h"

/* Placing all buffers of a problem one after another, again and again. */

/* Offsets of fixed buffers, PROBLEM_FREE for the others. */
void placing_set_fixed(const struct problem *problem, uint64_t *offset);

/* The same, and their bytes are all that is taken. */
enum status placing_begin(const struct problem *problem, struct occupancy *occupancy,
                          uint64_t *offset, struct error *error);

/* Fixed buffers first, then the others in the order of sorted[problem->buffers], each where the fit
   puts it. Stops as soon as the peak is above most_bytes: then *peak_bytes is UINT64_MAX and
   offset[problem->buffers] means nothing. */
enum status placing_run(const struct problem *problem, struct occupancy *occupancy,
                        const struct fit *fit, const uint32_t *sorted, uint64_t most_bytes,
                        uint64_t *offset, uint64_t *peak_bytes, struct error *error);

#endif
