#ifndef MEMPLAN_RESULTS_VIEWS_ROLES_H
#define MEMPLAN_RESULTS_VIEWS_ROLES_H

#include <stdbool.h>
#include <stdint.h>

/* Planners that tables and plots treat specially. They are known by name only, since results/ does
   not know planners; tests/harness/catalogue/test_registry.c checks that planners of these names
   exist. */

/* The planner that gives every buffer memory of its own. */
#define ROLES_NAIVE "naive"

/* The planners that prove optima, by name, or how their names begin: tables show their proofs side
   by side, and the gaps of all other planners. */
enum { ROLES_PROVERS = 5 };
#define ROLES_PROGRAMS "ilp_"
bool roles_is_prover(const char *planner);

/* The three strategies of Wang et al. 2025; results under every policy are shown for them.
   roles_find_strategy gives the index, ROLES_STRATEGIES for any other planner. */
enum { ROLES_STRATEGIES = 3 };
const char *roles_strategy(uint32_t index);
uint32_t roles_find_strategy(const char *planner);

#endif
