#ifndef MEMPLAN_HEURISTICS_IDEALLOC_IDEALLOC_H
#define MEMPLAN_HEURISTICS_IDEALLOC_IDEALLOC_H

#include "planning/plan/planner.h"

/* idealloc: Lamprakos et al., arXiv 2504.04874, after
   its source, cappadokes/idealloc, coreba.

   The first plan is first fit of the largest, then longest buffers. Then, as long as the peak is
   above the load: buffers are boxed (heuristics/idealloc/boxing.h), the boxes opened to an order of
   the buffers, and the buffers placed in it by first fit; a strictly better plan is kept. Buffers
   of equal size are only coloured.

   Departures:
   - Ties, there those of a hash table or heap, are by position, and opened boxes come largest
   first.
   - Times are doubled, so that a buffer of one step can be live at a critical time.
   - Groups around critical times are divided so that the jobs of each are live at one time.
   - A buffer with holes is boxed as if it had none; the placement uses its holes.
   - Fixed buffers are not boxed, but placed before all others. */

/* Lives: how many boxings in a row may bring nothing. most_percent: of the load, at which to stop.
 */
extern const struct planner_option idealloc_options[];

/* Searches: each boxing costs O(n log^2 n) mostly, and a placement of all buffers. */
enum status idealloc_plan(const struct planner *planner, const struct planner_task *task,
                          struct plan *plan, struct error *error);

#endif
