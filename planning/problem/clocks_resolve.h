#ifndef MEMPLAN_PLANNING_PROBLEM_CLOCKS_RESOLVE_H
#define MEMPLAN_PLANNING_PROBLEM_CLOCKS_RESOLVE_H

#include "planning/problem/problem.h"

/* Gives segments to the buffers of *problem, which is not finished and whose buffers all have
   clocks and no segments; *problem is replaced. It stays as it is where buffers have no clocks.
   Streams that add nothing to the order of the buffers are dropped. Where one line of steps can say
   which buffers conflict, as always for one stream, the segments say it and the clocks are dropped.
   Else the clocks stay, and all pairs that conflict become conflict steps, like explicit conflicts;
   one more step has the heaviest antichain, so that the load is the most bytes of buffers that all
   conflict. With more than 2^20 pairs, only the clocks say which buffers conflict: see
   problem_is_by_clocks. O(buffers * streams * (chains + log buffers) + pairs log pairs) and the
   flow of the antichain, see precedence.h and antichain.h. */
enum status problem_clocks_resolve(struct problem **problem, struct error *error);

/* For a problem, not finished, that was made from a resolved one by leaving out buffers or changing
   their sizes. The heaviest antichain may have changed, so it is found again; *problem is replaced
   where it has clocks and no step has the bytes of the antichain live. Costs as antichain_find. */
enum status problem_clocks_raise_load(struct problem **problem, struct error *error);

#endif
