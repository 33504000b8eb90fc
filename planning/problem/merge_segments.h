#ifndef MEMPLAN_PLANNING_PROBLEM_MERGE_SEGMENTS_H
#define MEMPLAN_PLANNING_PROBLEM_MERGE_SEGMENTS_H

#include "planning/problem/problem.h"

/* A buffer uses its first bytes from the step `lower` on to before `upper`. */
struct segment {
    uint32_t lower, upper;
    uint64_t bytes;
};

/* Adds to the problem's last buffer what `count` segments, in any order and overlapping, use
   together: at each step the most that any of them uses. Reorders them. O(count log count). */
enum status segments_add(struct problem *problem, struct segment *segment, uint32_t count,
                         struct error *error);

#endif
