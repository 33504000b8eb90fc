#ifndef MEMPLAN_SOLVERS_EXACT_ASK_HELPER_H
#define MEMPLAN_SOLVERS_EXACT_ASK_HELPER_H

#include "solvers/exact/incumbent.h"

/* Which planner to ask, with which seed, and how long it may take. */
struct exact_question {
    const struct planner *helper;
    uint64_t seed, limit_ns;
};

/* Runs the helper on the incumbent's task, for limit_ns at the most and with the seed given, and
   takes its plan where that is valid and better. Costs what the helper costs. */
enum status exact_ask_helper(struct exact_incumbent *incumbent,
                             const struct exact_question *question, struct error *error);

#endif
