#ifndef MEMPLAN_CLI_DMA_DMA_PLANNED_H
#define MEMPLAN_CLI_DMA_DMA_PLANNED_H

#include "cli/arguments/command.h"
#include "cli/output/json.h"
#include "datasets/instance.h"
#include "dma/planned/front.h"
#include "dma/run.h"

/* The mode planned, with one of our planners. The front holds on to what the run has, so it is
   freed first. */

/* Adds regions and costs to a run and makes the front of its graph. Searching over starts and all
   plans each take the time limit at most. */
enum status dma_planned_search(const struct arguments *arguments, const struct planner *planner,
                               const struct hardware *hardware, const struct instance *instance,
                               const struct transfer_mode *mode, struct transfer_run *run,
                               struct planned_front **front, struct error *error);

/* The peak of the tensors alone by the same planner. */
enum status dma_planned_arena(const struct arguments *arguments, const struct planner *planner,
                              const struct planned_front *front, uint64_t *arena_bytes,
                              struct error *error);

/* Completes the run with the program of a point. */
enum status dma_planned_take(const struct planned_front *front, const struct planned_point *point,
                             struct transfer_run *run, struct error *error);

/* The front as facts of the object that is open, and for people. */
void dma_planned_add(const struct planned_front *front, struct json_tree *facts);
void dma_planned_print(const struct planned_front *front);

#endif
