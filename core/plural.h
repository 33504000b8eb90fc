#ifndef MEMPLAN_CORE_PLURAL_H
#define MEMPLAN_CORE_PLURAL_H

#include <stdint.h>

/* The ending of a noun behind its number: "%u job%s", jobs, plural_ending(jobs). */
static inline const char *plural_ending(uint64_t count)
{
    return count == 1 ? "" : "s";
}

#endif
