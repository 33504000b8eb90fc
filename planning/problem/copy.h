#ifndef MEMPLAN_PLANNING_PROBLEM_COPY_H
#define MEMPLAN_PLANNING_PROBLEM_COPY_H

#include "planning/problem/problem.h"

/* Adds a copy of a buffer of another problem, with its segments and its clock. Either all buffers
   come from problems with clocks of the same number of streams, or none comes from a problem with
   clocks. */
enum status problem_add_copy(struct problem *problem, const struct problem *source, uint32_t buffer,
                             struct error *error);

/* Replaces *problem by *created, a copy with other steps. The note and the expressions of sizes
   move over, the old problem is freed, and *created becomes NULL. */
void problem_replace(struct problem **problem, struct problem **created);

/* Makes a problem of some buffers of another one, in the order of the list, each at most once.
   line_end is not copied, nor are expressions of sizes. O(segments of these buffers). */
enum status problem_copy_part(const struct problem *source, const char *name,
                              const uint32_t *buffer, uint32_t count, struct problem **created,
                              struct error *error);

/* Makes the problem at a point of the parameters on which its sizes depend: a copy with the sizes
   there, without expressions. STATUS_USAGE where a size is below 1 or above 2^63 - 1. */
enum status problem_copy_at(const struct problem *family, const uint64_t *point,
                            struct problem **created, struct error *error);

#endif
