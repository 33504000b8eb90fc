#ifndef MEMPLAN_HEURISTICS_SKYLINE_SKYLINE_H
#define MEMPLAN_HEURISTICS_SKYLINE_SKYLINE_H

#include "planning/plan/planner.h"

/* Best fit on a skyline: Sekiyama et al., "Profile-guided memory optimization for deep neural
   networks", arXiv 1804.10001, after the strip packing of Burke, Kendall and Whitwell, Oper. Res.
   52(4), 2004.

   The skyline is the upper edge of what is placed, in pieces of one height. Of its lowest piece,
   the earliest of several, the best of the buffers that live inside the piece is put on it; where
   none does, the piece rises to its lower neighbour. Nothing is ever put below the skyline. The
   paper takes the longest life as the best; largest size, largest area and earliest start are
   variants. Ties: longer, larger, earlier, first in the problem.

   Departures:
   - An aligned buffer lies at the next multiple above the piece, and a buffer that would touch a
     fixed one above that.
   - A buffer with holes is live from its first to its last step. */

enum skyline_best { SKYLINE_LONGEST, SKYLINE_LARGEST, SKYLINE_AREA, SKYLINE_EARLIEST };

/* planner->rule: which rules to try; the first of the lowest peaks wins. */
struct skyline_rule {
    enum skyline_best best[4];
    uint32_t count;
};

/* O(n log n + n sqrt n), mostly O(n log n); with f fixed buffers O(n f) more. */
enum status skyline_plan(const struct planner *planner, const struct planner_task *task,
                         struct plan *plan, struct error *error);

#endif
