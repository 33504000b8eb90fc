#ifndef MEMPLAN_SOLVERS_EXACT_WINDOWS_H
#define MEMPLAN_SOLVERS_EXACT_WINDOWS_H

#include "solvers/exact_search.h"

/* The search for models that are not orderable: two buffers may lie above each other in different
   sections, so that bottom-up placement with one distance for a pair does not do. It is slower but
   simple. Of the buffers that are not placed one with the least offset is placed there, or lies
   above; then its offset is one at which it rests on another, else it could go down. What a placed
   buffer forbids to another is a list of intervals, one for each section of both. */
struct exact_windows;

/* O(buffers^2 + forbidden intervals) memory. */
enum status exact_windows_create(const struct exact_model *model, struct exact_windows **windows,
                                 struct error *error);
void exact_windows_free(struct exact_windows *windows); /* NULL is fine */

/* As exact_race_run. O(placements * conflicts of all that is not placed). */
void exact_windows_run(struct exact_windows *windows, uint64_t capacity, uint64_t placements,
                       uint64_t deadline_ns, enum exact_outcome *outcome, uint64_t *offset,
                       uint64_t *excess);

/* Adds what all runs counted. */
void exact_windows_count(const struct exact_windows *windows, uint64_t counter[SEARCH_COUNTERS]);

#endif
