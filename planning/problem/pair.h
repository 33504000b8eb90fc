#ifndef MEMPLAN_PLANNING_PROBLEM_PAIR_H
#define MEMPLAN_PLANNING_PROBLEM_PAIR_H

#include "planning/problem/problem.h"

/* Two buffers of a problem. */
struct problem_pair {
    uint32_t first, second;
};

/* The segment uses all bytes of the buffer whose segment it is. */
bool problem_segment_is_whole(const struct problem *problem, uint32_t buffer, uint32_t segment);

/* At some step below end all bytes of both buffers, a and b, are in use. O(their segments). */
bool problem_conflicts_in_time(const struct problem *problem, uint32_t a, uint32_t b, uint32_t end);

#endif
