#ifndef MEMPLAN_DMA_PLANNED_SCHEDULE_PROBLEM_H
#define MEMPLAN_DMA_PLANNED_SCHEDULE_PROBLEM_H

#include "dma/planned/schedule.h"

/* Makes a problem of a schedule: first the buffers of the tensors, then one buffer for the weights
   of each weighted operator. The caller frees it. */
enum status schedule_problem(const struct schedule_space *space, const uint32_t *start,
                             struct problem **problem, struct error *error);

/* The load of that problem, which is the most bytes that are live at one step, found without making
   the problem. O(graph). */
enum status schedule_load(const struct schedule_space *space, const uint32_t *start,
                          uint64_t *load_bytes, struct error *error);

#endif
