#ifndef MEMPLAN_HEURISTICS_OURS_DESCENT_H
#define MEMPLAN_HEURISTICS_OURS_DESCENT_H

#include "heuristics/order_search/order_search.h"

/* Ours: a descent over ranks of the buffers. Ranks become an order by a dive from the bottom up
   (dive.h), and the order a plan by first fit. It starts from eight orders of the table under each
   rule of the dive; then again and again from one by chance, from where it exchanges a few ranks at
   a time, mostly of buffers live at the step at which the last dive rose too high, and keeps what
   late acceptance keeps (Burke and Bykov, "The late acceptance hill-climbing heuristic", EJOR 258,
   2017). What sections say about which buffer is next is Moffitt's (MiniMalloc, ASPLOS 2023),
   turned from a search for a capacity into one that minimises.

   plan->nodes counts dives and orders. Where the sections have too many members for dives, only the
   first fit plans of the eight orders are made. */
extern const struct order_search_rule descent_rule;
extern const struct planner_option descent_options[];

#endif
