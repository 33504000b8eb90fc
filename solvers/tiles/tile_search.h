#ifndef MEMPLAN_SOLVERS_TILES_TILE_SEARCH_H
#define MEMPLAN_SOLVERS_TILES_TILE_SEARCH_H

#include "solvers/exact/solve.h"

/* A search for problems in which nearly all bytes are live at each step: it joins buffers to tiles
   (tiles.h), and the exact search looks for a plan of the few tiles that are left. The surest tiles
   are joined first. Where no more can be joined, some tiles near one that is left are taken apart
   and joined in another way, which stays if no more tiles are left then. It finds plans and proves
   nothing. */
struct tile_search;

/* Whether the incumbent's problem can be searched. O(1). */
bool tile_search_can(const struct exact_incumbent *incumbent);

/* The incumbent, whose problem can be searched, and error, to which later calls write, stay the
   caller's and must outlive it. O(buffers log buffers). */
enum status tile_search_create(struct exact_incumbent *incumbent, uint32_t threads,
                               struct tile_search **search, struct error *error);
void tile_search_free(struct tile_search *search); /* NULL is fine */
SCOPED_POINTER(struct tile_search, tile_search_release, tile_search_free);

/* Joins tiles for half of the time up to the pause, and searches for plans of what is left in the
   other half. *advanced: another call may find a better plan. */
enum status tile_search_advance(struct tile_search *search, const struct exact_slice *slice,
                                bool *advanced);

/* Whether so few tiles are left that a plan of them is likely to be found. */
bool tile_search_is_sure(const struct tile_search *search);

#endif
