#ifndef MEMPLAN_HEURISTICS_ORDER_SEARCH_OMNI_WALK_H
#define MEMPLAN_HEURISTICS_ORDER_SEARCH_OMNI_WALK_H

#include "heuristics/order_search/order_search.h"

/* OmniMalloc (Peddinghaus, 2025, src/cpp/allocators/local_search.cpp, simulated_annealing.cpp and
   tabu_search.cpp): walks over orders from largest first. A move exchanges a random buffer that
   ends at the peak with a random one that conflicts with it and stands before it, or where there is
   none with any before it; a first buffer that is chosen has no move, and the turn passes.

   Annealing accepts a peak that is no higher, and one that is p percent higher with the probability
   exp(-p / temperature); the temperature is multiplied by the cooling after each turn. Hill
   climbing is annealing at temperature 0.

   Tabu search draws a number of moves in each turn and makes the one with the lowest peak (the
   first of equals), whether it is lower than the present one or not. A pair of buffers that was
   exchanged is not to be exchanged again in the tenure - 1 turns that follow, unless that gives the
   lowest peak ever; a move made against that rule does not renew it.

   Departures: the draw against the probability comes before the order is tried, so that placing
   can stop at the highest peak it accepts; the temperature and the cooling are whole thousandths
   and millionths. */
extern const struct order_search_rule omni_annealing_rule, omni_hill_climb_rule, omni_tabu_rule;
extern const struct planner_option omni_annealing_options[], omni_hill_climb_options[],
    omni_tabu_options[];

#endif
