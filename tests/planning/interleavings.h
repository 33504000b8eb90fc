#ifndef MEMPLAN_TESTS_INTERLEAVINGS_H
#define MEMPLAN_TESTS_INTERLEAVINGS_H

#include "planning/plan/placement.h"
#include "planning/stream_reference.h"

/* Which tensors are in use at once in some interleaving of the streams, found by trying all of
   them: each step starts when what it waits for has ended, and ends some time later. */

enum {
    INTERLEAVINGS_MOST_TENSORS = 40,
    INTERLEAVINGS_MOST_STEPS = 11,
    INTERLEAVINGS_STATES = 177147, /* 3^11 */
    INTERLEAVINGS_MOST_WAYS = 64
};

/* Tensors that are in use at once on one way, as bits, and how many bytes they have on it. */
struct interleavings_way {
    uint64_t together[INTERLEAVINGS_MOST_TENSORS], bytes[INTERLEAVINGS_MOST_TENSORS];
};

struct interleavings {
    const struct graph *graph;
    const struct happens_before *order;
    struct stream_reference reference;
    uint32_t steps, step[INTERLEAVINGS_MOST_STEPS]; /* on the way, with their numbers */
    uint32_t place[INTERLEAVINGS_MOST_TENSORS]; /* the tensor in whose place it is, GRAPH_NONE */
    uint64_t born[INTERLEAVINGS_MOST_TENSORS];  /* the step that first writes its place, 0 from the
                                                   start */
    uint64_t uses[INTERLEAVINGS_MOST_TENSORS];  /* all steps that use it */
    uint64_t later[INTERLEAVINGS_MOST_TENSORS]; /* of an argument the step that leaves its loop:
                                                   from there on it is in use again */
    uint64_t later_uses[INTERLEAVINGS_MOST_TENSORS]; /* and the steps that use it then */
    bool kept[INTERLEAVINGS_MOST_TENSORS], there[INTERLEAVINGS_MOST_TENSORS];
    bool seen[INTERLEAVINGS_STATES];
    uint64_t together[INTERLEAVINGS_MOST_TENSORS]; /* on any way: tensors as bits */
    uint32_t ways;
    struct interleavings_way on_way[INTERLEAVINGS_MOST_WAYS];
    uint64_t bytes[INTERLEAVINGS_MOST_TENSORS]; /* of a place */
};

/* False for a graph that is too large for this. */
bool interleavings_run(struct interleavings *all, const struct graph *graph,
                       const struct happens_before *order);

/* Both have offsets, and bytes in common. */
bool interleavings_share_bytes(const struct interleavings *all, const struct placement *placement,
                               uint32_t a, uint32_t b);

/* No two tensors that are in use at once share bytes that they have on that way. */
bool interleavings_are_safe(const struct interleavings *all, const struct placement *placement);

#endif
