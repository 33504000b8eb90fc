#ifndef MEMPLAN_HEURISTICS_ALLOCATORS_RELAX_H
#define MEMPLAN_HEURISTICS_ALLOCATORS_RELAX_H

#include "planning/problem/problem.h"

/* The objects of TVM Relax's StaticPlanBlockMemory, each for one buffer at a time, for sizes
   size[buffers]. With same[buffers], in which buffers whose sizes are the same expression have the
   same number, only such buffers share one; without it, sizes are known, and an object may be up to
   16 times too large, or grow up to 16 times. Fills offset[buffers] and the bytes of all objects,
   which lie end to end. No buffer is fixed. STATUS_BAD_INPUT where these are more than 2^63 - 1.
   O(buffers * objects). */
enum status relax_place_sizes(const struct problem *problem, const uint32_t *same,
                              const uint64_t *size, uint64_t *offset, uint64_t *pool_bytes,
                              struct error *error);

#endif
