#ifndef MEMPLAN_PLANNING_LOWERING_STREAM_LEVEL_H
#define MEMPLAN_PLANNING_LOWERING_STREAM_LEVEL_H

#include "planning/lowering/level.h"

/* What the problem is made of. */
struct stream_level_source {
    const struct graph *graph;
    uint64_t alignment_bytes;    /* as in level_source */
    bool pool_per_stream;        /* tensors first written on different streams always conflict */
    const struct liveness *line; /* tensors that are live at no common step of this line never
                                    conflict; NULL for none */
};

/* The problem of all tensors of a graph whose operators run on several streams. Two buffers
   conflict exactly when stream_lifetimes_conflict says so on some way through the graph, with the
   bytes that they have on that way, or when their streams have different pools; where there is a
   line, they must also be live together at one of its steps. Where there are more than
   STREAM_LEVEL_MOST_WAYS ways, and looking at all pairs on each would take too long, the lifetimes
   of all ways at once are used, which may add conflicts: the level is cautious then. Without
   branches, loops and pools, clocks say all and the buffers have clocks. Buffers are in the order
   of definition. The level's liveness is NULL. O(ways * tensors^2 * streams). */
enum { STREAM_LEVEL_MOST_WAYS = 256 };

/* The message about plans of a cautious level. */
#define STREAM_LEVEL_CAUTIOUS                                                                      \
    "too many ways through its branches to look at each: the plan is safe, but no bound is known"

enum status stream_level_create(const struct stream_level_source *source, struct level **level,
                                struct error *error);

#endif
