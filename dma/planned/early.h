#ifndef MEMPLAN_DMA_PLANNED_EARLY_H
#define MEMPLAN_DMA_PLANNED_EARLY_H

#include "dma/planned/search.h"

/* Makes weights early, see dma/planned/schedule.h: into the branches of an If, where what is
   started in vain costs channel time and memory on the other paths, into what follows an If, and
   into the turns of a loop. Region after region takes one more of its weights early, at the places
   that save most, and searches its other starts again, as long as that makes the expected time
   shorter, or the worst where that stays the same. */

/* start[prefetch->places] is a schedule without early weights and becomes one that takes no longer;
   *early says whether it has some. The greatest load of any step stays within the goal's capacity,
   or within what it was. O(graph) for each place tried. */
enum status prefetch_cross(const struct prefetch *prefetch, const struct prefetch_goal *goal,
                           uint32_t *start, bool *early, struct error *error);

#endif
