#ifndef MEMPLAN_PLANNING_VERIFY_STREAMS_PAIRS_H
#define MEMPLAN_PLANNING_VERIFY_STREAMS_PAIRS_H

#include "planning/plan/placement.h"

/* Decides whether on some way through a graph of several streams two tensors share bytes although
   neither is before the other. For each pair of tensors on the same bytes it searches for such a
   way (pairs.c), instead of going through all ways. */
enum stream_pairs_answer {
    STREAM_PAIRS_APART,   /* on no way */
    STREAM_PAIRS_OVERLAP, /* on the way that was found */
    STREAM_PAIRS_UNKNOWN, /* it would take too long to know */
};

/* Every tensor in the arena has a place. way: [operators] as in planning/graph/ways.h.
   O(tensors * steps) and what the searches take. */
enum status stream_pairs_decide(const struct graph *graph, const struct placement *placement,
                                uint32_t *way, enum stream_pairs_answer *answer,
                                struct error *error);

#endif
