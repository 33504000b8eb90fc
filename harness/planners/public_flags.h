#ifndef MEMPLAN_HARNESS_PLANNERS_PUBLIC_FLAGS_H
#define MEMPLAN_HARNESS_PLANNERS_PUBLIC_FLAGS_H

#include <stdint.h>

/* Flags of planners (enum planner_flag) as include/memplan/types.h has them (enum memplan_flag),
   and back. What the other side does not know is left out. */
uint32_t public_flags_from(unsigned flags);
unsigned public_flags_to(uint32_t flags);

#endif
