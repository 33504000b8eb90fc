#ifndef MEMPLAN_PLANNING_VERIFY_COPIES_H
#define MEMPLAN_PLANNING_VERIFY_COPIES_H

#include "planning/verify/writes.h"

/* Values that operators with regions move into places of their own, all of one step as if at once,
   except those that lie there already. */

/* The results of an If, where this branch was taken. walk->needs has what is needed after the If,
   without its results. O(results * (occupied + results)) unless values overlap that do so on some
   paths only. */
enum status verify_check_leave(struct verify_walk *walk, uint32_t o, uint32_t region);
/* The arguments of a loop from its inits, where walk->needs has what is needed once it is entered,
   the arguments too, against that and what else is read at that step. */
enum status verify_check_enter(struct verify_walk *walk, uint32_t o);
/* And from its yields, where walk->needs has what is needed after a turn, the arguments too. */
enum status verify_check_turn_end(struct verify_walk *walk, uint32_t o);

#endif
