#ifndef MEMPLAN_HEURISTICS_ORDER_SEARCH_USMP_H
#define MEMPLAN_HEURISTICS_ORDER_SEARCH_USMP_H

#include <stdbool.h>
#include <stdint.h>

/* Whether USMP's hill climb accepts a peak after attempts (at least 1) against the last accepted
   one, for a number drawn from 0 to 99. */
bool usmp_accepts(uint64_t peak_bytes, uint64_t accepted_bytes, uint64_t attempt, uint64_t drawn);

#endif
