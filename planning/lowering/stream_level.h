#ifndef MEMPLAN_PLANNING_LOWERING_STREAM_LEVEL_H
#define MEMPLAN_PLANNING_LOWERING_STREAM_LEVEL_H

#include "planning/lowering/level.h"

/* What the problem is made of. */
struct stream_level_source {
    const struct graph *graph;
    uint64_t alignment_bytes;    /* of every offset; at least 1 */
    bool pool_per_stream;        /* tensors first written on different streams conflict anyway */
    const struct liveness *line; /* tensors that are live at no common step of this one share bytes
                                    anyway; NULL for none */
};

/* The problem of all tensors of a graph whose operators run on several streams: two buffers
   conflict exactly when stream_lifetimes_conflict says so on some way through the graph, with as
   many bytes as they have on that way, or their
   streams have pools of their own, and, where there is a line, they are live at one of its
   steps together. Where there are more than STREAM_LEVEL_MOST_WAYS, and looking at all pairs on
   each would take too long, what it says of all ways at once is taken, which may name more
   conflicts: the level is cautious then. Where clocks say all, without branches, loops and pools,
   the buffers have clocks. Buffers are in the order of definition. The level's liveness is NULL.
   O(ways * tensors^2 * streams).
 */
enum { STREAM_LEVEL_MOST_WAYS = 256 };

/* What is said of a cautious level's plans. */
#define STREAM_LEVEL_CAUTIOUS                                                                      \
    "too many ways through its branches to look at each: the plan is safe, but no bound is known"

enum status stream_level_create(const struct stream_level_source *source, struct level **level,
                                struct error *error);

#endif
