#ifndef MEMPLAN_CORE_CLOCK_H
#define MEMPLAN_CORE_CLOCK_H

#include <stdint.h>

/* Nanoseconds of a clock that never goes back; only differences mean something. */
uint64_t clock_monotonic_ns(void);

/* Nanoseconds that this thread has computed, which other load of the machine does not change. */
uint64_t clock_thread_ns(void);

/* When a time limit that starts now is over; UINT64_MAX where there is none. */
uint64_t clock_deadline_ns(uint64_t limit_ns);

/* How long until the deadline: 0 once it is reached, UINT64_MAX where there is none. */
uint64_t clock_left_ns(uint64_t deadline_ns);

#endif
