#ifndef MEMPLAN_RESULTS_VIEWS_PROVERS_H
#define MEMPLAN_RESULTS_VIEWS_PROVERS_H

#include <stdbool.h>

/* Planners that prove, by name: tables set their proofs side by side and show all others by their
   gaps. tests/harness/planners/test_registry.c holds the names against the planners. */
unsigned provers_count(void);
const char *provers_name(unsigned index);
bool provers_have(const char *planner);

#endif
