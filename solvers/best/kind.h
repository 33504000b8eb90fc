#ifndef MEMPLAN_SOLVERS_BEST_KIND_H
#define MEMPLAN_SOLVERS_BEST_KIND_H

#include "solvers/best/state.h"

/* The threads that the task allows, at least 1. */
uint32_t best_threads(const struct best *best);

/* The number of different sizes, BEST_MOST_SIZES where there are more. O(buffers * that). */
enum { BEST_MOST_SIZES = 16 };
uint32_t best_count_sizes(const struct problem *problem);

/* How many overlapping pairs the search of the hot windows may hold. While the exact search of the
   whole problem is running, half of the memory is left to that. */
uint64_t best_count_affordable_pairs(const struct best *best);

/* Sets best->free_percent, and best->kind, except that windows decide the peak, which their first
   step finds out. *pairs overlap in the problem; the exact search of the whole may hold
   *most_pairs. O(segments log segments). */
enum status best_find_kind(struct best *best, uint64_t *pairs, uint64_t *most_pairs);

#endif
