#ifndef MEMPLAN_PLANNING_PROBLEM_SEGMENTS_H
#define MEMPLAN_PLANNING_PROBLEM_SEGMENTS_H

#include "planning/problem/problem.h"
#include <stdbool.h>

/* Segments of a buffer that adjoin and use the same window are joined, so that equal problems have
   equal segments. */

/* The latest segment of the problem's last buffer. It is not added yet, since the next segment may
   be joined to it. Zero-initialise it for each buffer. */
struct segment_joiner {
    bool pending;
    struct problem_segment segment;
};

/* Adds a segment as problem_add_segment does; its errors may be reported only with the next
   segment. */
enum status segments_join(struct segment_joiner *joiner, struct problem *problem,
                          struct problem_segment added, struct error *error);
/* Adds the pending segment. To be called after the last segment of each buffer. */
enum status segments_end(struct segment_joiner *joiner, struct problem *problem,
                         struct error *error);

/* Adds segments to the problem's last buffer: at each step the largest window of the `count` given
   segments, which may overlap and be in any order. All windows begin at 0. Reorders the given
   segments. O(count log count). */
enum status segments_add(struct problem *problem, struct problem_segment *segment, uint32_t count,
                         struct error *error);

#endif
