#ifndef MEMPLAN_HEURISTICS_POOLS_GE_RANGES_H
#define MEMPLAN_HEURISTICS_POOLS_GE_RANGES_H

#include <stdint.h>

#include "core/scratch.h"

/* The binary ranges of CANN GE's BinaryBlockMemAssigner: ceilings to which sizes are rounded up so
   that blocks become equal. With k = ceil(log2(largest / 512 or the smallest)) ranges, the topmost
   takes what is above half the largest (+ 512), the next what is above a quarter and so on; what
   remains after k - 1 ranges has none. A range with fewer than count / k sizes joins the next
   larger one, unless it has two of 8 MiB or more; its ceiling is the largest size in it. */
enum { GE_RANGES_MOST = 64 };

/* Finds the ranges of size[count], at least one size in any order. Fills `ceilings` in ascending
   order and *ranges, which may become 0. O(count log count). */
enum status ge_ranges(const uint64_t *size, uint32_t count, uint64_t ceilings[GE_RANGES_MOST],
                      uint32_t *ranges, struct scratch *scratch, struct error *error);

/* The lowest ceiling that is not below the size; the size itself where it is above all ceilings. */
uint64_t ge_ranges_round(const uint64_t *ceilings, uint32_t ranges, uint64_t size);

#endif
