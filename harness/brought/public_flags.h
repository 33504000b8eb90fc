#ifndef MEMPLAN_HARNESS_BROUGHT_PUBLIC_FLAGS_H
#define MEMPLAN_HARNESS_BROUGHT_PUBLIC_FLAGS_H

#include <stdint.h>

/* Convert between the flags of planners inside the program (enum planner_flag) and those of
   include/memplan/types.h (enum memplan_flag). Flags that the other side does not know are
   dropped. */
uint32_t public_flags_from(unsigned flags);
unsigned public_flags_to(uint32_t flags);

#endif
