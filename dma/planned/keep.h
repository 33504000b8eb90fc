#ifndef MEMPLAN_DMA_PLANNED_KEEP_H
#define MEMPLAN_DMA_PLANNED_KEEP_H

#include "dma/planned/search.h"

/* Keeps weights on the chip while a loop makes its turns (dma/planned/schedule.h). That takes
   memory throughout the loop and saves all transfers but one. Weights are tried one after another,
   around each loop that they are in; those that save most time for each byte come first; the starts
   of all transfers in the loop and before it are searched again each time. A change stays if it
   makes the whole graph faster. */

/* Whether any weights are needed in more than one turn of a loop. O(graph). */
bool schedule_may_keep(const struct schedule_space *space);

/* start[space->places] is a schedule without early operators and becomes one that takes no longer;
   *kept says whether it keeps any weights. The greatest load of any step stays within the goal's
   capacity, or within its former value where that was larger. O(graph) plus a search of the loop's
   regions, for each weighted operator and each loop around it. */
enum status schedule_keep(const struct schedule_space *space, const struct schedule_goal *goal,
                          uint32_t *start, bool *kept, struct error *error);

#endif
