#ifndef MEMPLAN_RESULTS_PROVERS_H
#define MEMPLAN_RESULTS_PROVERS_H

#include <stdbool.h>

/* Planners whose proofs tables set side by side; all others are shown by their gaps. */
unsigned provers_count(void);
const char *provers_name(unsigned index);
bool provers_have(const char *planner);

#endif
