#ifndef MEMPLAN_HEURISTICS_ALLOCATORS_INDUCTOR_H
#define MEMPLAN_HEURISTICS_ALLOCATORS_INDUCTOR_H

#include "planning/problem/problem.h"

/* Inductor's pool for sizes that depend on parameters: the tree is made for the sizes of the
   problem, which are an example, and computed again for size[buffers], in which what was empty
   counts nothing. Fills offset[buffers] and the bytes of the pool. No buffer is fixed.
   STATUS_BAD_INPUT where the pool would have more than 2^63 - 1 bytes. */
enum status inductor_place_sizes(const struct problem *example, const uint64_t *size,
                                 uint64_t *offset, uint64_t *pool_bytes, struct error *error);

#endif
