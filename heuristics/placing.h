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

/* Offsets of fixed buffers, PROBLEM_FREE for the others. */
void placing_set_fixed(const struct problem *problem, uint64_t *offset);

/* The same step by step: nothing but the fixed buffers has an offset in offset[problem->buffers],
   and their bytes are taken. */
enum status placing_begin(struct placing *placing, uint64_t *offset, struct error *error);
/* Takes the bytes of a buffer at an offset. */
enum status placing_take(struct placing *placing, uint32_t buffer, uint64_t offset,
                         struct error *error);

/* Free bytes [begin, end), end UINT64_MAX above everything taken; false ends the walk. */
typedef bool placing_visit(void *context, uint64_t begin, uint64_t end);
/* In rising order the gaps among the bytes taken while the buffer is live; at least those in which
   it can lie. */
void placing_visit_gaps(struct placing *placing, uint32_t buffer, placing_visit *visit,
                        void *context);

#endif
