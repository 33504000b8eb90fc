#ifndef MEMPLAN_HEURISTICS_ORDER_SEARCH_OMNI_TELAMALLOC_H
#define MEMPLAN_HEURISTICS_ORDER_SEARCH_OMNI_TELAMALLOC_H

#include "heuristics/order_search/order_search.h"

/* OmniMalloc's open reading of TelaMalloc (Peddinghaus, 2025, src/cpp/allocators/telamalloc.cpp;
   Maas et al., ASPLOS 2023). Buffers that no chain of conflicts connects make phases, planned one
   after another, highest load first. Each starts from the lower of first fit by duration, then size
   (on equal peaks) and by size, then duration, whose order is kept; then the capacity is searched
   by bisection between the load and the lowest peak; an attempt that gives up counts as proof.

   An attempt places the buffer that was evicted most, of equals the first in the order, at its
   lowest offset. Where that ends above the capacity, offset 0 and the places right above and right
   below each placed conflicting buffer are weighed by the bytes of what lies there, then the
   number, then the offset; one time in four a random one is taken instead of the least. What lies
   there is evicted. After as many evictions as four times the phase all of it is placed anew, the
   most evicted first; after 10000 (an option) the attempt gives up. Each attempt draws the same
   random numbers.

   Departures: fixed buffers belong to no phase and are never evicted, so that an attempt may give
   up because of them; places are moved up, or down below a buffer, to the alignment; a phase that
   starts no higher than the phases before it ended is left as it starts, which changes no peak. */
extern const struct order_search_rule omni_telamalloc_rule;
extern const struct planner_option omni_telamalloc_options[];

#endif
