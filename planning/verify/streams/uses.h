#ifndef MEMPLAN_PLANNING_VERIFY_STREAMS_USES_H
#define MEMPLAN_PLANNING_VERIFY_STREAMS_USES_H

#include "planning/plan/placement.h"
#include "planning/verify/streams/order.h"

/* The steps at which tenants are first written, and used, on one run or on all runs. A tenant holds
   bytes for some time. Each tensor is one; behind the tensors, each carried value of a loop, by its
   position in graph->carried, is a second tenant for its argument, from the step that leaves the
   loop. That step stands for writing the argument again at the end of a turn, so what a turn makes
   may be in its place before that. */

/* A use at a step, on the runs that take the region and have the step. */
struct stream_use {
    uint32_t tenant;
    uint32_t step; /* GRAPH_NONE for what is kept to the end */
    uint32_t region;
};

struct stream_uses {
    const struct graph *graph;
    const struct stream_run *run;
    uint32_t tenants;
    uint32_t *place; /* [tensors] the tenant in whose place it is, GRAPH_NONE without any */
    uint32_t *born;  /* [tenants] one past the step that writes it first, 0 for what is there from
                        the start, GRAPH_NONE for what the run does not have */
    uint32_t *last_use; /* [tenants * streams] one past the last step of the stream that uses it,
                           GRAPH_NONE for what is kept to the end */
    /* For the run of all ways: all uses, those of tenant t at first[t] .. first[t + 1] - 1. */
    struct stream_use *use;
    size_t uses, use_capacity, *first;
    struct scratch scratch; /* of all but the list `use` */
    enum status listing;    /* of growing the list `use` */
    struct error *error;
};

/* Leaves *uses fit for stream_uses_free where it fails. */
enum status stream_uses_create(const struct graph *graph, const struct placement *placement,
                               struct stream_uses *uses, struct error *error);
void stream_uses_free(struct stream_uses *uses);

/* Fills born and the uses for a run that was followed; for the run of all ways only once. O(uses *
   depth of regions), with a logarithm where they are listed. */
enum status stream_uses_find(struct stream_uses *uses, const struct stream_run *run,
                             struct error *error);

uint32_t *stream_uses_last(const struct stream_uses *uses, uint32_t tenant);
uint32_t stream_uses_tensor(const struct stream_uses *uses, uint32_t tenant);

#endif
