#ifndef MEMPLAN_PLANNING_VERIFY_COPIES_H
#define MEMPLAN_PLANNING_VERIFY_COPIES_H

#include "planning/verify/writes.h"

/* Values that operators with regions move into places of their own, all of one step as if at once,
   except those that lie there already. */

/* Checks the copies into the results of an If, where this branch was taken. walk->needs has what is
   needed after the If, without its results. O(results * (occupied + results)) unless values overlap
   that do so on some paths only. */
enum status verify_check_leave(struct verify_walk *walk, uint32_t o, uint32_t region);
/* Checks the copies of a loop's inits into its arguments, against what is read at that step and
   what walk->needs has: what is needed once the loop is entered, the arguments too. */
enum status verify_check_enter(struct verify_walk *walk, uint32_t o);
/* Checks the copies of a loop's yields into its arguments, where walk->needs has what is needed
   after a turn, the arguments too. */
enum status verify_check_turn_end(struct verify_walk *walk, uint32_t o);

#endif
