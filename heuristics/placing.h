#ifndef MEMPLAN_HEURISTICS_PLACING_H
#define MEMPLAN_HEURISTICS_PLACING_H

#include "planning/fit.h"

/* Places all buffers of a problem in one order after another, for planners that try many. */
struct placing;

enum status placing_create(const struct problem *problem, struct placing **placing,
                           struct error *error);
void placing_free(struct placing *placing); /* NULL is fine */

/* Fixed buffers first, then the others in the order of sorted[problem->buffers], each where the fit
   puts it. Stops as soon as the peak is above most_bytes: then *peak_bytes is UINT64_MAX and
   offset[problem->buffers] means nothing. */
enum status placing_run(struct placing *placing, const struct fit *fit, const uint32_t *sorted,
                        uint64_t most_bytes, uint64_t *offset, uint64_t *peak_bytes,
                        struct error *error);

#endif
