#ifndef MEMPLAN_PLANNING_EXECUTE_MOVES_CLOCK_H
#define MEMPLAN_PLANNING_EXECUTE_MOVES_CLOCK_H

#include "planning/moves/plan.h"

/* The stay of the item that a step writes it into, or reads it from: MEMORY_NONE for none. A copy
   that was made in a region is there only in that region. O(stays). */
uint32_t execute_moves_find(const struct move_problem *problem, const struct move_plan *plan,
                            uint32_t step, uint32_t item, bool is_write);

/* Lists the transfers that start before a step, in the order in which they do; starting[stays].
   Returns how many there are. O(stays + starts^2). */
uint32_t execute_moves_list(const struct move_plan *plan, uint32_t step, uint32_t *starting);

/* The time of a plan in which every access finds a stay: what one run of each section takes, of one
   processor and one channel that carries one transfer after another, as often as it runs.
   STATUS_BAD_INPUT where that is 2^62 thousandths of ns or more. O(steps * stays + accesses *
   stays). */
enum status execute_moves_time(const struct move_problem *problem, const struct move_plan *plan,
                               uint64_t *time, struct error *error);

#endif
