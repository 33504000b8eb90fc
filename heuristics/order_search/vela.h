#ifndef MEMPLAN_HEURISTICS_ORDER_SEARCH_VELA_H
#define MEMPLAN_HEURISTICS_ORDER_SEARCH_VELA_H

#include "heuristics/order_search/order_search.h"

/* Arm Vela's hill climb (ethos-u-vela, ethosu/vela/hillclimb_allocation.py), and with regor=1 the
   one of its successor (regor, hillclimb_allocator.cpp). Starts from vela_order.h.

   The bottleneck is the first buffer that ends highest. The turns (positions in the order) of it
   and of all that conflict with it, and of what each of these rests on, down to offset 0, are
   listed. One turn is drawn from those whose buffer does not conflict with the bottleneck (30 of
   101, if there are any) or from all; another from all but the last listed (Regor: from all); the
   last listed instead of it when both are the same. The two buffers change places. When the peak
   has not fallen for more than 50 iterations (Regor: 25), the list grows by the turns of all that
   conflict with those drawn from first (Regor: of all that the bottleneck is connected to), and
   two more of it change places (Regor: the last one if both are the same).

   A peak that is no higher is accepted; placing stops at a higher one, and the best order returns.
   Vela, but not Regor, then still looks at the plan it stopped in: offsets, turns and what rests on
   what are the stopped plan's as far as it came and older beyond. It ends at the greatest urgency;
   or when the capacity of the task is met (which needs none when there is no capacity) and 500
   iterations brought no lower peak (Regor: more than 5000); or after 99999 iterations.
   Regor rounds sizes up to the alignment.

   Departures: what a buffer rests on, where several would do, is as in evaluate.h and not the one
   that Vela's scan came to last; the listing follows the order in which conflicts are kept;
   offsets rest on fixed buffers, but these have no turn; of plans with the same peak the first is
   returned. */
extern const struct order_search_rule vela_climb_rule;
extern const struct planner_option vela_climb_options[];

#endif
