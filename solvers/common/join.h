#ifndef MEMPLAN_SOLVERS_COMMON_JOIN_H
#define MEMPLAN_SOLVERS_COMMON_JOIN_H

#include "core/scratch.h"
#include "planning/plan/planner.h"
#include "planning/problem/problem.h"

/* Problems whose buffers fall into parts such that every two buffers of different parts conflict.
   In any plan the parts use different addresses, and each part, compressed to the addresses that it
   uses, is a plan of its own; so the least peak is the sum of the least peaks of the parts, and the
   sum of their bounds is a bound. Parts are the components of the complement of the conflicts. */
struct join_parts {
    uint32_t count;
    uint32_t *first;  /* [count + 1] into buffer */
    uint32_t *buffer; /* [buffers] part by part, ascending in each */
    struct scratch memory;
};

/* Finds the parts. There is one part where the problem does not fall apart, where it has fixed
   offsets, windows or alignments that the sizes do not keep by themselves, or where it has more
   than most_pairs pairs of overlapping segments. O(buffers) for nearly all problems, which would
   not fall apart even if all buffers lived from their first step to their last; else O(segments log
   segments), with holes O(buffers + conflicts). The caller clears the parts, also after an
   error. */
enum status join_parts_find(const struct problem *problem, uint64_t most_pairs,
                            struct join_parts *parts, struct error *error);
void join_parts_clear(struct join_parts *parts); /* all zeroes is fine */

/* Plans a part, or a problem that is one part, as the function `plan` of a planner does. */
typedef enum status join_planner(const struct planner *planner, const struct planner_task *task,
                                 struct plan *plan, struct error *error);

/* Where the task asks for the least peak, plans its problem part by part and lays the parts one on
   another; where it asks for a capacity, plans it whole. Each part begins with its part of the
   task's start, and its share of the time left is in proportion to the square of its number of
   buffers. Measures that part_plan leaves to plan_complete are left to it here, too. */
enum status join_plan(const struct planner *planner, const struct planner_task *task,
                      join_planner *part_plan, struct plan *plan, struct error *error);

#endif
