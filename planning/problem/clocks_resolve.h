#ifndef MEMPLAN_PLANNING_PROBLEM_CLOCKS_RESOLVE_H
#define MEMPLAN_PLANNING_PROBLEM_CLOCKS_RESOLVE_H

#include "planning/problem/problem.h"

/* Replaces *problem, not yet finished, whose buffers all have clocks and no segments, by one with
   the segments that say the same; *problem stays as it is where buffers have no clocks. Streams
   that say nothing, or what another says, are dropped. The clocks of one stream are segments as
   they stand. Where one line of steps can say which buffers of several conflict, segments do and
   the clocks are dropped; else all pairs that conflict become conflict steps, as explicit conflicts
   do, with one for the heaviest antichain, so that the load is the most that buffers which all
   conflict have together; and the clocks stay. Where the pairs are more than 2^20, the clocks alone
   stay: see problem_is_by_clocks. O(buffers * streams * (chains + log buffers) + pairs log
   pairs) and the flow of the antichain, see precedence.h and antichain.h. */
enum status problem_clocks_resolve(struct problem **problem, struct error *error);

/* Of a problem, not finished, that was made of a resolved one by leaving out buffers or changing
   their sizes: the heaviest antichain may be another one then, so its step is found again.
   *problem is replaced where it has clocks and no step has as many bytes live. The costs are those
   of the antichain. */
enum status problem_clocks_raise_load(struct problem **problem, struct error *error);

#endif
