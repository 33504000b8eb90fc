#ifndef MEMPLAN_PLANNING_ARENA_OCCUPANCY_H
#define MEMPLAN_PLANNING_ARENA_OCCUPANCY_H

#include "planning/arena/fit.h"

/* The bytes that are taken at each step, for placing very many buffers one after another without
   lists of conflicts.

   The steps are cut into leaves in which about the same number of segments begin or end. A leaf
   keeps, by address, a list of the segments that begin or end inside it, and the union of the bytes
   of the segments that live through all of it. A tree over the leaves keeps for each of its nodes
   the union of the bytes of all segments that touch the leaves below. The bytes that a buffer may
   not use are then read from two leaves and O(log leaves) unions, and in dense plans these unions
   have few intervals. */
struct occupancy;

/* Nothing is taken. O(segments log segments) time, about 80 bytes for a segment. */
enum status occupancy_create(const struct problem *problem, struct occupancy **occupancy,
                             struct error *error);
void occupancy_free(struct occupancy *occupancy);
SCOPED_POINTER(struct occupancy, occupancy_release, occupancy_free);

/* Takes bytes [begin, end) at all steps at which the buffer is live. At most once for a buffer
   after occupancy_begin. */
enum status occupancy_take(struct occupancy *occupancy, uint32_t buffer, uint64_t begin,
                           uint64_t end, struct error *error);

/* Loads the memory that placing the buffer will read, while the one before it is placed. With
   orders that jump about in time most of the running time would otherwise be spent waiting
   for it. */
void occupancy_prefetch(const struct occupancy *occupancy, uint32_t buffer);

/* A walk over the gaps in which the buffer can lie; good until the next call for this occupancy. */
void occupancy_walk(struct occupancy *occupancy, uint32_t buffer, struct gap_walk *walk);

struct live_range;

/* As occupancy_create, for calls of occupancy_walk_ranges alone, with at most this number of
   ranges. */
enum status occupancy_create_for_ranges(const struct problem *problem, uint32_t ranges,
                                        struct occupancy **occupancy, struct error *error);

/* As occupancy_walk, but the buffer's own segments do not matter: it conflicts with what is live in
   the ranges, and with what the walk holds already. The walk is empty, or was made by another
   occupancy for a buffer with one segment. What lives through a range that is not complete may be
   passed over, since the walk holds it already. O(log leaves) for each range to find its leaves. */
void occupancy_walk_ranges(struct occupancy *occupancy, uint32_t buffer,
                           const struct live_range *range, uint32_t ranges, struct gap_walk *walk);

/* From now on the occupancy, which is one of lines->serial, keeps what is taken in on_lines too,
   which is one of lines->line. What a buffer may not use is then read from both. */
struct stream_lines;
void occupancy_join_lines(struct occupancy *occupancy, struct stream_lines *lines,
                          struct occupancy *on_lines);

/* Nothing is taken but the bytes of the fixed buffers: offset[problem->buffers] gets their offsets,
   and PROBLEM_FREE for the others. */
enum status occupancy_begin(struct occupancy *occupancy, uint64_t *offset, struct error *error);

/* The rule by which all buffers are placed one after another. */
struct occupancy_rule {
    const struct fit *fit;
    const uint32_t *sorted; /* [problem->buffers] their order */
    uint64_t most_bytes;    /* the highest peak of interest, UINT64_MAX for any */
    uint64_t deadline_ns;   /* when it stops as if the peak were too high; 0: never */
};

/* Calls occupancy_begin, then places the buffers that are not fixed. Stops as soon as the peak is
   above most_bytes, or at the deadline: then *peak_bytes is UINT64_MAX and offset[problem->buffers]
   means nothing. */
enum status occupancy_place_all(struct occupancy *occupancy, const struct occupancy_rule *rule,
                                uint64_t *offset, uint64_t *peak_bytes, struct error *error);

#endif
