#ifndef MEMPLAN_SOLVERS_EXACT_ASK_HELPER_H
#define MEMPLAN_SOLVERS_EXACT_ASK_HELPER_H

#include "solvers/exact/incumbent.h"

/* Runs the helper of the incumbent's task, which has one, for limit_ns at the most and with the
   seed given, and takes its plan where that is valid and better. Costs what the helper costs. */
enum status exact_ask_helper(struct exact_incumbent *incumbent, uint64_t seed, uint64_t limit_ns,
                             struct error *error);

#endif
