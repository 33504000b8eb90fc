#ifndef MEMPLAN_PLANNING_ARENA_OCCUPANCY_H
#define MEMPLAN_PLANNING_ARENA_OCCUPANCY_H

#include "planning/arena/fit.h"

/* Which bytes are taken at which steps, for placing very many buffers one after another without
   lists of conflicts.

   The steps are cut into leaves in which about the same number of segments begin or end. A leaf
   keeps the segments that begin or end inside it one by one, by address, and the union of the bytes
   of those that live through all of it. Above, a tree keeps for each run of leaves the union of the
   bytes of all segments that touch it. What a buffer may not use is then read from two leaves and
   O(log leaves) unions, and unions of dense plans have few intervals. */
struct occupancy;

/* Nothing is taken. O(segments log segments) time, about 80 bytes for a segment. */
enum status occupancy_create(const struct problem *problem, struct occupancy **occupancy,
                             struct error *error);
void occupancy_free(struct occupancy *occupancy);

/* Takes bytes [begin, end) at all steps at which the buffer is live. At most once for a buffer
   between two calls of occupancy_clear. */
enum status occupancy_take(struct occupancy *occupancy, uint32_t buffer, uint64_t begin,
                           uint64_t end, struct error *error);
void occupancy_clear(struct occupancy *occupancy);

/* A walk over the gaps in which the buffer can lie; good until the next call for this occupancy. */
void occupancy_walk(struct occupancy *occupancy, uint32_t buffer, struct gap_walk *walk);

/* Gives the buffer the offset that the fit chooses and takes its bytes. STATUS_BAD_INPUT if it
   would end beyond 2^64. */
enum status occupancy_place(struct occupancy *occupancy, const struct fit *fit, uint32_t buffer,
                            uint64_t *offset, struct error *error);

/* Places all buffers: those with a fixed offset first, then the others in the order of
   sorted[problem->buffers]. */
enum status occupancy_place_all(struct occupancy *occupancy, const struct fit *fit,
                                const uint32_t *sorted, uint64_t *offset, struct error *error);

#endif
