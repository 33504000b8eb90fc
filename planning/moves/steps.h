#ifndef MEMPLAN_PLANNING_MOVES_STEPS_H
#define MEMPLAN_PLANNING_MOVES_STEPS_H

#include "planning/moves/problem.h"

/* Numbers the steps of the problem's graph, and fills what its fields say of each step.
   STATUS_BAD_INPUT where a step runs 2^40 times or more. O(graph). */
enum status move_steps_create(struct move_problem *problem, struct error *error);

#endif
