#ifndef MEMPLAN_CORE_CLOCK_H
#define MEMPLAN_CORE_CLOCK_H

#include <stdint.h>

/* Nanoseconds of a clock that never goes back; only differences mean something. */
uint64_t clock_monotonic_ns(void);

#endif
