#ifndef MEMPLAN_PLANNING_PROBLEM_JOINED_SEGMENTS_H
#define MEMPLAN_PLANNING_PROBLEM_JOINED_SEGMENTS_H

#include <stdbool.h>

#include "planning/problem/problem.h"

/* Adds segments to the last buffer of a problem, joining those that adjoin and use the same window,
   so that equal problems have equal segments. Zero-initialise it for each buffer. */
struct problem_segments {
    bool pending;
    uint32_t lower, upper;
    uint64_t window_lower, window_upper;
};

/* As problem_add_segment, whose checks may speak up one segment later. */
enum status problem_segments_add(struct problem_segments *segments, struct problem *problem,
                                 uint32_t lower, uint32_t upper, uint64_t window_lower,
                                 uint64_t window_upper, struct error *error);
enum status problem_segments_end(struct problem_segments *segments, struct problem *problem,
                                 struct error *error);

#endif
