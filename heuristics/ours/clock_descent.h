#ifndef MEMPLAN_HEURISTICS_OURS_CLOCK_DESCENT_H
#define MEMPLAN_HEURISTICS_OURS_CLOCK_DESCENT_H

#include "heuristics/ours/trials.h"

/* The descent for problems of clocks alone. These have no sections to dive by, so it tries orders
   themselves. It begins with the best of those orders that need no line of steps. Each trial moves
   the buffer that ends highest to an earlier position in the best order, makes some other
   exchanges, and keeps the order if its peak is lower. It ends when the trials are over, or when
   `iterations` iterations in a row found no lower peak; without a time limit that is at most as
   many iterations as place some 10^5 buffers. */
enum status clock_descent_run(const struct planner_task *task, struct trials *trials,
                              uint64_t iterations, struct error *error);

#endif
