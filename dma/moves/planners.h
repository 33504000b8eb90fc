#ifndef MEMPLAN_DMA_MOVES_PLANNERS_H
#define MEMPLAN_DMA_MOVES_PLANNERS_H

#include "dma/moves/planner.h"

/* All planners of moves by name. */
uint32_t move_planner_count(void);
const struct move_planner *move_planner_at(uint32_t index);
const struct move_planner *move_planner_find(
    const char *name); /* NULL if no planner has this name */
enum status move_planner_refuse(const char *name, size_t length, struct error *error);

#endif
