#ifndef MEMPLAN_PLANNING_PROBLEM_EXPLICIT_CONFLICTS_H
#define MEMPLAN_PLANNING_PROBLEM_EXPLICIT_CONFLICTS_H

#include "planning/problem/pair.h"

/* Conflicts that do not follow from time: pairs of buffers that must not share memory whatever
   their segments. They become steps behind the last one (see line_end in problem.h). At each such
   step a set of buffers is live that all conflict with each other, in time or by a pair, and
   together the steps have all pairs:

       pairs a-c and a-d           step  0 1 2 3 | 4
                                   a     X . . . | X
                                   b     . X . . | .
                                   c     . . X X | X
                                   d     . . . X | X   c and d are live together at step 3
                                      line_end = 4 */

/* Replaces *problem, not yet finished, by one in which the pairs conflict too. The pairs are put in
   order and may repeat; a pair of a buffer with itself is STATUS_BAD_INPUT. A buffer that has no
   segment and is in no pair gets a step of its own. Without new steps the problem stays as it is.
   O(p log p) for p pairs of buffers of few segments, and the problem's size. */
enum status problem_conflicts_add(struct problem **problem, struct problem_pair *pair, size_t pairs,
                                  struct error *error);

/* Replaces *problem by one with one more step behind the last, at which the given buffers are live:
   member[count] in rising order, which all conflict already. So the load is at least the sum of
   their bytes. O(the problem's size). */
enum status problem_clique_add(struct problem **problem, uint32_t *member, uint32_t count,
                               struct error *error);

/* Whether every buffer that is live at a conflict step uses all of its bytes there, so that pairs
   can say which buffers conflict at these steps. O(segments). */
bool problem_conflicts_are_pairs(const struct problem *problem);

/* Lists the pairs that conflict at some conflict step, and at no time step with all their bytes, in
   rising order. problem_conflicts_are_pairs has to hold. The caller frees the pairs with
   memory_free. O(sum of squares of the live sets of the conflict steps). */
enum status problem_conflicts_list(const struct problem *problem, struct problem_pair **pair,
                                   size_t *pairs, struct error *error);

#endif
