#ifndef MEMPLAN_PLANNING_PROBLEM_EXPLICIT_CONFLICTS_H
#define MEMPLAN_PLANNING_PROBLEM_EXPLICIT_CONFLICTS_H

#include "planning/problem/pair.h"

/* Conflicts that the order of time does not say: pairs of buffers that must not share memory
   whatever their segments. They become steps behind the last one (see line_end in problem.h), each
   a set of buffers that conflict pairwise, in time or by a pair, so that all pairs are covered:

       pairs a-c and a-d           step  0 1 2 3 | 4
                                   a     X . . . | X
                                   b     . X . . | .
                                   c     . . X X | X
                                   d     . . . X | X   c and d are live together at step 3
                                      line_end = 4  */

/* Replaces *problem, not yet finished, by one in which the pairs conflict too. The pairs are put in
   order and may repeat; a pair of a buffer with itself is STATUS_BAD_INPUT. Buffers that have no
   segment get a step, of their own if they are in no pair. Without new steps the problem stays as
   it is. O(p log p) for p pairs of buffers of few segments, and the problem's size. */
enum status problem_conflicts_add(struct problem **problem, struct problem_pair *pair, size_t pairs,
                                  struct error *error);

/* Replaces *problem by one with one more step behind the last: of these members, [count] rising
   buffers that all conflict already. So the load says how much they have together.
   O(the problem's size). */
enum status problem_clique_add(struct problem **problem, uint32_t *member, uint32_t count,
                               struct error *error);

/* All bytes of every buffer that is live at a step from line_end on are in use there: pairs can say
   what conflicts at these steps. O(segments). */
bool problem_conflicts_are_pairs(const struct problem *problem);

/* Lists the pairs that conflict at some conflict step, and at no time step with all their bytes, in
   rising order. The problem is one for which problem_conflicts_are_pairs. The caller frees the
   pairs with memory_free. O(sum of squares of the live sets of the conflict steps). */
enum status problem_conflicts_list(const struct problem *problem, struct problem_pair **pair,
                                   size_t *pairs, struct error *error);

#endif
