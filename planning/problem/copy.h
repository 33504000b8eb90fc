#ifndef MEMPLAN_PLANNING_PROBLEM_COPY_H
#define MEMPLAN_PLANNING_PROBLEM_COPY_H

#include "planning/problem/problem.h"

/* Adds a copy of a buffer of another problem with its segments and its clock. All buffers are
   copies of problems with clocks of as many streams, or none is of a problem with clocks. */
enum status problem_add_copy(struct problem *problem, const struct problem *source, uint32_t buffer,
                             struct error *error);

/* Puts *created, a copy with other steps, in the place of *problem, whose note it takes over and
   which is freed; *created is NULL then. */
void problem_replace(struct problem **problem, struct problem **created);

/* Makes a problem of some buffers of another one, in the order of the list, each at most once.
   Where conflict steps begin is not copied. O(segments of these buffers). */
enum status problem_copy_part(const struct problem *source, const char *name,
                              const uint32_t *buffer, uint32_t count, struct problem **created,
                              struct error *error);

#endif
