#ifndef MEMPLAN_DMA_PLANNED_EARLY_H
#define MEMPLAN_DMA_PLANNED_EARLY_H

#include "dma/planned/search.h"

/* Makes weighted operators early (dma/planned/schedule.h): their transfers start before the branch
   of an If is entered, before an If is left, or before the next turn of a loop. A transfer that is
   started in vain costs channel time and memory on the other paths. Region after region makes one
   more of its operators early, at the places that save most, and searches its other starts again,
   as long as that makes the expected time shorter, or the worst time where the expected one stays
   the same. */

/* start[space->places] is a schedule without early operators and becomes one that takes no longer;
   *early says whether it has some. The greatest load of any step stays within the goal's capacity,
   or within its former value where that was larger. O(graph) for each place tried. */
enum status schedule_start_early(const struct schedule_space *space,
                                 const struct schedule_goal *goal, uint32_t *start, bool *early,
                                 struct error *error);

#endif
