#ifndef MEMPLAN_HEURISTICS_ORDER_SEARCH_USMP_H
#define MEMPLAN_HEURISTICS_ORDER_SEARCH_USMP_H

#include "heuristics/common/order.h"
#include "heuristics/order_search/order_search.h"

/* TVM USMP's hill_climb (src/tir/usmp/algo/hill_climb.cc). Starts from the order of greedy_by_size:
   largest first, then most conflicts, then the greater name. Each attempt places the present order
   by first fit. A lower peak than that of the last accepted attempt is accepted; one that is no
   lower with a chance of floor(floor(50 * (peak - last) / peak) / attempt) percent, which is none
   when the peaks are equal. It ends when an accepted peak is the load.

   Then one of the buffers that end at the accepted peak is drawn. Candidates of the first kind
   conflict with it and stand before it; of the second kind, for each buffer that conflicts with it,
   those that conflict with that one and stand before that one, as often as they are found. One of
   the first kind changes places with one of the second kind (74 of 100, if there is one) or of the
   first kind; without one of the first kind, or where both are the same, nothing changes.

   As published, the accepted attempt is what counts, so that a worse plan replaces a better one,
   and after a refused attempt the pair exchanged last is exchanged back even if that exchange was
   no part of this attempt: an attempt that changed nothing is refused, as its peak is equal, and
   takes back an older exchange. The order that gives the accepted peak may so be lost; the peak's
   buffers are those of the accepted plan all the same. The fixed variant makes the same attempts
   but returns the lowest peak of them.

   Departures: one pool of any size; offsets are aligned by the buffer's own alignment where the
   source rounds the ends of the others by theirs; no candidates are fixed buffers. */
enum usmp_climb_variant { USMP_CLIMB_PUBLISHED, USMP_CLIMB_BEST };

extern const struct order_search_rule usmp_climb_rule, usmp_climb_best_rule;
extern const struct planner_option usmp_climb_options[];

/* Whether the source accepts a peak after attempts (at least 1) against the last accepted one, for
   a number drawn from 0 to 99. */
bool usmp_climb_accepts(uint64_t peak_bytes, uint64_t accepted_bytes, uint64_t attempt,
                        uint64_t drawn);

#endif
