#ifndef MEMPLAN_PLANNING_PROBLEM_PAIR_H
#define MEMPLAN_PLANNING_PROBLEM_PAIR_H

#include "planning/problem/problem.h"

/* Two buffers of a problem. */
struct problem_pair {
    uint32_t first, second;
};

/* Whether the segment, one of the buffer's, uses all bytes of the buffer. */
bool problem_segment_is_whole(const struct problem *problem, uint32_t buffer, uint32_t segment);

/* Whether all bytes of both buffers, a and b, are in use at some step below `end`. O(their
   segments). */
bool problem_conflicts_in_time(const struct problem *problem, uint32_t a, uint32_t b, uint32_t end);

#endif
