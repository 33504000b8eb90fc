#ifndef MEMPLAN_PLANNING_PROBLEM_SEGMENTS_H
#define MEMPLAN_PLANNING_PROBLEM_SEGMENTS_H

#include "planning/problem/problem.h"
#include <stdbool.h>

/* Segments of a buffer, made equal for equal problems: those that adjoin and use the same window
   are one. */

/* The segment of the problem's last buffer that the next one may still go on with. Zero-initialise
   it for each buffer. */
struct segment_joiner {
    bool pending;
    struct problem_segment segment;
};

/* As problem_add_segment, whose checks may speak up one segment later. */
enum status segments_join(struct segment_joiner *joiner, struct problem *problem,
                          struct problem_segment added, struct error *error);
/* Adds what is pending; after the last segment of a buffer. */
enum status segments_end(struct segment_joiner *joiner, struct problem *problem,
                         struct error *error);

/* Adds to the problem's last buffer what `count` segments, in any order and overlapping, use
   together: at each step the most that any of them uses. The windows of all begin at 0. Reorders
   them. O(count log count). */
enum status segments_add(struct problem *problem, struct problem_segment *segment, uint32_t count,
                         struct error *error);

#endif
