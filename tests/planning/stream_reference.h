#ifndef MEMPLAN_TESTS_STREAM_REFERENCE_H
#define MEMPLAN_TESTS_STREAM_REFERENCE_H

#include "core/random.h"
#include "planning/graph/happens_before.h"

/* What operators on several streams wait for on one way through a small graph, by going along all
   edges that there are. */

enum { STREAM_MOST_STEPS = 64 };

/* One way through a graph, for the reference: for each operator with branches the region that runs,
   for each loop whether its body does. */
struct stream_way {
    uint32_t taken[STREAM_MOST_STEPS]; /* [operators] a region; GRAPH_NONE: the body does not run */
};

/* Sets of steps as bits. */
struct stream_reference {
    const struct graph *graph;
    const struct happens_before *order; /* only its numbering of steps is read */
    const struct stream_way *way;
    uint64_t waits[STREAM_MOST_STEPS];  /* steps that this one waits for itself */
    uint64_t before[STREAM_MOST_STEPS]; /* and all that these wait for */
    uint64_t runs;                      /* steps on the way */
    uint64_t last_on_stream[8];         /* bit of the last step on the stream, 0 for none */
    uint64_t entered;                   /* steps that the region waits for which is entered next */
};

void stream_reference_run(struct stream_reference *reference, const struct graph *graph,
                          const struct happens_before *order, const struct stream_way *way);

/* All ways of a graph one after another; stream_way_next is false after the last one. */
struct stream_way stream_way_first(const struct graph *graph);
bool stream_way_next(const struct graph *graph, struct stream_way *way);

/* Puts the operators of the graph on up to `most` streams, each on any; reads wait. Half of its
   loops get a count. */
void stream_reference_spread(struct graph *graph, struct random_state *random, uint32_t most);

#endif
