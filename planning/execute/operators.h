#ifndef MEMPLAN_PLANNING_EXECUTE_OPERATORS_H
#define MEMPLAN_PLANNING_EXECUTE_OPERATORS_H

#include "planning/execute/values.h"

/* What running one operator does to the values. Each is false, and says in execution what was
   found, where a tensor was damaged. */

/* Runs an operator without regions. */
bool execute_plain(struct execute_run *run, uint32_t o);
/* What operators with regions move when a branch is left, and when a loop is entered, has ended a
   turn and is left. */
bool execute_leave_branch(struct execute_run *run, uint32_t o, uint32_t region);
bool execute_enter_loop(struct execute_run *run, uint32_t o);
bool execute_end_turn(struct execute_run *run, uint32_t o);
bool execute_leave_loop(struct execute_run *run, uint32_t o);

#endif
